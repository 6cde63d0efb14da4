import { isAbout } from '../parts/filter/read.ts';
import { allOf, pageSize, parseTextSearch, type TextSearch, wordsIn } from '../parts/list/search.ts';

/** What the address of the list of keys says of it. */
export interface KeysSearch extends TextSearch {
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

/** Reads the address of the list of keys. */
export function parseKeysSearch(search: Record<string, unknown>): KeysSearch {
  return {
    ...parseTextSearch(search),
    show: shows.find(known => known === search['show']),
  };
}

const day = 86_400_000;

/** What is searched for: of a whole key that somebody has put in its identifier, so that nothing secret comes into the address or into logs. */
export function wordsOf(text: string | undefined): string | undefined {
  return text?.replaceAll(/kontor_([0-9A-Za-z]{12})_\S*/g, '$1');
}

/** What is asked of the service for the list of keys; `now` in milliseconds. */
export function questionOf(search: KeysSearch, now: number) {
  const { page = 1, sort = '-createdAt' } = search;
  return { page, pageSize, sort, filter: filterOf(search, now) };
}

/** The filter of the API for the list of keys (specification.md 3.3); `now` in milliseconds, cut to the hour so that it is asked once. */
export function filterOf({ text, show, filter }: KeysSearch, now: number): string {
  const hour = now - (now % 3_600_000);
  const at = (days: number) => new Date(hour + days * day).toISOString();
  const sets: Record<Show, string> = {
    active: "status = 'active'",
    inactive: "status = 'inactive'",
    expired: "status = 'expired'",
    deleted: "status = 'deleted'",
    silent: 'noRecentActivitySince IS NOT NULL',
    unused: `status = 'active' AND createdAt < ${at(-90)} AND (lastUsedAt IS NULL OR lastUsedAt < ${at(-90)})`,
    endless: "status = 'active' AND expiresAt IS NULL",
    ending: `status = 'active' AND expiresAt < ${at(30)}`,
  };
  // Whoever says which states they want to see gets the deleted ones, too, if they ask for them.
  const present = filter !== undefined && isAbout(filter, 'status') ? undefined : "status != 'deleted'";
  return allOf(show ? sets[show] : present, wordsIn(text, ['name', 'id']), filter)!;
}
