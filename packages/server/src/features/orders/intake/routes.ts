import {
  ApiError,
  createOrder,
  createOrderBatch,
  getOrganizationOrder,
  type OrderIntake,
  uploadOrderAttachment,
} from '@kontor/contract';
import { violatedConstraint } from '../../../db/failure.ts';
import type { FileStore } from '../../../files/file-store.ts';
import { type AnswerOf, type CallOf, implement } from '../../../http/implement.ts';
import { readResource } from '../../../http/read-resource.ts';
import { batchOutcome, type LineOutcome } from '../../../http/request/batch.ts';
import { type Line, ok, type Route, type RouteParts } from '../../../http/route.ts';
import { inSlices } from '../../../lib/concurrency/in-slices.ts';
import { uploadAttachment } from '../attachments.ts';
import { orderResource } from '../mapping.ts';
import type { NewOrder } from './store.ts';
import { newOrder, orderIntake, type IntakeOutcome } from './take-in.ts';

interface Parts extends RouteParts {
  readonly files: FileStore;
}

export function orderIntakeRoutes(parts: Parts): Route[] {
  return [
    implement(createOrder, call => takeInOne(parts, call)),
    implement(createOrderBatch, call => takeInBatch(parts, call)),
    implement(getOrganizationOrder, call => readResource(parts.reads, orderResource, call)),
    implement(uploadOrderAttachment, call => uploadAttachment(parts, call)),
  ];
}

async function takeInOne(
  parts: Parts,
  call: CallOf<typeof createOrder>,
): Promise<AnswerOf<typeof createOrder>> {
  const [taken] = await takeIn(parts, call, [newOrder(call.body, call)]);
  if (taken instanceof ApiError) throw taken;
  const { id, doc } = taken!;
  if (doc === null) return readResource(parts.reads, orderResource, { ...call, parameters: { id } });
  const Location = `/platform/v1/organizations/${call.scope.organizationId}/orders/${id}`;
  return call.dryRun ? ok(doc) : { status: 201, body: doc, headers: { Location } };
}

async function takeInBatch(
  parts: Parts,
  call: CallOf<typeof createOrderBatch>,
): Promise<AnswerOf<typeof createOrderBatch>> {
  const lines = await inSlices(call.body.items, line => orderOf(line, call));
  const orders = lines.filter((line): line is NewOrder => !(line instanceof ApiError));
  const taken = (orders.length === 0 ? [] : await takeIn(parts, call, orders)).values();
  const outcomes = lines.map(line =>
    line instanceof ApiError ? line : outcomeOf(taken.next().value!, call),
  );
  return ok(batchOutcome(call.requestId, outcomes));
}

function orderOf(line: Line<OrderIntake>, call: CallOf<typeof createOrderBatch>): NewOrder | ApiError {
  if ('rejection' in line) return line.rejection;
  try {
    return newOrder(line.value, call);
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
}

function outcomeOf(taken: IntakeOutcome, { dryRun }: { dryRun: boolean }): LineOutcome {
  if (taken instanceof ApiError) return taken;
  return { id: taken.id, status: taken.doc === null || dryRun ? 200 : 201 };
}

const unique = ['employee_order_external_id', 'employee_order_number'];

/** A dry run does not lock the organization. If another write takes an identifier or number after its read, it is repeated. */
async function takeIn(
  { writes }: Parts,
  call: CallOf<typeof createOrder | typeof createOrderBatch>,
  orders: readonly NewOrder[],
): Promise<IntakeOutcome[]> {
  const take = () => writes.decide({ ...call, orders }, orderIntake);
  return take().catch((error: unknown) => {
    if (call.dryRun && unique.includes(violatedConstraint(error) ?? '')) return take();
    throw error;
  });
}
