import { allOf, type ListView, type Question, questionOf, type QueueSearch } from '../../kit/list/search.ts';

/** The state of the list of incidents that the address holds. */
export type IncidentsSearch = QueueSearch<'incident'>;

/** The parameters of the list: the newest first. */
export function questionOfIncidents(
  { all, incident: _incident, ...search }: ListView<IncidentsSearch>,
  ofPersons?: string,
): Question {
  const filter = allOf(all ? undefined : 'status IN (draft, completed, in_progress)', search.filter);
  const fields = ['incidentNumber', 'description', 'policeReference'];
  return questionOf({ ...search, sort: search.sort ?? '-createdAt', filter }, fields, ofPersons);
}
