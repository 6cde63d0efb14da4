import type { ApiPromise } from './answer.ts';
import type { ListQuery, Page } from './contract.ts';
import type { Filter } from './filter.ts';
import type { RequestOptions } from './options.ts';

/** The query of a list. `pageSize` is 1000 when all of it is read, to take few requests. */
export type ListOptions<Field extends string> = Omit<ListQuery<Field>, 'page' | 'filter'> & {
  filter?: string | Filter;
} & RequestOptions;

type ReadPage<T> = (query: { page: number; pageSize?: number }) => ApiPromise<Page<T>>;

const maxPageSize = 1000;

/** The resources of a list, one after the other. Nothing is requested before it is iterated. */
export class List<T> implements AsyncIterable<T> {
  readonly #read: ReadPage<T>;
  readonly #pageSize: number | undefined;

  constructor(pageSize: number | undefined, read: ReadPage<T>) {
    this.#read = read;
    this.#pageSize = pageSize;
  }

  /** One page, counted from 1, with the totals of the list. */
  page(page = 1): ApiPromise<Page<T>> {
    return this.#read({ page, ...(this.#pageSize !== undefined && { pageSize: this.#pageSize }) });
  }

  /** All pages, of 1000 resources unless `pageSize` says otherwise. */
  async *pages(): AsyncGenerator<Page<T>, void, undefined> {
    const pageSize = this.#pageSize ?? maxPageSize;
    for (let page = 1; ; page++) {
      const read = await this.#read({ page, pageSize });
      if (read.items.length > 0) yield read;
      if (read.items.length < pageSize || page >= read.totalPages) return;
    }
  }

  /** The first resource; undefined when there is none. */
  async first(): Promise<T | undefined> {
    return (await this.#read({ page: 1, pageSize: 1 })).items[0];
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T, void, undefined> {
    for await (const { items } of this.pages()) yield* items;
  }
}

/** The query of a list and the options of its requests, which callers give together. */
export function splitListOptions<Field extends string>(
  options: ListOptions<Field>,
): { query: Omit<ListQuery<Field>, 'page'>; options: RequestOptions } {
  const { sort, filter, createdAtFrom, createdAtTo, pageSize: _pageSize, ...rest } = options;
  const query = {
    ...(sort !== undefined && { sort }),
    ...(filter !== undefined && { filter: String(filter) }),
    ...(createdAtFrom !== undefined && { createdAtFrom }),
    ...(createdAtTo !== undefined && { createdAtTo }),
  };
  return { query, options: rest };
}
