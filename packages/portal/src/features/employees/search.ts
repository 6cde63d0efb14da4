import {
  allOf,
  type ListSearch,
  type ListView,
  parseListSearch,
  type Question,
  questionOf,
  wordsOfPerson,
} from '../../kit/list/search.ts';

/** The state of the list of employees that the address holds. No name is in it. */
export interface EmployeesSearch extends ListSearch {
  /** Which employees are listed; undefined: all. */
  readonly state?: 'active' | 'blocked' | undefined;
}

export function parseEmployeesSearch(search: Record<string, unknown>): EmployeesSearch {
  const { state } = search;
  return {
    ...parseListSearch(search),
    state: state === 'active' || state === 'blocked' ? state : undefined,
  };
}

/** The parameters of the list, by last name. */
export function questionOfEmployees({ state, text, ...search }: ListView<EmployeesSearch>): Question {
  const ofState = state && `blocked = ${state === 'blocked'}`;
  const filter = allOf(ofState, wordsOfPerson(text), search.filter);
  return questionOf({ ...search, sort: search.sort ?? 'lastName', filter }, []);
}
