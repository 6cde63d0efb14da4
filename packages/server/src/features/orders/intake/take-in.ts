import { documentEnd } from '../../../query/resource.ts';
import { dryRunId, newId } from '../../../db/ids.ts';
import { inSlices } from '../../../lib/in-slices.ts';
import { createHash } from 'node:crypto';
import { ApiError, type OrderIntake } from '@kontor/contract';
import type { Write, WriteKind } from '../../../write/writes.ts';
import { completeOrder } from '../contract.ts';
import { automaticStep } from '../decision-rules/rule.ts';
import { documentHead, type OrderData, orderRow } from '../mapping.ts';
import * as store from './store.ts';

/** Completes a new order. @throws ApiError 422 VALIDATION_ERROR for inconsistent amounts or dates of the contract */
export function newOrder(intake: OrderIntake, { dryRun }: { dryRun: boolean }): store.NewOrder {
  const { externalId, employeeId } = intake;
  const data = completeOrder(intake);
  const order = { externalId, employeeId, digest: digestOf(employeeId, data) };
  return { ...order, ...render(employeeId, data, newId(), dryRun) };
}

/** The document of a dry run has a constant identifier. */
function render(employeeId: string, data: OrderData, id: string, dryRun: boolean) {
  const head = documentHead({ ...data, employeeId, id: dryRun ? dryRunId : id });
  return { data, row: orderRow({ ...data, id }), head };
}

/** Derived amounts of a contract. A later version may compute them differently. */
const derived: ReadonlySet<string> = new Set(['salaryConversion', 'taxableBenefit']);

/**
 * The SHA-256 of an intake, with instants in milliseconds and without derived amounts. Nulls and an absent flag are omitted, so a new field
 * changes no digest.
 */
function digestOf(employeeId: string, data: OrderData): string {
  const { orderNumber, products, contract, sPedelec, submittedAt } = data;
  const content = { employeeId, orderNumber, submittedAt, products, contract, sPedelec: sPedelec || null };
  const text = JSON.stringify(content, (name, value: unknown) =>
    value === null || derived.has(name) ? undefined : value,
  );
  return createHash('sha256').update(text).digest('base64url');
}

export interface Intake {
  readonly organizationId: string;
  readonly orders: readonly store.NewOrder[];
}

/** The outcome of an intake: a new order with its document, an existing order (`doc` is null), or an error. */
export type IntakeOutcome = { readonly id: string; readonly doc: string | null } | ApiError;

/** Intakes of one transaction share one statement. */
export const orderIntake: WriteKind<Intake, store.Known, IntakeOutcome[]> = {
  targets: ({ orders }) =>
    orders.flatMap(({ externalId, row }) => [`external ${externalId}`, `order number ${row.order_number}`]),
  read(db, inputs) {
    const orders = inputs.flatMap(input => input.orders);
    return store.readKnown(db, inputs[0]!.organizationId, orders);
  },
  async change(entries, known) {
    const seen: Seen = {
      orders: new Map(known.orders.map(order => [order.externalId, order])),
      numbers: new Set(known.numbers),
      employees: new Map(known.employees.map(employee => [employee.id, employee])),
    };
    const insertions: store.Insertion[] = [];
    const lines = entries.flatMap(({ write, input }) => input.orders.map(order => ({ write, order })));
    const taken = (await inSlices(lines, line => takeLine(line, seen, insertions))).values();
    store.insertOrders(insertions);
    return entries.map(({ input }) => ({ result: input.orders.map(() => taken.next().value!) }));
  },
};

/** The stored rows, and the rows of earlier lines. */
interface Seen {
  readonly orders: Map<string, store.KnownOrder>;
  readonly numbers: Set<string>;
  readonly employees: ReadonlyMap<string, store.Orderer>;
}

function takeLine(
  { write, order }: { write: Write; order: store.NewOrder },
  seen: Seen,
  insertions: store.Insertion[],
): IntakeOutcome {
  const { externalId, digest } = order;
  const before = seen.orders.get(externalId);
  if (before) return before.digest === digest ? { id: before.id, doc: null } : duplicate('externalId');
  const employee = seen.employees.get(order.employeeId);
  if (!employee)
    return new ApiError(
      'INVALID_REFERENCE',
      'employeeId must name an employee of the organization who was not erased',
    );
  const number = order.row.order_number;
  if (seen.numbers.has(number)) return duplicate('orderNumber');
  const id = write.dryRun ? dryRunId : order.row.id;
  const decided = decideByRule(order, employee, write);
  const doc = decided.head + documentEnd(write.instant, write.instant);
  seen.orders.set(externalId, { externalId, digest, id });
  seen.numbers.add(number);
  insertions.push({ write, order: decided, employee, doc });
  return { id, doc };
}

function decideByRule(order: store.NewOrder, employee: store.Orderer, write: Write): store.NewOrder {
  const step = automaticStep(employee, { order: order.data, employee }, write.at);
  if (!step) return order;
  const { to, ...changes } = step;
  const data = { ...order.data, ...changes, status: to };
  return { ...order, ...render(order.employeeId, data, order.row.id, write.dryRun) };
}

const duplicates = {
  externalId: 'externalId belongs to another order of the organization; nothing was changed',
  orderNumber: 'orderNumber is used by another order of the organization already',
};

function duplicate(name: keyof typeof duplicates): ApiError {
  return new ApiError('DUPLICATE_RESOURCE', duplicates[name]);
}
