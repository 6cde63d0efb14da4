import { ApiError } from '@kontor/contract';
import { documentEnd } from '../../../query/resource.ts';
import { dryRunId } from '../../../db/ids.ts';
import { inSlices } from '../../../lib/in-slices.ts';
import type { Turn, WriteKind } from '../../../write/writes.ts';
import { automaticStep } from '../automatic/rule.ts';
import { type NewOrder, steppedOrder } from './new-order.ts';
import * as store from './store.ts';

/** Orders that are taken in by one request. */
export interface Intake {
  readonly organizationId: string;
  readonly orders: readonly NewOrder[];
}

/** What became of an order: it is new, with its document; it was there, `doc` is null; or why it was refused. */
export type Taken = { readonly id: string; readonly doc: string | null } | ApiError;

/** Intakes of orders, by one request or in batches: those of one transaction are one statement. */
export const orderIntake: WriteKind<Intake, store.Known, Taken[]> = {
  targets: ({ orders }) =>
    orders.flatMap(({ externalId, row }) => [`external ${externalId}`, `order number ${row.order_number}`]),
  read: (db, inputs) =>
    store.readKnown(
      db,
      inputs[0]!.organizationId,
      inputs.flatMap(({ orders }) => orders),
    ),
  async change(entries, known) {
    const seen: Seen = {
      orders: new Map(known.orders.map(order => [order.externalId, order])),
      numbers: new Set(known.numbers),
      employees: new Map(known.employees.map(employee => [employee.id, employee])),
    };
    const insertions: store.Insertion[] = [];
    const lines = entries.flatMap(({ turn, input }) => input.orders.map(order => ({ turn, order })));
    const taken = (await inSlices(lines, line => decideLine(line, seen, insertions))).values();
    store.insertOrders(insertions);
    return entries.map(({ input }) => ({ result: input.orders.map(() => taken.next().value!) }));
  },
};

/** What there is, and what the lines before have added to it. */
interface Seen {
  readonly orders: Map<string, store.KnownOrder>;
  readonly numbers: Set<string>;
  readonly employees: ReadonlyMap<string, store.Orderer>;
}

function decideLine(
  { turn, order }: { turn: Turn; order: NewOrder },
  seen: Seen,
  insertions: store.Insertion[],
): Taken {
  const before = seen.orders.get(order.externalId);
  if (before) return before.digest === order.digest ? { id: before.id, doc: null } : taken('externalId');
  const employee = seen.employees.get(order.employeeId);
  if (!employee) return unknownEmployee();
  const number = order.row.order_number;
  if (seen.numbers.has(number)) return taken('orderNumber');
  const id = turn.dryRun ? dryRunId : order.row.id;
  const decided = decidedOrder(order, employee, turn);
  const doc = documentOf(decided, turn);
  seen.orders.set(order.externalId, { externalId: order.externalId, digest: order.digest, id });
  seen.numbers.add(number);
  insertions.push({ turn, order: decided, employee, doc });
  return { id, doc };
}

/** The order as the rule of the tenant decides on it in the turn that takes it in; as it is where there is none, or it does not. */
function decidedOrder(order: NewOrder, employee: store.Orderer, turn: Turn): NewOrder {
  const step = automaticStep(employee, { order: order.data, employee }, turn.at);
  return step ? steppedOrder(order, step, turn) : order;
}

function documentOf({ head, employeeId, tail }: NewOrder, { instant }: Turn): string {
  return head + employeeId + tail + documentEnd(instant, instant);
}

const duplicates = {
  externalId:
    'externalId is taken by an order of the organization whose intake said something else; nothing was changed',
  orderNumber: 'orderNumber is used by another order of the organization already',
};

function taken(name: keyof typeof duplicates): ApiError {
  return new ApiError('DUPLICATE_RESOURCE', duplicates[name]);
}

function unknownEmployee(): ApiError {
  return new ApiError(
    'INVALID_REFERENCE',
    'employeeId must name an employee of the organization whose data were not erased',
  );
}
