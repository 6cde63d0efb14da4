import type { Filter } from '@kontor/contract';
import type { CheckedList } from './check.ts';
import type { Read } from './read.ts';

/**
 * Up to which instant of the clock of the organization a client has read that is given this page; null where that cannot be said, since
 * it does not ask for what has changed, in the order of the changes (docs/polling.md). Behind a page that is full there may be more, so it
 * has read as far as its last row; else as far as the clock was.
 */
export function readTo({ sort, filter, pageSize }: CheckedList, read: Read): string | null {
  if (sort.field.name !== 'updatedAt' || sort.descending || !isOpenEnded(filter)) return null;
  return read.count < pageSize ? read.clock : (read.end?.value ?? null);
}

/** Whether a filter bounds `updatedAt` from below only, so that nothing newer is left out by it. */
function isOpenEnded(filter: Filter | null): boolean {
  if (filter === null) return true;
  if ('terms' in filter) return filter.terms.every(isOpenEnded);
  if (filter.field !== 'updatedAt') return true;
  return filter.kind === 'comparison' && filter.operator.startsWith('>');
}
