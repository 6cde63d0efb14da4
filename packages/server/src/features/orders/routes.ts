import { ApiError, type OrderDecision, operations } from '@kontor/contract';
import type { Collection } from '../../collection/page.ts';
import { readDocument } from '../../database/read-document.ts';
import type { Sql } from '../../database/connect.ts';
import { inOrganization } from '../../database/organization-write.ts';
import { type Files, openDownload } from '../../files/download.ts';
import type { Answer, Call, Route } from '../../http/route.ts';
import { type Decided, decide, type Refusal } from './rules.ts';
import * as store from './store.ts';

/** What the operations of orders stand on. `writes` is the pool of what may wait for its turn, which a dry run does not. */
interface Parts {
  readonly sql: Sql;
  readonly writes: Sql;
  readonly files: Files;
  readonly collection: Collection;
}

/** The operations of orders on a database, a file store and the collection of orders. */
export function orderRoutes(parts: Parts): Route[] {
  const { sql, collection } = parts;
  return [
    {
      operationId: 'listOrders',
      operation: operations.listOrders,
      handle: async ({ scope, tenant, list }) => ok(await collection.page({ scope, tenant, list: list! })),
    },
    {
      operationId: 'getOrder',
      operation: operations.getOrder,
      handle: async ({ scope, tenant, parameters }) =>
        ok((await readDocument(sql, 'employee_order', scope, tenant, parameters['id']!)) ?? notFound()),
    },
    {
      operationId: 'decideOrder',
      operation: operations.decideOrder,
      handle: call => decideOrder(parts, call),
    },
    {
      operationId: 'downloadOrderAttachment',
      operation: operations.downloadOrderAttachment,
      handle: call => downloadAttachment(parts, call),
    },
  ];
}

/** Refused before the organization clock is taken where that is known already, and decided under it. */
async function decideOrder({ sql, writes }: Parts, call: Call): Promise<Answer> {
  await decisionOn(sql, call);
  const pool = call.dryRun ? sql : writes;
  const doc = await inOrganization(pool, call.scope.organizationId, call, async (session, at) => {
    const { order, decided } = await decisionOn(session, call);
    const instant = at.toISOString();
    const hrHistory = { ...decided.hrHistory, decidedAt: instant };
    return store.updateOrder(session, call.scope.organizationId, {
      order: { ...order, status: decided.status, hrHistory, updatedAt: instant },
      action: 'order.decide',
      fields: ['status', 'hrHistory'],
      author: call.dryRun ? null : { actor: call.scope.keyId, requestId: call.requestId },
    });
  });
  return ok(doc);
}

async function decisionOn(
  on: Sql,
  { scope, tenant, parameters, body }: Call,
): Promise<{ order: store.Found['order']; decided: Decided }> {
  const { order, employee } = (await store.findOrder(on, scope, tenant, parameters['id']!)) ?? notFound();
  const decided = decide(order, employee, body as OrderDecision);
  if (typeof decided === 'string') throw new ApiError(decided, refusals[decided]);
  return { order, decided };
}

const refusals: Readonly<Record<Refusal, string>> = {
  ORDER_ALREADY_DECIDED: 'The order has a decision already: read it again',
  INVALID_STATE_TRANSITION: 'Only an order that is under_review can be decided: read it again',
  EMPLOYEE_BLOCKED:
    'The employee of the order is blocked: unblock the employee before approving, or reject the order',
};

async function downloadAttachment({ sql, files }: Parts, call: Call): Promise<Answer> {
  const { scope, tenant, parameters } = call;
  const asked = { id: parameters['id']!, attachmentId: parameters['attachmentId']! };
  const found = (await store.findAttachment(sql, scope, tenant, asked)) ?? attachmentNotFound();
  const attachment =
    found.order.attachments.find(({ id }) => id === asked.attachmentId) ?? attachmentNotFound();
  const { id, fileName, mediaType, size } = attachment;
  const file = { organizationId: scope.organizationId, id, size, sha256: found.sha256 };
  return { status: 200, file: { stream: await openDownload(files, file), fileName, mediaType, size } };
}

function ok(body: Buffer | string): Answer {
  return { status: 200, body };
}

function notFound(): never {
  throw new ApiError('NOT_FOUND', 'No order with this id is visible to the key');
}

/** One answer whether it is the order or the attachment that is not there. */
function attachmentNotFound(): never {
  throw new ApiError('NOT_FOUND', 'No such attachment of an order is visible to the key');
}
