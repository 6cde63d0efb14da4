import { ApiError } from '@kontor/contract';
import { documentEnd } from '../../../collection/resource.ts';
import { dryRunId } from '../../../database/ids.ts';
import { type Entry, type Turn, type WriteKind } from '../../../writes/writes.ts';
import { decideNewOrder } from '../automatic/rule.ts';
import { readRules, type RulesOfTenants } from '../automatic/store.ts';
import { type NewOrder, withData } from './new-order.ts';
import * as store from './store.ts';

/** Orders that are taken in by one request. */
export interface Intake {
  readonly organizationId: string;
  readonly orders: readonly NewOrder[];
}

/** What became of an order: it is new, with its document; it was there, `doc` is null; or why it was refused. */
export type Taken = { readonly id: string; readonly doc: string | null } | ApiError;

/** Intakes of orders, by one request or in batches: those of one transaction are one statement. */
export const orderIntake: WriteKind<Intake, store.Known & RulesOfTenants, Taken[]> = {
  together: true,
  targets: ({ orders }) =>
    orders.flatMap(({ externalId, row }) => [`external ${externalId}`, `order number ${row.order_number}`]),
  async read(db, inputs) {
    const { organizationId } = inputs[0]!;
    const orders = inputs.flatMap(input => input.orders);
    const employees = orders.map(({ employeeId }) => employeeId);
    const [known, rules] = await Promise.all([
      store.readKnown(db, organizationId, orders),
      readRules(db, organizationId, employees),
    ]);
    return { ...known, ...rules };
  },
  change(entries, known) {
    const seen: Seen = {
      orders: new Map(known.orders.map(order => [order.externalId, order])),
      numbers: new Set(known.numbers),
      employees: new Map(known.employees.map(employee => [employee.id, employee])),
      rules: known.rules,
      blocked: known.blocked,
    };
    const insertions: store.Insertion[] = [];
    const outcomes = entries.map(entry => ({ result: decideAll(entry, seen, insertions) }));
    store.insertOrders(insertions);
    return outcomes;
  },
};

/** What there is, and what the lines before have added to it. */
interface Seen extends RulesOfTenants {
  readonly orders: Map<string, store.KnownOrder>;
  readonly numbers: Set<string>;
  readonly employees: ReadonlyMap<string, store.Orderer>;
}

function decideAll({ turn, input }: Entry<Intake>, seen: Seen, insertions: store.Insertion[]): Taken[] {
  return input.orders.map(order => {
    const before = seen.orders.get(order.externalId);
    if (before) return before.digest === order.digest ? { id: before.id, doc: null } : taken('externalId');
    const employee = seen.employees.get(order.employeeId);
    if (!employee) return unknownEmployee();
    const number = order.row.order_number;
    if (seen.numbers.has(number)) return taken('orderNumber');
    const id = turn.dryRun ? dryRunId : order.row.id;
    const left = decidedByRule(turn, order, employee, seen);
    const doc = documentOf(left, turn);
    seen.orders.set(order.externalId, { externalId: order.externalId, digest: order.digest, id });
    seen.numbers.add(number);
    insertions.push({ turn, order: left, employee, doc });
    return { id, doc };
  });
}

/** The order as the rule of its tenant leaves it, if there is one. */
function decidedByRule(
  turn: Turn,
  order: NewOrder,
  { id, tenantId }: store.Orderer,
  { rules, blocked }: RulesOfTenants,
): NewOrder {
  const rule = (tenantId !== null && rules.get(tenantId)) || null;
  const found = { order: order.data, employee: { blocked: blocked.has(id) } };
  const data = decideNewOrder(rule, found, turn.at);
  return data === order.data ? order : withData(order, data, turn);
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
