import type { ApiPromise } from '../answer.ts';
import { Changes, type ChangesOptions } from '../changes.ts';
import type { Order, OrderDecision } from '../contract.ts';
import type { Download } from '../download.ts';
import { List, type ListOptions, splitListOptions } from '../list.ts';
import type { RequestOptions, WriteOptions } from '../options.ts';
import { hasValues, type Proof } from '../outcome.ts';
import { openDownload, saveDownload, type SavedFile, type SaveOptions } from '../save.ts';
import type { Fields, Transport } from '../transport.ts';

export class Orders {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  list(given: ListOptions<Fields<'listOrders'>> = {}): List<Order> {
    const { query, options } = splitListOptions(given);
    return new List(given.pageSize, page =>
      this.#transport.json('listOrders', { query: { ...query, ...page }, options }),
    );
  }

  /** All orders that have changed since a checkpoint. */
  changes({ since, pageSize, ...options }: ChangesOptions = {}): Changes<Order> {
    return new Changes(since, pageSize, query => this.#transport.json('listOrders', { query, options }));
  }

  get(id: string, options?: RequestOptions): ApiPromise<Order> {
    return this.#transport.json('getOrder', { parameters: { id }, options });
  }

  /** Approves or rejects an order under review. A lost answer is reconciled by the decision: an order has one, for ever. */
  decide(id: string, body: OrderDecision, options?: WriteOptions): ApiPromise<Order> {
    const { decision, comment = null } = body;
    const proof: Proof = {
      by: 'decision',
      read: async signal => {
        const { hrHistory } = await this.get(id, { ...options, signal });
        const isOurs = hrHistory?.source === 'api_key' && hasValues(hrHistory, { decision, comment });
        return isOurs ? 'happened' : 'not_happened';
      },
    };
    return this.#transport.json('decideOrder', { parameters: { id }, body, options, proof });
  }

  /** Downloads a document of an order, into a file or as a stream. */
  downloadAttachment(id: string, attachmentId: string, options: SaveOptions): Promise<SavedFile>;
  downloadAttachment(id: string, attachmentId: string, options?: RequestOptions): ApiPromise<Download>;
  downloadAttachment(
    id: string,
    attachmentId: string,
    given: RequestOptions | SaveOptions = {},
  ): Promise<SavedFile> | ApiPromise<Download> {
    const call = { parameters: { id, attachmentId }, options: given };
    if ('to' in given) return saveDownload(this.#transport, 'downloadOrderAttachment', call, given);
    return openDownload(this.#transport, 'downloadOrderAttachment', call);
  }
}
