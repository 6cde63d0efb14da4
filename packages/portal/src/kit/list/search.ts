import { wordsOf } from '@kontor/contract/filter';

/** The state of a list that the address holds. */
export interface ListSearch {
  readonly page?: number | undefined;
  readonly sort?: string | undefined;
  /** An expression of the filter language. */
  readonly filter?: string | undefined;
  /** The company of the address, which the frame reads. */
  readonly company?: string | undefined;
}

/** The text that a user has typed into a list. The history of the tab has it, so that no name or email address is in an address. */
export interface TypedState {
  /** Words to search for. */
  readonly text?: string | undefined;
  /** A filter with free text in it, in the place of that of the address. */
  readonly filter?: string | undefined;
}

/** The state of a list: its address, and the typed text. */
export type ListView<Search extends ListSearch = ListSearch> = Search & Pick<TypedState, 'text'>;

export function viewOf<Search extends ListSearch>(
  search: Search,
  { text, filter = search.filter }: TypedState = {},
): ListView<Search> {
  return { ...search, filter, text };
}

/** Reads the address of a list; what it does not know is undefined, as the router keeps what is not named. */
export function parseListSearch({ page, sort, filter }: Record<string, unknown>): ListSearch {
  return {
    page: Number.isSafeInteger(page) && (page as number) > 1 ? (page as number) : undefined,
    sort: typeof sort === 'string' && /^-?[A-Za-z]+$/.test(sort) ? sort : undefined,
    filter: typeof filter === 'string' && filter !== '' ? filter : undefined,
  };
}

/** The state of a list of open items, with the item that is shown beside it. */
export type QueueSearch<Item extends string> = ListSearch & {
  /** Whether items in all states are listed. */
  readonly all?: true | undefined;
} & { readonly [name in Item]?: string | undefined };

export function parseQueueSearch<Item extends string>(
  search: Record<string, unknown>,
  item: Item,
): QueueSearch<Item> {
  const id = search[item];
  return {
    ...parseListSearch(search),
    all: search.all === true || undefined,
    [item]: typeof id === 'string' ? id : undefined,
  } as QueueSearch<Item>;
}

/** The query parameters of a list. */
export interface Question {
  readonly page: number;
  readonly pageSize: number;
  readonly sort: string;
  readonly filter?: string;
  readonly tenant?: string;
}

/** Rows on a page of a list. */
export const pageSize = 25;

/** The query parameters of a list, with a text search in these fields; `also` is another filter for what the text may mean. */
export function questionOf(
  { page = 1, sort = 'name', text, filter, company }: ListView,
  fields: readonly string[],
  also?: string,
): Question {
  const words = wordsIn(text, fields);
  const found = also === undefined ? words : [words && `(${words})`, also].filter(Boolean).join(' OR ');
  const narrowed = allOf(found || undefined, filter);
  return { page, pageSize, sort, ...(narrowed !== undefined && { filter: narrowed }), ...ofCompany(company) };
}

/** The parameter that narrows a list to a company. */
export function ofCompany(company: string | undefined): Pick<Question, 'tenant'> {
  return company === undefined ? {} : { tenant: company };
}

/** The filter that each of the words is in one of the fields, in any order; undefined for none. */
export function wordsIn(text: string | undefined, fields: readonly string[]): string | undefined {
  const inFields = (word: string) => fields.map(field => `${field} CONTAINS ${quoted(word)}`).join(' OR ');
  return allOf(...wordsOf(text ?? '').map(inFields));
}

/** The filter that each of the words is somewhere in the name, number or email of a person; undefined for none. */
export function wordsOfPerson(text: string | undefined): string | undefined {
  return wordsIn(text, ['firstName', 'lastName', 'employeeNumber', 'email']);
}

/** The query parameters for the first persons whose name, number or email has the words in it, by last name. */
export function questionOfPersons(
  { text, company }: Pick<ListView, 'text' | 'company'>,
  pageSize: number,
): Question {
  const filter = wordsOfPerson(text);
  return { page: 1, pageSize, sort: 'lastName', ...(filter && { filter }), ...ofCompany(company) };
}

/** Filters that must all hold; undefined: none. */
export function allOf(...filters: readonly (string | undefined)[]): string | undefined {
  const given = filters.filter(filter => filter !== undefined);
  return given.length < 2 ? given[0] : given.map(filter => `(${filter})`).join(' AND ');
}

/**
 * A text as a value of the filter language. A backslash at the end would hide the apostrophe that closes it, so such a text stands between
 * double quotes. A text that also contains double quotes cannot be written and loses the backslash.
 */
export function quoted(text: string): string {
  const escaped = (words: string) => words.replaceAll("'", String.raw`\'`);
  if (!text.endsWith('\\')) return `'${escaped(text)}'`;
  return text.includes('"') ? quoted(text.replace(/\\+$/, '')) : `"${escaped(text)}"`;
}
