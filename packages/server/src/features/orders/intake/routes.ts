import { ApiError, type OrderIntake } from '@kontor/contract';
import type { Pool } from '../../../db/connect.ts';
import { violatedConstraint } from '../../../db/failure.ts';
import { readDocument } from '../../../db/find-in-scope.ts';
import { inSlices } from '../../../lib/in-slices.ts';
import type { FileStore } from '../../../files/file-store.ts';
import { batchOutcome, type LineOutcome } from '../../../http/request/batch.ts';
import type { AnswerOf, CallOf, HandlersOf } from '../../../http/handlers.ts';
import { type Line, ok } from '../../../http/route.ts';
import { requestOf, type Writes } from '../../../write/writes.ts';
import { type NewOrder, newOrder } from './new-order.ts';
import { orderIntake, type Taken } from './take-in.ts';
import { uploadAttachment } from './upload.ts';

/** What the intake of orders stands on. */
interface IntakeParts {
  readonly reads: Pool;
  readonly writes: Writes;
  readonly files: FileStore;
}

/** The operations of the intake of orders, which are the platform's. */
export function orderIntakeHandlers(parts: IntakeParts): HandlersOf<'platform', 'Order intake'> {
  return {
    createOrder: call => createOrder(parts, call),
    createOrderBatch: call => createOrderBatch(parts, call),
    getOrganizationOrder: async call => ok(await readOrder(parts, call, call.parameters.id)),
    uploadOrderAttachment: call => uploadAttachment(parts, call),
  };
}

type Call = CallOf<'createOrder' | 'createOrderBatch' | 'getOrganizationOrder'>;

/** The document of an order as it is. @throws ApiError NOT_FOUND. */
async function readOrder(
  { reads }: IntakeParts,
  { scope }: Pick<Call, 'scope'>,
  id: string,
): Promise<string> {
  const doc = await readDocument(reads, { table: 'employee_order', scope, tenant: null, id });
  if (doc === null) throw new ApiError('NOT_FOUND', 'No order with this id is visible to the token');
  return doc;
}

/** Decided in its turn only, in which one question serves all intakes of a transaction. */
async function createOrder(
  parts: IntakeParts,
  call: CallOf<'createOrder'>,
): Promise<AnswerOf<'createOrder'>> {
  const [taken] = await takeIn(parts, call, [newOrder(call.body, call)]);
  if (taken instanceof ApiError) throw taken;
  const { id, doc } = taken!;
  if (doc === null) return ok(await readOrder(parts, call, id));
  const Location = `/platform/v1/organizations/${call.scope.organizationId}/orders/${id}`;
  return call.dryRun ? ok(doc) : { status: 201, body: doc, headers: { Location } };
}

async function createOrderBatch(
  parts: IntakeParts,
  call: CallOf<'createOrderBatch'>,
): Promise<AnswerOf<'createOrderBatch'>> {
  const lines = await inSlices(call.body.items, line => orderOf(line, call));
  const orders = lines.filter((line): line is NewOrder => !(line instanceof ApiError));
  const taken = (orders.length === 0 ? [] : await takeIn(parts, call, orders)).values();
  const outcomes = lines.map(line =>
    line instanceof ApiError ? line : outcomeOf(taken.next().value!, call),
  );
  return ok(batchOutcome(call.requestId, outcomes));
}

function orderOf(line: Line<OrderIntake>, call: CallOf<'createOrderBatch'>): NewOrder | ApiError {
  if ('refusal' in line) return line.refusal;
  try {
    return newOrder(line.value, call);
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
}

function outcomeOf(taken: Taken, { dryRun }: { dryRun: boolean }): LineOutcome {
  if (taken instanceof ApiError) return taken;
  return { id: taken.id, status: taken.doc === null || dryRun ? 200 : 201 };
}

/** What must be unique of an order. */
const unique = ['employee_order_external_id', 'employee_order_number'];

/**
 * Takes the orders in. Only in a dry run, which takes no turn, can somebody else take an identifier or a number between the question and
 * the answer; it is asked again then, and sees that one.
 */
async function takeIn(
  { writes }: IntakeParts,
  call: CallOf<'createOrder' | 'createOrderBatch'>,
  orders: readonly NewOrder[],
): Promise<Taken[]> {
  const { organizationId } = call.scope;
  const take = () =>
    writes.runOrdered(requestOf(call), { kind: orderIntake, input: { organizationId, orders } });
  return take().catch((error: unknown) => {
    if (call.dryRun && unique.includes(violatedConstraint(error) ?? '')) return take();
    throw error;
  });
}
