import { filterOfSet, type Show, shows } from '../../api/key-sets.ts';
import { isAbout } from '../../kit/filter/read.ts';
import {
  allOf,
  type ListSearch,
  type ListView,
  ofCompany,
  pageSize,
  parseListSearch,
  type Question,
  wordsIn,
} from '../../kit/list/search.ts';

/** The state of the key list that the address holds; without a set it shows all that are not deleted. */
export interface KeysSearch extends ListSearch {
  readonly show?: Show | undefined;
}

/** Reads the address of the list of keys. */
export function parseKeysSearch(search: Record<string, unknown>): KeysSearch {
  return {
    ...parseListSearch(search),
    show: shows.find(known => known === search['show']),
  };
}

/** The search text. A pasted key is reduced to its identifier, so no secret reaches the address or a log. */
export function wordsOf(text: string | undefined): string | undefined {
  return text?.replaceAll(/kontor_([0-9A-Za-z]{12})_\S*/g, '$1');
}

/** The query parameters of the key list. */
export function questionOf(search: ListView<KeysSearch>): Question {
  const { page = 1, sort = 'urgency', company } = search;
  return { page, pageSize, sort, filter: filterOf(search), ...ofCompany(company) };
}

/** The filter of the API for the list of keys. */
export function filterOf({ text, show, filter }: ListView<KeysSearch>): string {
  // An explicit choice of states may include deleted keys.
  const hasStates = filter !== undefined && ['status', 'health'].some(field => isAbout(filter, field));
  const present = hasStates ? undefined : "status != 'deleted'";
  return allOf(show ? filterOfSet(show) : present, wordsIn(text, ['name', 'id']), filter)!;
}
