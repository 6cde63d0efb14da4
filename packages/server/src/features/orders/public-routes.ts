import type { Pool } from '../../db/connect.ts';
import type { Files } from '../../files/download.ts';
import { downloadAttachment } from '../../http/download-attachment.ts';
import type { CallOf, Handlers } from '../../http/handlers.ts';
import { readResource } from '../../http/read-resource.ts';
import { type FileAnswer, ok } from '../../http/route.ts';
import type { Collection } from '../../query/page.ts';
import type { Writes } from '../../write/writes.ts';
import { orderResource } from './mapping.ts';
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

export function downloadOrderAttachment(
  parts: Pick<Parts, 'reads' | 'files'>,
  call: CallOf<'downloadOrderAttachment' | 'downloadPortalOrderAttachment'>,
): Promise<FileAnswer> {
  return downloadAttachment(parts, { table: 'employee_order', noun: 'order' }, call);
}
