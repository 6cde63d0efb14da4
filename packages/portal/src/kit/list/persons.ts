import { useQuery } from '@tanstack/react-query';
import type { AnswerOf } from '../../api/ask.ts';
import { employeesByIdQuery, employeesQuery } from '../../api/queries.ts';
import { type ListView, questionOfPersons } from './search.ts';

export type Person = AnswerOf<'POST /employees/search'>['items'][number];

interface OfPerson {
  readonly employeeId: string;
}

/** The persons of rows, as far as they are known. */
export function usePersonsOf(rows: readonly OfPerson[]): (row: OfPerson) => Person | undefined {
  const ids = [...new Set(rows.map(({ employeeId }) => employeeId))];
  const { data } = useQuery({ ...employeesByIdQuery(ids), enabled: ids.length > 0 });
  return ({ employeeId }) => data?.items.find(person => person.id === employeeId);
}

/** Persons that a text may mean: a filter takes 500 identifiers, and a name of which more have it is too short to be of use. */
export const typedPersonsMaximum = 200;

/** The persons whose name, number or email has the typed text in it. Their rows have it nowhere, so they are found by identifiers. */
export function useTypedPersons(view: Pick<ListView, 'text' | 'company'>) {
  const question = questionOfPersons(view, typedPersonsMaximum);
  const isTyped = question.filter !== undefined;
  const { data, error, isPlaceholderData, refetch } = useQuery({
    ...employeesQuery(question),
    enabled: isTyped,
  });
  const found = isTyped && !isPlaceholderData ? data : undefined;
  return {
    /** The filter for their rows; undefined: there are none. */
    filter: found?.items.length ? `employeeId IN (${found.items.map(({ id }) => id).join(', ')})` : undefined,
    isPending: isTyped && found === undefined,
    error: isTyped ? error : null,
    refetch,
    /** Whether more match than are asked for. */
    areMore: (found?.totalElements ?? 0) > typedPersonsMaximum,
  };
}
