import { ApiError } from '@kontor/contract';
import type { Pool } from '../../db/connect.ts';
import { type Files, openDownload } from '../../files/download.ts';
import type { CallOf, Handlers } from '../../http/handlers.ts';
import { credentialOf, readResource } from '../../http/read-resource.ts';
import { type FileAnswer, ok } from '../../http/route.ts';
import type { Collection } from '../../query/page.ts';
import type { Writes } from '../../write/writes.ts';
import { orderResource } from './mapping.ts';
import { findAttachment } from './store.ts';
import { decideOrder } from './transitions.ts';

export interface Parts {
  readonly reads: Pool;
  readonly writes: Writes;
  readonly files: Files;
  readonly collection: Collection;
}

export function orderHandlers(parts: Parts): Handlers<'Orders'> {
  const { reads, collection } = parts;
  return {
    listOrders: async call => ok(await collection.page(call)),
    getOrder: call => readResource(reads, orderResource, call),
    decideOrder: async call => ok(await decideOrder(parts, call, { source: 'api_key', decisionBy: null })),
    downloadOrderAttachment: call => downloadOrderAttachment(parts, call),
  };
}

/** An unknown order and an unknown attachment get the same response. @throws ApiError NOT_FOUND */
export async function downloadOrderAttachment(
  { reads, files }: Pick<Parts, 'reads' | 'files'>,
  call: CallOf<'downloadOrderAttachment' | 'downloadPortalOrderAttachment'>,
): Promise<FileAnswer> {
  const { scope, tenant, parameters } = call;
  const found = await findAttachment(reads, scope, tenant, parameters);
  const attachment = found?.order.attachments.find(({ id }) => id === parameters.attachmentId);
  if (!attachment) {
    const caller = credentialOf(call.caller);
    throw new ApiError('NOT_FOUND', `No such attachment of an order is visible to the ${caller}`);
  }
  const { id, fileName, mediaType, size } = attachment;
  const file = { organizationId: scope.organizationId, id, size, sha256: found!.sha256 };
  return { status: 200, file: { stream: await openDownload(files, file), fileName, mediaType, size } };
}
