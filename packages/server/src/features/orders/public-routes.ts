import {
  decideOrder,
  downloadOrderAttachment,
  type downloadPortalOrderAttachment,
  getOrder,
  listOrders,
} from '@kontor/contract';
import type { Pool } from '../../db/connect.ts';
import type { Files } from '../../files/download.ts';
import { type CallOf, implement } from '../../http/implement.ts';
import { downloadAttachment } from '../../http/download-attachment.ts';
import { readResource } from '../../http/read-resource.ts';
import { type FileAnswer, ok, type Route } from '../../http/route.ts';
import type { Collection } from '../../query/page.ts';
import type { Writes } from '../../write/writes.ts';
import { orderResource } from './mapping.ts';
import { decideOnOrder } from './transitions.ts';

export interface Parts {
  readonly reads: Pool;
  readonly writes: Writes;
  readonly files: Files;
  readonly collection: Collection;
}

export function orderRoutes(parts: Parts): Route[] {
  const { reads, collection } = parts;
  return [
    implement(listOrders, async call => ok(await collection.page(call))),
    implement(getOrder, call => readResource(reads, orderResource, call)),
    implement(decideOrder, async call =>
      ok(await decideOnOrder(parts, call, { source: 'api_key', decisionBy: null })),
    ),
    implement(downloadOrderAttachment, call => download(parts, call)),
  ];
}

export function download(
  parts: Pick<Parts, 'reads' | 'files'>,
  call: CallOf<typeof downloadOrderAttachment | typeof downloadPortalOrderAttachment>,
): Promise<FileAnswer> {
  return downloadAttachment(parts, { table: 'employee_order', noun: 'order' }, call);
}
