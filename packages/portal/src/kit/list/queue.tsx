import { SegmentedControl, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useFieldWords } from '../field-words.tsx';
import { isAbout } from '../filter/read.ts';
import { panelState } from '../navigation/panel.ts';
import { nameOfPerson } from '../person.ts';
import type { FileColumn } from './data-table.tsx';
import type { Person } from './persons.ts';
import type { QueueSearch } from './search.ts';
import table from './table.module.css';

type Item = 'order' | 'incident';

/** Whether items in all states are listed: a filter for states would contradict the open ones. */
export function showsAll({ all }: Pick<QueueSearch<Item>, 'all'>, filter: string | undefined): boolean {
  return all === true || (filter !== undefined && isAbout(filter, 'status'));
}

interface QueueFilterProps {
  readonly label: string;
  readonly open: string;
  readonly all: string;
  readonly isAll: boolean;
  readonly change: (changed: { all: true | undefined }) => void;
}

/** Chooses between the open items and all of them. */
export function QueueFilter({ label, open, all, isAll, change }: QueueFilterProps) {
  return (
    <SegmentedControl
      aria-label={label}
      value={isAll ? 'all' : 'open'}
      onChange={value => change({ all: value === 'all' || undefined })}
      data={[
        { value: 'open', label: open },
        { value: 'all', label: all },
      ]}
    />
  );
}

/** The person of an item in a file. */
export function usePersonColumns(): FileColumn[] {
  const words = useFieldWords();
  return (['lastName', 'firstName', 'employeeNumber'] as const).map(field => ({
    field: `person.${field}`,
    label: words[field],
  }));
}

/** Company and division of an item in a file. */
export function usePlaceColumns(): FileColumn[] {
  const words = useFieldWords();
  return [
    { field: 'tenantName', label: words.tenant },
    { field: 'divisionPath', label: words.divisionId },
  ];
}

interface PersonCellProps {
  readonly person: Person | undefined;
  /** The name of the item, for a person without one. */
  readonly number: string;
  readonly item: { readonly [name in Item]?: string };
}

/** The person of an item, and the link that opens it. */
export function PersonCell({ person, number, item }: PersonCellProps) {
  return (
    <>
      <Link
        to="."
        search={before => ({ ...before, ...item })}
        state={panelState}
        resetScroll={false}
        className={table.rowLink}
      >
        {(person && nameOfPerson(person)) || number}
      </Link>
      <Text size="xs" c="dimmed">
        {person?.employeeNumber ?? ''}
      </Text>
    </>
  );
}
