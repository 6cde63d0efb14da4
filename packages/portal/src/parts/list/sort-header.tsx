import { Icon } from '../icon.tsx';

/** The order of a list, and what changes it. */
export interface Sorting {
  /** A field, with a leading `-` for descending. */
  readonly sort: string;
  readonly sortBy: (sort: string) => void;
}

/** The head of a column that the service sorts by. */
export function SortHeader({
  field,
  label,
  sort,
  sortBy,
  className,
}: Sorting & { field: string; label: string; className?: string | undefined }) {
  const descending = sort === `-${field}`;
  const sorted = descending || sort === field;
  return (
    <th aria-sort={sorted ? (descending ? 'descending' : 'ascending') : 'none'} className={className}>
      <button type="button" onClick={() => sortBy(sort === field ? `-${field}` : field)}>
        {label}
        <Icon name={sorted ? (descending ? 'down' : 'up') : 'sort'} size={14} />
      </button>
    </th>
  );
}
