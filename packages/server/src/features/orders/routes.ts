import { ApiError, type OrderDecision, operations } from '@kontor/contract';
import type { Collection } from '../../collection/page.ts';
import { readDocument } from '../../database/read-document.ts';
import type { Sql } from '../../database/connect.ts';
import type { OrganizationWrites } from '../../database/organization-write.ts';
import type { Statements } from '../../database/transaction.ts';
import { type Files, openDownload } from '../../files/download.ts';
import type { Answer, JsonAnswer, Call, Route } from '../../http/route.ts';
import { type Decided, decide, type Refusal } from './rules.ts';
import * as store from './store.ts';

/** What the operations of orders stand on. */
interface Parts {
  readonly sql: Sql;
  readonly writes: OrganizationWrites;
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
  const { scope, tenant, parameters, requestId, dryRun } = call;
  const read = async (on: Statements) =>
    (await store.findOrder(on, scope, tenant, parameters['id']!)) ?? notFound();
  const decision = call.body as OrderDecision;
  decided(await read(sql), decision);
  const doc = await writes.run(scope.organizationId, call, {
    read,
    change(session, found, at) {
      const { status, hrHistory } = decided(found, decision);
      const instant = at.toISOString();
      return store.updateOrder(session, scope.organizationId, {
        order: {
          ...found.order,
          status,
          hrHistory: { ...hrHistory, decidedAt: instant },
          updatedAt: instant,
        },
        action: 'order.decide',
        fields: ['status', 'hrHistory'],
        author: dryRun ? null : { actor: scope.keyId, requestId },
      });
    },
  });
  return ok(doc);
}

/** Errors: every refusal of a decision. */
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

function ok(body: JsonAnswer['body']): Answer {
  return { status: 200, body };
}

function notFound(): never {
  throw new ApiError('NOT_FOUND', 'No order with this id is visible to the key');
}

/** One answer whether it is the order or the attachment that is not there. */
function attachmentNotFound(): never {
  throw new ApiError('NOT_FOUND', 'No such attachment of an order is visible to the key');
}
