import { createHash } from 'node:crypto';
import type { OrderIntake, OrderProduct } from '@kontor/contract';
import { dryRunId, newId } from '../../../database/ids.ts';
import { completeContract, productCompletion } from '../complete.ts';
import { type OrderData, type OrderRow, orderRow, splitDocument } from '../record.ts';

/** An order on its way in, with all that does not depend on the turn of its write. */
export interface NewOrder {
  readonly externalId: string;
  readonly employeeId: string;
  /** Tells the same intake from another one, without its content. */
  readonly digest: string;
  readonly data: OrderData;
  readonly row: OrderRow;
  /** The document in front of and behind the identifier of the employee. */
  readonly head: string;
  readonly tail: string;
}

/** The order of an intake. @throws ApiError 422 VALIDATION_ERROR for amounts and dates of the contract that do not go together. */
export function newOrder(intake: OrderIntake, { dryRun }: { dryRun: boolean }): NewOrder {
  const { externalId, employeeId, orderNumber } = intake;
  const { withNulls, inOrder } = productCompletion;
  const contract = intake.contract ?? null;
  const data: OrderData = {
    orderNumber,
    status: 'under_review',
    products: intake.products.map(product => inOrder(withNulls(product)) as OrderProduct),
    contract: contract && completeContract(contract),
    hrHistory: null,
    submittedAt: new Date(intake.submittedAt).toISOString(),
  };
  const id = newId();
  return { externalId, employeeId, digest: digestOf(employeeId, data), ...rendered(data, id, dryRun) };
}

/** A new order with other data, as the turn of its write has made them. */
export function withData(order: NewOrder, data: OrderData, { dryRun }: { dryRun: boolean }): NewOrder {
  return { ...order, ...rendered(data, order.row.id, dryRun) };
}

function rendered(data: OrderData, id: string, dryRun: boolean) {
  const row = orderRow({ ...data, id });
  return { data, row, ...splitDocument({ ...data, id: dryRun ? dryRunId : id }) };
}

/** What follows from the rest of a contract, in ways that a later version may compute otherwise. */
const derived: ReadonlySet<string> = new Set(['salaryConversion', 'taxableBenefit']);

/**
 * The SHA-256 of what an intake says, whatever way it says it: absent is null, an instant is its milliseconds, and what follows
 * from the rest does not count. Null leaves no trace, so that a field that comes later changes no digest.
 */
function digestOf(employeeId: string, { orderNumber, products, contract, submittedAt }: OrderData): string {
  const said = { employeeId, orderNumber, submittedAt, products, contract };
  const text = JSON.stringify(said, (name, value: unknown) =>
    value === null || derived.has(name) ? undefined : value,
  );
  return createHash('sha256').update(text).digest('base64url');
}
