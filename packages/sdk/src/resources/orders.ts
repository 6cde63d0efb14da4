import type { ApiPromise } from '../answer.ts';
import type { Order, OrderDecision } from '../contract.ts';
import type { Download } from '../download.ts';
import type { CreateOptions, RequestOptions } from '../options.ts';
import { openDownload, saveDownload, type SavedFile, type SaveOptions } from '../save.ts';
import type { Transport } from '../transport/transport.ts';
import { Collection } from './collection.ts';

/** The orders of employees. */
export class Orders extends Collection<'listOrders', 'getOrder'> {
  constructor(transport: Transport) {
    super(transport, 'listOrders', 'getOrder');
  }

  /** Approves or rejects an order under review. A lost answer is asked for again: the order is decided once. */
  decide(id: string, body: OrderDecision, options?: CreateOptions): ApiPromise<Order> {
    return this.transport.json('decideOrder', { parameters: { id }, body, options });
  }

  /** Downloads a document of an order into a file. */
  downloadAttachment(id: string, attachmentId: string, options: SaveOptions): Promise<SavedFile>;
  /** Downloads a document of an order as a stream. */
  downloadAttachment(id: string, attachmentId: string, options?: RequestOptions): ApiPromise<Download>;
  downloadAttachment(
    id: string,
    attachmentId: string,
    { to, ...options }: Partial<SaveOptions> = {},
  ): Promise<SavedFile> | ApiPromise<Download> {
    const call = { parameters: { id, attachmentId }, options };
    if (to === undefined) return openDownload(this.transport, 'downloadOrderAttachment', call);
    return saveDownload(this.transport, 'downloadOrderAttachment', call, to);
  }
}
