import type { Answer, ApiPromise } from './answer.ts';
import type { ListQuery, Page } from './contract.ts';
import type { Filter } from './filter.ts';
import { checkOptions, type RequestOptions } from './options.ts';

/** The query of a list, and the options of its requests. */
export type ListOptions<Field extends string> = Omit<ListQuery<Field>, 'page' | 'pageSize' | 'filter'> & {
  /** Resources in a request, at most 1000. Default: 1000 where all are read, else the default of the service. */
  pageSize?: number | undefined;
  /** A text in the language of filters, or better one of the template `filter`. Default: all resources. */
  filter?: string | Filter | undefined;
} & RequestOptions;

/** Reads pages, and makes the error for an answer that is not the page that was asked for. */
export interface PageSource<T, Query> {
  read(query: Query): ApiPromise<Page<T>>;
  unexpected(answer: Omit<Answer<unknown>, 'data'>, reason: string): Error;
}

interface PageQuery {
  readonly page: number;
  readonly pageSize?: number;
}

const maxPageSize = 1000;

/** The resources of a list, one after the other. Nothing is requested before it is iterated. */
export class List<T> implements AsyncIterable<T> {
  readonly #source: PageSource<T, PageQuery>;
  readonly #pageSize: number | undefined;
  /** Whether no change of a resource can move it in the list, or in and out of it. */
  readonly #isStable: boolean;

  constructor({ pageSize, sort = 'id', filter }: ListOptions<string>, source: PageSource<T, PageQuery>) {
    this.#source = source;
    this.#pageSize = pageSize;
    this.#isStable = filter === undefined && /^-?id$/.test(sort);
  }

  /** One page with the totals of the list. Default: the first page, 1. */
  page(page = 1): ApiPromise<Page<T>> {
    return this.#source.read({ page, ...(this.#pageSize !== undefined && { pageSize: this.#pageSize }) });
  }

  /** All pages that have resources. Default: 1000 resources on each. */
  async *pages(): AsyncGenerator<Page<T>, void, undefined> {
    const pageSize = this.#pageSize ?? maxPageSize;
    let count = 0;
    let minTotal = Infinity;
    for (let page = 1; ; page++) {
      const answer = await this.#source.read({ page, pageSize }).withResponse();
      const { items, totalPages, totalElements } = answer.data;
      // Rows that move while a list is read may leave a page short, but then nothing is behind it.
      const isTorn = items.length > 0 && count < (page - 1) * pageSize;
      count += items.length;
      minTotal = Math.min(minTotal, totalElements);
      const isLast = page >= totalPages;
      if (isTorn || (isLast && this.#isStable && count < minTotal))
        throw this.#source.unexpected(
          answer,
          `the list has ${count} of ${minTotal} elements up to page ${page}`,
        );
      if (items.length > 0) yield answer.data;
      if (isLast) return;
    }
  }

  /** The first resource; undefined when there is none. */
  async first(): Promise<T | undefined> {
    return (await this.#source.read({ page: 1, pageSize: 1 })).items[0];
  }

  /** Reads all pages. */
  async *[Symbol.asyncIterator](): AsyncGenerator<T, void, undefined> {
    for await (const { items } of this.pages()) yield* items;
  }
}

/** The query of a list and the options of its requests, which callers give together. @throws TypeError for another option */
export function splitListOptions<Field extends string>(
  options: ListOptions<Field>,
): { query: Omit<ListQuery<Field>, 'page'>; options: RequestOptions } {
  checkOptions(options, 'list()');
  const { sort, filter, createdAtFrom, createdAtTo, pageSize: _pageSize, ...rest } = options;
  const query = {
    ...(sort !== undefined && { sort }),
    ...(filter !== undefined && { filter: String(filter) }),
    ...(createdAtFrom !== undefined && { createdAtFrom }),
    ...(createdAtTo !== undefined && { createdAtTo }),
  };
  return { query, options: rest };
}
