import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { divisionQuery, searchQuery } from '../../api/queries.ts';
import { placeOf, type SearchResult } from '../navigation/search-kinds.tsx';
import { type FieldProps, SearchedSelect } from './searched-select.tsx';

interface Props extends FieldProps {
  /** Identifier of the division. */
  readonly value: string | null;
  readonly onChange: (id: string | null) => void;
  /** The company to search in; undefined: all of the user. */
  readonly company?: string | undefined;
}

/** A division, found by name, cost centre or identifier. Those of one name differ by the divisions above them. */
export function DivisionField({ value, onChange, company, ...field }: Props) {
  const { t } = useLingui();
  const { data } = useQuery({ ...divisionQuery(value ?? ''), enabled: value !== null });
  const chosen = value === null ? null : (data?.items[0] ?? unnamed(value));
  const detailOf = ({ detail, path }: SearchResult) =>
    placeOf({ detail: company === undefined ? detail : null, path });
  return (
    <SearchedSelect
      {...field}
      description={(chosen && detailOf(chosen)) || field.description}
      value={chosen}
      onChange={division => onChange(division?.id ?? null)}
      queryOf={text => searchQuery({ text, kinds: ['division'] }, company)}
      offersFirst
      nameOf={({ name }) => name}
      detailOf={detailOf}
      placeholder={t`Name, cost centre or ID`}
      noMatch={t`No matching divisions.`}
      clearLabel={t`Remove the division`}
    />
  );
}

/** The division until its name is known, and one that is out of reach. */
const unnamed = (id: string): SearchResult => ({
  kind: 'division',
  id,
  name: id,
  detail: null,
  tenant: null,
  path: [],
});
