import { documentEnd } from '../../../query/resource.ts';
import { dryRunId, newId } from '../../../db/ids.ts';
import { inSlices } from '../../../lib/concurrency/in-slices.ts';
import { createHash } from 'node:crypto';
import { ApiError, type OrderIntake } from '@kontor/contract';
import type { Decision } from '../../../write/writes.ts';
import { completeOrder } from '../contract.ts';
import { automaticStep } from '../decision-rules/rule.ts';
import { documentHead, type OrderData, orderRow } from '../mapping.ts';
import type { Step } from '../transitions.ts';
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
  const { sPedelec, orderNumber, products, contract, productBenefits, submittedAt } = data;
  const order = { orderNumber, submittedAt, products, contract };
  const content = { employeeId, ...order, sPedelec: sPedelec || null, productBenefits };
  const text = JSON.stringify(content, (name, value: unknown) =>
    value === null || derived.has(name) ? undefined : value,
  );
  return createHash('sha256').update(text).digest('base64url');
}

/** The outcome of an intake: a new order with its document, an existing order (`doc` is null), or an error. */
export type IntakeOutcome = { readonly id: string; readonly doc: string | null } | ApiError;

interface Intake {
  readonly scope: { readonly organizationId: string };
  readonly dryRun: boolean;
  readonly orders: readonly store.NewOrder[];
}

/** The stored rows that the intakes of a transaction name. */
interface Found {
  readonly orders: ReadonlyMap<string, store.KnownOrder>;
  readonly numbers: ReadonlySet<string>;
  readonly employees: ReadonlyMap<string, store.Orderer>;
}

/** A new order with the step of a rule, an existing order, or an error. */
type Line =
  | { readonly order: store.NewOrder; readonly employee: store.Orderer; readonly step: Step | null }
  | IntakeOutcome;

/** Intakes of one transaction share their queries and statements. A query before the queue for each would cost more than it saves. */
export const orderIntake: Decision<Intake, Found, readonly Line[], IntakeOutcome[]> = {
  batched: true,
  early: false,
  targets: ({ orders }) =>
    orders.flatMap(({ externalId, row }) => [`external ${externalId}`, `order number ${row.order_number}`]),
  async read(db, intakes) {
    const orders = intakes.flatMap(intake => intake.orders);
    const known = await store.readKnown(db, intakes[0]!.scope.organizationId, orders);
    const found = {
      orders: new Map(known.orders.map(order => [order.externalId, order])),
      numbers: new Set(known.numbers),
      employees: new Map(known.employees.map(employee => [employee.id, employee])),
    };
    return intakes.map(() => found);
  },
  /** Two lines of an intake can name one order. Two intakes of a transaction cannot: it would be their common target. */
  plan({ orders, dryRun }, found, at) {
    const earlier = { orders: new Map<string, store.KnownOrder>(), numbers: new Set<string>() };
    return orders.map((order): Line => {
      const { externalId, digest } = order;
      const number = order.row.order_number;
      const before = found.orders.get(externalId) ?? earlier.orders.get(externalId);
      if (before) return before.digest === digest ? { id: before.id, doc: null } : duplicate('externalId');
      const employee = found.employees.get(order.employeeId);
      if (!employee)
        return new ApiError(
          'INVALID_REFERENCE',
          'employeeId must name an employee of the organization who was not erased',
        );
      if (found.numbers.has(number) || earlier.numbers.has(number)) return duplicate('orderNumber');
      earlier.orders.set(externalId, { externalId, digest, id: dryRun ? dryRunId : order.row.id });
      earlier.numbers.add(number);
      return { order, employee, step: automaticStep(employee, { order: order.data, employee }, at) };
    });
  },
  async store(planned) {
    const insertions: store.Insertion[] = [];
    const lines = planned.flatMap(({ write, plan }) => plan.map(line => ({ write, line })));
    const taken = await inSlices(lines, ({ write, line }): IntakeOutcome => {
      if (!('order' in line)) return line;
      const order = withStep(line.order, line.step, write.dryRun);
      const doc = order.head + documentEnd(write.instant, write.instant);
      insertions.push({ write, order, employee: line.employee, doc });
      return { id: write.dryRun ? dryRunId : order.row.id, doc };
    });
    store.insertOrders(insertions);
    const outcomes = taken.values();
    return planned.map(({ plan }) => plan.map(() => outcomes.next().value!));
  },
};

/** Renders the order anew after the decision of a rule. */
function withStep(order: store.NewOrder, step: Step | null, dryRun: boolean): store.NewOrder {
  if (step === null) return order;
  const { to, ...changes } = step;
  const data = { ...order.data, ...changes, status: to };
  return { ...order, ...render(order.employeeId, data, order.row.id, dryRun) };
}

const duplicates = {
  externalId: 'externalId belongs to another order of the organization; nothing was changed',
  orderNumber: 'orderNumber: another order of this organization already has it',
};

function duplicate(name: keyof typeof duplicates): ApiError {
  return new ApiError('DUPLICATE_RESOURCE', duplicates[name]);
}
