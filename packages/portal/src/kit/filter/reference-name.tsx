import { useQuery } from '@tanstack/react-query';
import type { ListField } from '../../api/lists.ts';
import { employeesByIdQuery, resultQuery, useTenantNames } from '../../api/queries.ts';
import type { SearchKind } from '../search/search-kinds.tsx';
import { nameOfPerson } from '../person.ts';

/** The kinds of the search over everything that have the names. */
export const kindsOf = { division: ['division'], actor: ['user', 'key'] } satisfies Record<
  string,
  SearchKind[]
>;

interface Props {
  readonly kind: NonNullable<ListField['refersTo']>;
  readonly id: string;
}

/** The name of what an identifier refers to; the identifier until it is known, and where it is out of reach. */
export function ReferenceName({ kind, id }: Props) {
  if (kind === 'company') return <CompanyName id={id} />;
  return kind === 'employee' ? <PersonName id={id} /> : <ResultName id={id} kinds={kindsOf[kind]} />;
}

function CompanyName({ id }: { id: string }) {
  return useTenantNames()(id) ?? id;
}

function ResultName({ id, kinds }: { id: string; kinds: SearchKind[] }) {
  const { data } = useQuery(resultQuery(id, kinds));
  return data?.items[0]?.name ?? id;
}

function PersonName({ id }: { id: string }) {
  const { data } = useQuery(employeesByIdQuery([id]));
  const person = data?.items.find(one => one.id === id);
  return (person && nameOfPerson(person)) || id;
}
