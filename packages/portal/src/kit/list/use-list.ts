import type { QueryKey, UseQueryOptions } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useAnswer } from '../../api/answer.ts';
import type { ListRoute } from '../../api/lists.ts';
import { problemOf, readFilter } from '../filter/read.ts';
import type { Question, ListSearch } from './search.ts';
import type { PageOf } from './steady.ts';

interface Options<Search, Answer, Key extends QueryKey> {
  readonly route: ListRoute;
  /** The state that the address holds. */
  readonly search: Search;
  /** The query parameters that follow from it. */
  readonly question: Question;
  readonly query: UseQueryOptions<Answer, Error, Answer, Key>;
}

/** A list with its page, order, search and filter in the address. */
export function useList<Answer extends PageOf<unknown>, Search extends ListSearch, Key extends QueryKey>({
  route,
  search,
  question,
  query,
}: Options<Search, Answer, Key>) {
  const navigate = useNavigate();
  const { page: _page, sort: _sort, ...narrowing } = search;
  const read = search.filter === undefined ? null : readFilter(search.filter);
  // A filter that the parser rejects is not sent.
  const answer = useAnswer({ ...query, enabled: read === null || 'filter' in read });
  const change = (changed: Partial<Search>) =>
    void navigate({
      to: '.',
      search: before => ({ ...before, page: 1, ...changed }),
      replace: 'text' in changed,
    });
  return {
    route,
    question,
    answer,
    change,
    text: search.text,
    /** The filter that was read; null: there is none, or it cannot be read. */
    filter: read && 'filter' in read ? read.filter : null,
    filterText: search.filter,
    /** Why the filter cannot be used; null: it can, or there is none. */
    problem: read && ('problem' in read ? read.problem : problemOf(answer.error)),
    /** How many rows there are on all pages. */
    total: answer.data?.totalElements ?? 0,
    /** Whether the address narrows the list. */
    isNarrowed: Object.values(narrowing).some(value => value !== undefined),
  };
}
