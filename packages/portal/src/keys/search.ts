import { isAbout } from '../parts/filter/read.ts';
import { allOf, pageSize, parseTextSearch, type TextSearch, wordsIn } from '../parts/list/search.ts';

/** The state of the key list that the address holds. */
export interface KeysSearch extends TextSearch {
  readonly show?: Show | undefined;
}

/** Sets of keys that the list shows; what is not named shows all that are not deleted. */
export const shows = [
  'active',
  'inactive',
  'expired',
  'deleted',
  'noRecentActivity',
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

/** The search text. A pasted key is reduced to its identifier, so no secret reaches the address or a log. */
export function wordsOf(text: string | undefined): string | undefined {
  return text?.replaceAll(/kontor_([0-9A-Za-z]{12})_\S*/g, '$1');
}

/** The query parameters of the key list; `now` in milliseconds. */
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
    noRecentActivity: 'noRecentActivitySince IS NOT NULL',
    unused: `status = 'active' AND createdAt < ${at(-90)} AND (lastUsedAt IS NULL OR lastUsedAt < ${at(-90)})`,
    endless: "status = 'active' AND expiresAt IS NULL",
    ending: `status = 'active' AND expiresAt < ${at(30)}`,
  };
  // An explicit choice of states may include deleted keys.
  const present = filter !== undefined && isAbout(filter, 'status') ? undefined : "status != 'deleted'";
  return allOf(show ? sets[show] : present, wordsIn(text, ['name', 'id']), filter)!;
}
