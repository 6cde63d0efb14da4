import type { ApiPromise } from '../answer.ts';
import type { Order, OrderDecision } from '../contract.ts';
import type { Download } from '../download.ts';
import type { RequestOptions, WriteOptions } from '../options.ts';
import { hasValues, type Proof } from '../outcome.ts';
import { openDownload, saveDownload, type SavedFile, type SaveOptions } from '../save.ts';
import type { Transport } from '../transport.ts';
import { Collection } from './collection.ts';

/** The orders of employees. */
export class Orders extends Collection<'listOrders', 'getOrder'> {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    super(transport, 'listOrders', 'getOrder');
    this.#transport = transport;
  }

  /** Approves or rejects an order under review. A lost answer is reconciled by the decision: an order has one, for ever. */
  decide(id: string, body: OrderDecision, options?: WriteOptions): ApiPromise<Order> {
    const { decision, comment = null } = body;
    const proof: Proof = {
      by: 'decision',
      read: async reads => {
        const resource = await this.get(id, reads);
        const { hrHistory } = resource;
        const isOurs = hrHistory?.source === 'api_key' && hasValues(hrHistory, { decision, comment });
        return { outcome: isOurs ? 'happened' : 'not_happened', resource };
      },
    };
    return this.#transport.json('decideOrder', { parameters: { id }, body, options, proof });
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
    if (to === undefined) return openDownload(this.#transport, 'downloadOrderAttachment', call);
    return saveDownload(this.#transport, 'downloadOrderAttachment', call, to);
  }
}
