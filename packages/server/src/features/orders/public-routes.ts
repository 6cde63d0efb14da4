import { ApiError } from '@kontor/contract';
import type { Collection } from '../../query/page.ts';
import type { Pool } from '../../db/connect.ts';
import { readDocument } from '../../db/find-in-scope.ts';
import { type Files, openDownload } from '../../files/download.ts';
import type { AnswerOf, CallOf, Handlers } from '../../http/handlers.ts';
import { ok } from '../../http/route.ts';
import type { Writes } from '../../write/writes.ts';
import { decideOrder } from './transitions.ts';
import { orderNotFound } from './rules.ts';
import * as store from './store.ts';

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
    async getOrder(call) {
      const { scope, tenant, parameters } = call;
      const wanted = { table: 'employee_order', scope, tenant, id: parameters.id };
      return ok((await readDocument(reads, wanted)) ?? orderNotFound(call));
    },
    decideOrder: async call => ok(await decideOrder(parts, call, 'api_key')),
    downloadOrderAttachment: call => downloadAttachment(parts, call),
  };
}

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

/** One answer whether it is the order or the attachment that is not there. */
function attachmentNotFound(): never {
  throw new ApiError('NOT_FOUND', 'No such attachment of an order is visible to the key');
}
