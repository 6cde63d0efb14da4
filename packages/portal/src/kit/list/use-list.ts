import type { Filter } from '@kontor/contract/filter';
import type { QueryKey, UseQueryOptions } from '@tanstack/react-query';
import { useLocation, useNavigate } from '@tanstack/react-router';
import { useAnswer } from '../../api/answer.ts';
import { type ListRoute, lists } from '../../api/lists.ts';
import { problemOf, readFilter } from '../filter/read.ts';
import { useTypedPersons } from './persons.ts';
import { type ListSearch, type ListView, type Question, type TypedState, viewOf } from './search.ts';
import type { PageOf } from './steady.ts';

interface Options<Search, Answer, Key extends QueryKey> {
  readonly route: ListRoute;
  /** The state that the address holds. */
  readonly search: Search;
  /** The body of the request that follows from what the list shows. */
  readonly questionOf: (view: ListView<Search & ListSearch>, ofPersons?: string) => Question;
  /** Whether rows belong to persons: `questionOf` gets a filter for the rows of those that the typed text may mean. */
  readonly searchesPersons?: true;
  readonly queryOf: (question: Question) => UseQueryOptions<Answer, Error, Answer, Key>;
}

/** A list with its page, order and view in the address, and what is typed in the history of the tab. */
export function useList<Answer extends PageOf<unknown>, Search extends ListSearch, Key extends QueryKey>({
  route,
  search,
  questionOf,
  searchesPersons,
  queryOf,
}: Options<Search, Answer, Key>) {
  const navigate = useNavigate();
  const typed = useLocation({ select: ({ state }) => state.typed });
  const view = viewOf(search, typed);
  const persons = useTypedPersons(searchesPersons ? view : {});
  const question = questionOf(view, persons.filter);
  const { page: _page, sort: _sort, ...narrowing } = view;
  const read = view.filter === undefined ? null : readFilter(view.filter);
  // A filter that the parser rejects is not sent.
  const isReadable = read === null || 'filter' in read;
  const rows = useAnswer({ ...queryOf(question), enabled: isReadable && !persons.isPending });
  const answer = persons.error ? { ...rows, error: persons.error, refetch: persons.refetch } : rows;
  const show = (changed: Partial<ListSearch>, type: TypedState = {}, replace = false) =>
    void navigate({
      to: '.',
      search: before => ({ ...before, page: 1, ...changed }),
      state: ({ typed }) => ({ typed: { ...typed, ...type } }),
      replace,
    });
  return {
    route,
    question,
    answer,
    /** Changes what the address holds. */
    change: (changed: Partial<Search>) => show(changed),
    searchFor: (text: string | undefined) => show({}, { text }, true),
    applyFilter: (filter: string | undefined) =>
      filter === undefined || isImpersonal(filter, route)
        ? show({ filter }, { filter: undefined })
        : show({ filter: undefined }, { filter }),
    text: view.text,
    /** Whether the text means more persons than can be asked for. */
    areMorePersons: persons.areMore,
    /** The filter that was read; null: there is none, or it cannot be read. */
    filter: read && 'filter' in read ? read.filter : null,
    filterText: view.filter,
    /** Why the filter cannot be used; null: it can, or there is none. */
    problem: read && ('problem' in read ? read.problem : problemOf(answer.error)),
    /** How many rows there are on all pages. */
    total: answer.data?.totalElements ?? 0,
    /** Whether less than all is shown. */
    isNarrowed: Object.values(narrowing).some(value => value !== undefined),
  };
}

/** Types of which a value may be in an address: it is one of few, or says nothing about a person. */
const impersonal: ReadonlySet<string> = new Set([
  'boolean',
  'enum',
  'date',
  'date-time',
  'number',
  'decimal',
]);

/** Whether a text is an identifier of the service, or of a request. */
const isIdentifier = (text: string) =>
  /^[0-9a-f]{24}$|^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text);

/** Whether an address may hold a filter: it has identifiers, numbers, instants and enumerations only. */
function isImpersonal(filter: string, route: ListRoute): boolean {
  const read = readFilter(filter);
  const allows = (part: Filter): boolean => {
    if ('terms' in part) return part.terms.every(allows);
    const field = lists[route].find(({ name }) => name === part.field);
    if (part.kind === 'null' || (field !== undefined && impersonal.has(field.type))) return true;
    return (part.kind === 'in' ? part.values : [part.value]).every(isIdentifier);
  };
  return 'filter' in read && allows(read.filter);
}
