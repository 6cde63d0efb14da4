import { type Bytes, type Chunk, textOf } from '../db/list-statement.ts';
import type { CheckedList } from './check.ts';
import type { Position } from './order.ts';
import type { Numbers } from './path.ts';
import type { Filter } from '@kontor/contract';

/** A page as read. */
export interface Read {
  readonly clock: string;
  /** Null where the statement did not find it. */
  readonly total: number | null;
  /** Null where the statement did not read them. */
  readonly numbers: Numbers | null;
  readonly documents: Bytes | null;
  readonly count: number;
  readonly end: Position | null;
}

type Cell = Bytes | null;

/** Decodes the row of a page or probe statement. */
export function readOf([clock, total, visible, range, units, documents, count, value, id]: Cell[]): Read {
  return {
    clock: textOf(clock!),
    total: total ? Number(textOf(total)) : null,
    numbers: numbersOf([visible!, range!, units!]),
    documents: documents ?? null,
    count: Number(count && textOf(count)),
    end: positionOf(value, id),
  };
}

/** The end of a page: sort value and identifier of its last row; null for an empty page. */
function positionOf(value?: Cell, id?: Cell): Position | null {
  return id ? { value: value ? textOf(value) : null, id: textOf(id) } : null;
}

/** Decodes the rows of a lookup statement: the whole list, from which the page is cut. */
export function readOfLookup(rows: readonly Cell[][], offset: bigint, limit: number): Read {
  const before = Number(offset);
  const [clock] = rows[0]!;
  const found = rows.filter(([, document]) => document);
  const page = found.slice(before, before + limit);
  const [, , value, id] = page.at(-1) ?? [];
  return {
    clock: textOf(clock!),
    total: found.length,
    numbers: null,
    documents: joined(page.map(([, document]) => document!)),
    count: page.length,
    end: positionOf(value, id),
  };
}

function joined(documents: readonly Bytes[]): Bytes | null {
  if (documents.length <= 1) return documents[0] ?? null;
  return Buffer.concat(
    documents.flatMap((document, index) => (index === 0 ? [document] : [comma, document])),
  );
}

const comma = Buffer.from(',');

/** The numbers of a list from their three columns; null where these are. */
export function numbersOf(cells: readonly Cell[]): Numbers | null {
  if (cells[0] === null) return null;
  const [visible, range, units] = cells.map(cell => Number(cell && textOf(cell))) as [number, number, number];
  return { visible, range, units };
}

/** The body of a list (specification.md 3.1), in pieces. */
export function bodyOf(
  { page, pageSize }: CheckedList,
  total: number,
  pages: number,
  documents: Bytes | null,
): readonly Chunk[] {
  const head = `{"page":${page},"pageSize":${pageSize},"totalPages":${pages},"totalElements":${total},"items":[`;
  return documents ? [head, documents, ']}'] : [`${head}]}`];
}

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
