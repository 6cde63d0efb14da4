import {
  allOf,
  type ListSearch,
  type ListView,
  parseListSearch,
  type Question,
  questionOf,
} from '../../kit/list/search.ts';

/** The state of the list of incidents that the address holds. */
export interface IncidentsSearch extends ListSearch {
  /** Whether closed incidents are listed, too. */
  readonly all?: true | undefined;
  /** The incident beside the list. */
  readonly incident?: string | undefined;
}

export function parseIncidentsSearch(search: Record<string, unknown>): IncidentsSearch {
  const { all, incident } = search;
  return {
    ...parseListSearch(search),
    all: all === true || undefined,
    incident: typeof incident === 'string' ? incident : undefined,
  };
}

/** The parameters of the list: the newest first. */
export function questionOfIncidents({
  all,
  incident: _incident,
  ...search
}: ListView<IncidentsSearch>): Question {
  const filter = allOf(all ? undefined : 'status IN (draft, completed, in_progress)', search.filter);
  const fields = ['incidentNumber', 'description', 'policeReference'];
  return questionOf({ ...search, sort: search.sort ?? '-createdAt', filter }, fields);
}
