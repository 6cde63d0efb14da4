import { Group, type MantineBreakpoint, Table, UnstyledButton } from '@mantine/core';
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
  visibleFrom,
}: Sorting & { field: string; label: string; visibleFrom?: MantineBreakpoint }) {
  const descending = sort === `-${field}`;
  const sorted = descending || sort === field;
  return (
    <Table.Th
      aria-sort={sorted ? (descending ? 'descending' : 'ascending') : 'none'}
      {...(visibleFrom && { visibleFrom })}
    >
      <UnstyledButton fz="sm" mih={24} onClick={() => sortBy(sort === field ? `-${field}` : field)}>
        <Group gap={4} wrap="nowrap">
          {label}
          <Icon name={sorted ? (descending ? 'down' : 'up') : 'sort'} size={14} />
        </Group>
      </UnstyledButton>
    </Table.Th>
  );
}
