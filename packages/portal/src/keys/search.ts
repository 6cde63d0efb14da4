/** What the address of the list of keys says of it. */
export interface ListSearch {
  readonly page?: number | undefined;
  readonly sort?: string | undefined;
  readonly text?: string | undefined;
  readonly show?: Show | undefined;
}

/** Sets of keys that the list shows; what is not named shows all that are not deleted. */
export const shows = [
  'active',
  'inactive',
  'expired',
  'deleted',
  'silent',
  'unused',
  'endless',
  'ending',
] as const;
export type Show = (typeof shows)[number];

/** Reads the address of the list; what it does not know is undefined, as the router keeps what is not named. */
export function parseListSearch(search: Record<string, unknown>): ListSearch {
  const { page, sort, text, show } = search;
  const says = (typeof text === 'string' || typeof text === 'number') && text !== '';
  return {
    page: Number.isSafeInteger(page) && (page as number) > 1 ? (page as number) : undefined,
    sort: typeof sort === 'string' && /^-?[A-Za-z]+$/.test(sort) ? sort : undefined,
    text: says ? String(text) : undefined,
    show: shows.find(known => known === show),
  };
}

const day = 86_400_000;

/** The filter of the API for the list of keys (specification.md 3.3); `now` in milliseconds, cut to the hour so that it is asked once. */
export function filterOf({ text, show }: ListSearch, now: number): string {
  const hour = now - (now % 3_600_000);
  const at = (days: number) => new Date(hour + days * day).toISOString();
  const sets: Record<Show, string> = {
    active: "status = 'active'",
    inactive: "status = 'inactive'",
    expired: "status = 'expired'",
    deleted: "status = 'deleted'",
    silent: 'silentSince IS NOT NULL',
    unused: `status = 'active' AND createdAt < ${at(-90)} AND (lastUsedAt IS NULL OR lastUsedAt < ${at(-90)})`,
    endless: "status = 'active' AND expiresAt IS NULL",
    ending: `status = 'active' AND expiresAt < ${at(30)}`,
  };
  const set = show ? sets[show] : "status != 'deleted'";
  return text ? `${set} AND (name CONTAINS ${quoted(text)} OR id CONTAINS ${quoted(text)})` : set;
}

/**
 * A text as a value of the filter language. A backslash at the end would hide the apostrophe that closes it, so such a text stands between
 * double quotes; one with double quotes in it, too, cannot be said and loses the backslash.
 */
export function quoted(text: string): string {
  const escaped = (words: string) => words.replaceAll("'", String.raw`\'`);
  if (!text.endsWith('\\')) return `'${escaped(text)}'`;
  return text.includes('"') ? quoted(text.replace(/\\+$/, '')) : `"${escaped(text)}"`;
}
