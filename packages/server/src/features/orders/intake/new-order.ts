import { createHash } from 'node:crypto';
import type { OrderIntake, OrderProduct } from '@kontor/contract';
import { dryRunId, newId } from '../../../db/ids.ts';
import { completeContract, productCompletion } from '../contract.ts';
import { type OrderData, type OrderRow, orderRow, splitDocument } from '../mapping.ts';
import type { Step } from '../transitions.ts';

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
  const digest = digestOf(employeeId, data);
  return { externalId, employeeId, digest, ...rendered(data, id, dryRun ? dryRunId : id) };
}

/** The order as it is when a step is taken with it at once. */
export function steppedOrder(
  order: NewOrder,
  { to, ...changes }: Step,
  { dryRun }: { dryRun: boolean },
): NewOrder {
  const { id } = order.row;
  return { ...order, ...rendered({ ...order.data, ...changes, status: to }, id, dryRun ? dryRunId : id) };
}

/** An order as it is stored, with the identifier that its document shows. */
function rendered(
  data: OrderData,
  id: string,
  shownId: string,
): Pick<NewOrder, 'data' | 'row' | 'head' | 'tail'> {
  return { data, row: orderRow({ ...data, id }), ...splitDocument({ ...data, id: shownId }) };
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
