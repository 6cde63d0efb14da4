import type { Cell } from '../db/list-statement.ts';
import type { CheckedList } from './check.ts';
import type { Position } from './order.ts';
import type { Numbers } from './path.ts';
import type { Filter } from '@kontor/contract';

export interface Read {
  readonly clock: string;
  /** Null when the statement did not count it. */
  readonly total: number | null;
  /** Null when the statement did not read them. */
  readonly numbers: Numbers | null;
  readonly documents: string | null;
  readonly count: number;
  readonly end: Position | null;
}

/** Decodes the row of a page or probe statement. */
export function readOf([clock, total, visible, range, units, documents, count, value, id]: Cell[]): Read {
  return {
    clock: clock!,
    total: total ? Number(total) : null,
    numbers: numbersOf([visible!, range!, units!]),
    documents: documents ?? null,
    count: Number(count),
    end: positionOf(value, id),
  };
}

function positionOf(value?: Cell, id?: Cell): Position | null {
  return id ? { value: value ?? null, id } : null;
}

/** Decodes the rows of a lookup statement and cuts the page out of the whole list. */
export function readOfLookup(rows: readonly Cell[][], offset: bigint, limit: number): Read {
  const before = Number(offset);
  const [clock] = rows[0]!;
  const found = rows.filter(([, document]) => document);
  const page = found.slice(before, before + limit);
  const [, , value, id] = page.at(-1) ?? [];
  return {
    clock: clock!,
    total: found.length,
    numbers: null,
    documents: page.length === 0 ? null : page.map(([, document]) => document).join(','),
    count: page.length,
    end: positionOf(value, id),
  };
}

/** Decodes the three number columns of a list; null when they are null. */
export function numbersOf(cells: readonly Cell[]): Numbers | null {
  if (cells[0] === null) return null;
  const [visible, range, units] = cells.map(Number) as [number, number, number];
  return { visible, range, units };
}

/** The body of a list (specification.md 3.1). */
export function bodyOf(
  { page, pageSize }: CheckedList,
  total: number,
  pages: number,
  documents: string | null,
): string {
  return `{"page":${page},"pageSize":${pageSize},"totalPages":${pages},"totalElements":${total},"items":[${documents ?? ''}]}`;
}

/**
 * The instant of the organization clock up to which the client has read all changes, after this page.
 * Null unless the list is a poll: ordered by `updatedAt` with no upper bound on it (docs/polling.md).
 * More rows may follow a full page, so there the instant is that of the last row; otherwise it is the clock.
 */
export function readTo({ sort, filter, pageSize }: CheckedList, read: Read): string | null {
  if (sort.field.name !== 'updatedAt' || sort.descending || !isOpenEnded(filter)) return null;
  return read.count < pageSize ? read.clock : (read.end?.value ?? null);
}

/** Whether a filter bounds `updatedAt` from below only, so that it excludes nothing newer. */
function isOpenEnded(filter: Filter | null): boolean {
  if (filter === null) return true;
  if ('terms' in filter) return filter.terms.every(isOpenEnded);
  if (filter.field !== 'updatedAt') return true;
  return filter.kind === 'comparison' && filter.operator.startsWith('>');
}
