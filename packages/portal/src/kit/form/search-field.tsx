import { useQuery } from '@tanstack/react-query';
import { resultQuery, searchQuery } from '../../api/queries.ts';
import { placeOf, type SearchKind, type SearchResult } from '../navigation/search-kinds.tsx';
import { type FieldProps, SearchedSelect } from './searched-select.tsx';

export interface SearchFieldProps extends FieldProps {
  /** The identifier. */
  readonly value: string | null;
  readonly onChange: (id: string | null) => void;
  /** The company to search in; undefined: all of the user. */
  readonly company?: string | undefined;
}

interface Props extends SearchFieldProps {
  readonly kinds: SearchKind[];
  readonly placeholder: string;
  readonly noMatch: string;
  readonly clearLabel: string;
}

/** One of these kinds, found by the search over everything. Those of one name differ by their place. */
export function SearchField({ kinds, value, onChange, company, ...field }: Props) {
  const { data } = useQuery({ ...resultQuery(value ?? '', kinds), enabled: value !== null });
  const chosen = value === null ? null : (data?.items[0] ?? unnamed(value, kinds));
  const detailOf = ({ detail, path }: SearchResult) =>
    placeOf({ detail: company === undefined ? detail : null, path });
  return (
    <SearchedSelect
      {...field}
      description={(chosen && detailOf(chosen)) || field.description}
      value={chosen}
      onChange={item => onChange(item?.id ?? null)}
      queryOf={text => searchQuery({ text, kinds }, company)}
      offersFirst
      nameOf={({ name }) => name}
      detailOf={detailOf}
    />
  );
}

/** The one of an identifier until its name is known, and one that is out of reach. */
const unnamed = (id: string, [kind]: SearchKind[]): SearchResult => ({
  kind: kind!,
  id,
  name: id,
  detail: null,
  tenant: null,
  path: [],
});
