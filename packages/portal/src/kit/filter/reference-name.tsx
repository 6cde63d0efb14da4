import { useQuery } from '@tanstack/react-query';
import type { ListField } from '../../api/lists.ts';
import { divisionQuery, employeesByIdQuery, useTenantNames } from '../../api/queries.ts';
import { nameOfPerson } from '../person.ts';

interface Props {
  readonly kind: NonNullable<ListField['refersTo']>;
  readonly id: string;
}

/** The name of what an identifier refers to; the identifier until it is known, and where it is out of reach. */
export function ReferenceName({ kind, id }: Props) {
  if (kind === 'company') return <CompanyName id={id} />;
  return kind === 'division' ? <DivisionName id={id} /> : <PersonName id={id} />;
}

function CompanyName({ id }: { id: string }) {
  return useTenantNames()(id) ?? id;
}

function DivisionName({ id }: { id: string }) {
  const { data } = useQuery(divisionQuery(id));
  return data?.items[0]?.name ?? id;
}

function PersonName({ id }: { id: string }) {
  const { data } = useQuery(employeesByIdQuery([id]));
  const person = data?.items.find(one => one.id === id);
  return (person && nameOfPerson(person)) || id;
}
