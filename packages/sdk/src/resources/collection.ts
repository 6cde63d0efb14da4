import type { ApiPromise } from '../answer.ts';
import { Changes, type ChangesOptions } from '../changes.ts';
import type { Operations, Page } from '../contract.ts';
import { List, type ListOptions, type PageSource, splitListOptions } from '../list.ts';
import { checkOptions, type RequestOptions } from '../options.ts';
import type { Call, Fields, OperationId, Transport } from '../transport/transport.ts';

type ListId = Extract<OperationId, `list${string}`>;
type GetId = Exclude<Extract<OperationId, `get${string}`>, 'getHealth'>;
type Item<Id extends GetId> = Operations[Id]['result'];

/** Reads the resources of one type. */
export class Collection<L extends ListId, G extends GetId> {
  protected readonly transport: Transport;
  readonly #listId: L;
  readonly #getId: G;

  constructor(transport: Transport, listId: L, getId: G) {
    this.transport = transport;
    this.#listId = listId;
    this.#getId = getId;
  }

  /** The resources that match a query. Iterate over them, or read `page()`, `pages()` or `first()`. Default: all, by `id`. */
  list(given: ListOptions<Fields<L>> = {}): List<Item<G>> {
    const { query, options } = splitListOptions(given);
    return new List<Item<G>>(given, this.#sourceOf(query, options));
  }

  /** The resources that have changed since a checkpoint. Default: all, from the start. */
  changes(given: ChangesOptions = {}): Changes<Item<G>> {
    checkOptions(given, 'changes()');
    const { since: _since, pageSize: _pageSize, ...options } = given;
    return new Changes<Item<G>>(given, this.#sourceOf({}, options));
  }

  /** One resource. A missing one, or one out of the scope of the key, is a `NotFoundError`. */
  get(id: string, options?: RequestOptions): ApiPromise<Item<G>> {
    return this.transport.json(this.#getId, { parameters: { id }, options });
  }

  #sourceOf(query: object, options: RequestOptions): PageSource<Item<G>, object> {
    return {
      read: page => this.#readPage({ ...query, ...page }, options),
      unexpected: (answer, reason) => this.transport.unexpected(answer, reason),
    };
  }

  #readPage(query: object, options: RequestOptions): ApiPromise<Page<Item<G>>> {
    const call = { query, options } as Call<L>;
    return this.transport.json(this.#listId, call);
  }
}
