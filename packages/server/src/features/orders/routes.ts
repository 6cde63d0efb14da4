import { ApiError, type OrderDecision } from '@kontor/contract';
import type { Collection } from '../../collection/page.ts';
import type { Pool } from '../../database/connect.ts';
import { readDocument } from '../../database/find-in-scope.ts';
import type { Queryable } from '../../database/session.ts';
import { type Files, openDownload } from '../../files/download.ts';
import type { AnswerOf, CallOf, Handlers } from '../../http/handlers.ts';
import { ok } from '../../http/route.ts';
import { requestOf, type Writes } from '../../writes/writes.ts';
import { type Decided, decide, type Refusal } from './rules.ts';
import * as store from './store.ts';
import { moveOrder } from './transitions.ts';

/** What the operations of orders stand on. */
interface Parts {
  readonly reads: Pool;
  readonly writes: Writes;
  readonly files: Files;
  readonly collection: Collection;
}

/** The operations of orders on a database, a file store and the collection of orders. */
export function orderHandlers(parts: Parts): Handlers<'Orders'> {
  const { reads, collection } = parts;
  return {
    listOrders: async call => ok(await collection.page(call)),
    getOrder: async ({ scope, tenant, parameters: { id } }) =>
      ok((await readDocument(reads, { table: 'employee_order', scope, tenant, id })) ?? notFound()),
    decideOrder: call => decideOrder(parts, call),
    downloadOrderAttachment: call => downloadAttachment(parts, call),
  };
}

/** Refused before the organization clock is taken where that is known already, and decided under it. */
async function decideOrder(
  { reads, writes }: Parts,
  call: CallOf<'decideOrder'>,
): Promise<AnswerOf<'decideOrder'>> {
  const { scope, tenant, parameters, body: decision } = call;
  const read = async (db: Queryable) =>
    (await store.findOrder(db, scope, tenant, parameters.id)) ?? notFound();
  decided(await read(reads), decision);
  const doc = await writes.run(requestOf(call), {
    targets: [parameters.id],
    read,
    change(turn, found) {
      const { status, hrHistory } = decided(found, decision);
      const step = { to: status, hrHistory: { ...hrHistory, decidedAt: turn.instant } };
      return moveOrder(turn, found.order, step);
    },
  });
  return ok(doc);
}

/** The order as decided. @throws ApiError for every refusal of a decision. */
function decided({ order, employee }: store.Found, decision: OrderDecision): Decided {
  const result = decide(order, employee, decision);
  if (typeof result === 'string') throw new ApiError(result, refusals[result]);
  return result;
}

const refusals: Readonly<Record<Refusal, string>> = {
  ORDER_ALREADY_DECIDED: 'The order has a decision already: read it again',
  INVALID_STATE_TRANSITION: 'Only an order that is under_review can be decided: read it again',
  EMPLOYEE_BLOCKED:
    'The employee of the order is blocked: unblock the employee before approving, or reject the order',
};

async function downloadAttachment(
  { reads, files }: Parts,
  call: CallOf<'downloadOrderAttachment'>,
): Promise<AnswerOf<'downloadOrderAttachment'>> {
  const { scope, tenant, parameters: asked } = call;
  const found = (await store.findAttachment(reads, scope, tenant, asked)) ?? attachmentNotFound();
  const attachment =
    found.order.attachments.find(({ id }) => id === asked.attachmentId) ?? attachmentNotFound();
  const { id, fileName, mediaType, size } = attachment;
  const file = { organizationId: scope.organizationId, id, size, sha256: found.sha256 };
  return { status: 200, file: { stream: await openDownload(files, file), fileName, mediaType, size } };
}

function notFound(): never {
  throw new ApiError('NOT_FOUND', 'No order with this id is visible to the key');
}

/** One answer whether it is the order or the attachment that is not there. */
function attachmentNotFound(): never {
  throw new ApiError('NOT_FOUND', 'No such attachment of an order is visible to the key');
}
