import { Button, Skeleton } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useLingui } from '@lingui/react/macro';
import { lazyRouteComponent } from '@tanstack/react-router';
import { Suspense, useId } from 'react';
import type { ListRoute } from '../../api/lists.ts';
import { conditionsIn } from '../filter/draft.ts';
import { type FilterProblem, problemOf, readFilter } from '../filter/read.ts';
import { Icon } from '../icon.tsx';
import type { ListSearch } from './search.ts';

/** Most lists are looked at as they are, so the form is loaded when it is opened. */
const FilterPanel = lazyRouteComponent(() => import('../filter/filter-panel.tsx'), 'FilterPanel');

interface Options {
  readonly route: ListRoute;
  readonly search: ListSearch;
  readonly change: (changed: ListSearch) => void;
}

/** Whether the filter of an address can be asked for: what the parser rejects is not sent. */
export function isReadable({ filter }: ListSearch): boolean {
  return filter === undefined || 'filter' in readFilter(filter);
}

/** The filter of a list in its address: a button, the panel that it opens, and whose rejection an error of the list is. */
export function useFiltering({ route, search, change }: Options, error: unknown) {
  const { t } = useLingui();
  const panel = useId();
  const text = search.filter;
  const read = text === undefined ? null : readFilter(text);
  const problem: FilterProblem | null =
    read && 'problem' in read ? read.problem : text === undefined ? null : problemOf(error);
  const [opened, { toggle }] = useDisclosure(problem !== null);
  const count = read && 'filter' in read ? conditionsIn(read.filter) : 0;
  const isOpen = opened || problem !== null;
  return {
    problem,
    /** An error other than a filter error. */
    otherError: problem === null ? error : null,
    button: (
      <Button
        variant="default"
        leftSection={<Icon name="filter" size={16} />}
        onClick={toggle}
        aria-expanded={isOpen}
        aria-controls={panel}
      >
        {count === 0 ? t`Filter` : t`Filter (${count})`}
      </Button>
    ),
    panel: (
      <div id={panel} hidden={!isOpen}>
        {isOpen && (
          <Suspense fallback={<Skeleton height={150} radius="md" />}>
            <FilterPanel
              route={route}
              text={text}
              problem={problem}
              apply={filter => change({ filter, page: 1 })}
            />
          </Suspense>
        )}
      </div>
    ),
  };
}
