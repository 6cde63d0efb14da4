import { type Fragment, allOf, empty, join, plain, raw, sql } from '../db/sql.ts';
import { type CollectionTable, type Position, resolveField, type Sort } from './check.ts';
import { countOf, numbersOfTable, numbersTable, rowsOfUnits, unionOf } from './count.ts';
import { sqlTypes } from './literals.ts';
import type { AccessPath, Counting, Numbers } from './path.ts';
import { counterOf, isWhole, predicate, rangePredicate, type Selection } from './selection.ts';

export interface Window {
  readonly order: Order;
  readonly path: AccessPath;
  /** The order has an index over the range of the scope. */
  readonly rangeIndexed: boolean;
  readonly limit: number;
  readonly start: Start;
}

/** Reading starts behind a position, or behind a number of rows. */
export type Start = { readonly after: Position } | { readonly offset: bigint };

/** How to find the total: not at all, or by counting. */
export type Total = 'none' | Counting;

/**
 * Reads one page in one snapshot, as one row: clock, total, numbers of the list, documents joined by commas, their count, sort value and
 * identifier of the last one. Total and numbers are null if `wanted` is 'none'. A list of a whole organization or tenant has a total but no
 * numbers: they would equal the total.
 */
export function pageStatement(selection: Selection, window: Window, wanted: Total): Fragment {
  const { order, path, start } = window;
  const tables = path === 'matched' ? [matchesTable(selection, window)] : [];
  const isNumbered = wanted !== 'none' && !isWhole(selection);
  if (isNumbered) tables.push(numbersTable(selection));
  let total = totalOf(selection, path, wanted);
  let isWithin: Fragment | null = null;
  if (wanted !== 'none' && 'offset' in start && start.offset > 0n) {
    // A page past the end is not read.
    tables.push(sql`counted AS MATERIALIZED (SELECT ${total} AS n)`);
    total = sql`(SELECT n FROM counted)`;
    isWithin = sql`${total} > ${raw(String(start.offset))}`;
  }
  const page = documentsOf(order, pageRows(selection, window, isWithin));
  return sql`${tables.length === 0 ? empty : sql`WITH ${join(tables, ',\n')}\n`}SELECT o.clock::text, ${total}::text, ${isNumbered ? numbersOfTable : sql`NULL, NULL, NULL`}, p.*
FROM organization o, ${isNumbered ? sql`numbers n, ` : empty}(${page}) AS p
WHERE o.id = ${selection.scope.organizationId}`;
}

function totalOf(selection: Selection, path: AccessPath, wanted: Total): Fragment {
  if (wanted === 'none') return sql`NULL`;
  if (isWhole(selection)) return sql`(${counterOf(selection, selection.access.tenant ?? '')})`;
  if (selection.filter === null) return sql`(SELECT visible FROM numbers)`;
  return path === 'matched' ? sql`(SELECT count(*) FROM matches)` : countOf(selection, wanted);
}

/** The documents of rows of (id, sort_key, doc), their count, and sort value and identifier of the last one. */
export function documentsOf(order: Order, rows: Fragment): Fragment {
  return sql`
  SELECT string_agg(doc, ','), count(*), ${lastOf(order.keyText)}, ${lastOf(sql`id`)} FROM (${rows}) AS r
`;
}

function lastOf(expression: Fragment | null): Fragment {
  return expression === null ? sql`NULL` : sql`(array_agg(${expression}))[count(*)]`;
}

/** `matches`: identifier and sort value of all selected rows. */
function matchesTable(selection: Selection, { order }: Window): Fragment {
  const key = order.column === null ? empty : sql`, ${order.column}`;
  return sql`matches AS MATERIALIZED (SELECT id${key} FROM ${raw(selection.table.table)} WHERE ${predicate(selection, true)})`;
}

/** The rows of the page, as (id, sort_key, doc) in order. */
function pageRows(selection: Selection, window: Window, isWithin: Fragment | null): Fragment {
  const { path, start, rangeIndexed } = window;
  const fromStart = 'after' in start || start.offset === 0n;
  if (path === 'ordered' && rangeIndexed && fromStart)
    return orderedRows(selection, window, sql`, doc`, isWithin);
  const keys = {
    ordered: () => orderedRows(selection, window, empty, isWithin),
    merged: () => mergedKeys(selection, window, isWithin),
    matched: () => matchedKeys(window, isWithin),
  }[path]();
  const { table, scope } = selection;
  return sql`SELECT id, sort_key, (SELECT e.doc FROM ${raw(table.table)} e WHERE e.organization_id = ${scope.organizationId} AND e.id = k.id) AS doc
    FROM (${keys}) AS k`;
}

/** Reads along the index of the order. */
function orderedRows(
  selection: Selection,
  window: Window,
  more: Fragment,
  isWithin: Fragment | null,
): Fragment {
  const { order, start } = window;
  // For the index range of the identifier, planning takes as long as reading.
  const selected =
    isWhole(selection) && order.column === null
      ? rangePredicate(selection.scope, selection.access.tenant)
      : predicate(selection, false);
  const select = (after: Fragment | null) => {
    const rows = sql`SELECT id, ${order.key} AS sort_key${more} FROM ${raw(selection.table.table)}${where(selected, after, isWithin)}`;
    return ordered(rows, order.clause, window);
  };
  if ('offset' in start) return select(null);
  const branches = order.after(start.after).map(select);
  if (branches.length === 1) return branches[0]!;
  return ordered(sql`SELECT * FROM (${unionOf(branches)}) AS b`, order.keyClause, window);
}

/** Takes the first rows of each tenant and division, and merges them. */
function mergedKeys(selection: Selection, window: Window, isWithin: Fragment | null): Fragment {
  const { order, start, limit } = window;
  const after = 'after' in start ? sql` AND ${anyOf(order.after(start.after))}` : empty;
  const max = raw(String(BigInt(limit) + ('offset' in start ? start.offset : 0n)));
  const first = (
    selected: Fragment,
  ) => sql`SELECT id, ${order.key} AS sort_key FROM ${raw(selection.table.table)}
    WHERE ${selected}${after} ORDER BY ${order.clause} LIMIT ${max}`;
  const rows = sql`SELECT id, sort_key FROM (${rowsOfUnits(selection, first)}) AS m${where(isWithin)}`;
  return ordered(rows, order.keyClause, window);
}

function matchedKeys(window: Window, isWithin: Fragment | null): Fragment {
  const { order, start } = window;
  const after = 'after' in start ? anyOf(order.after(start.after)) : null;
  const rows = sql`SELECT id, ${order.key} AS sort_key FROM matches${where(after, isWithin)}`;
  return ordered(rows, order.clause, window);
}

function ordered(select: Fragment, clause: Fragment, { limit, start }: Window): Fragment {
  const offset = 'offset' in start && start.offset > 0n ? ` OFFSET ${start.offset}` : '';
  return sql`${select} ORDER BY ${clause} ${raw(`LIMIT ${limit}${offset}`)}`;
}

export function where(...conditions: readonly (Fragment | null)[]): Fragment {
  const given = conditions.filter(condition => condition !== null);
  return given.length === 0 ? empty : sql` WHERE ${allOf(given)}`;
}

export function anyOf(predicates: readonly Fragment[]): Fragment {
  return sql`(${join(
    predicates.map(predicate => sql`(${predicate})`),
    ' OR ',
  )})`;
}

/**
 * The order of a list (specification.md 3.2): nulls first ascending and last descending, ties by identifier in the same direction.
 * Text sorts by code point, because its columns hold folded text in collation "C".
 */
export interface Order {
  /** The sort column; null when sorted by identifier. */
  readonly column: Fragment | null;
  /** For ORDER BY on the columns of the table. */
  readonly clause: Fragment;
  /** For ORDER BY on rows of (id, sort_key). */
  readonly keyClause: Fragment;
  readonly key: Fragment;
  /** Converts `sort_key` to the text of a {@link Position}; null when sorted by identifier. */
  readonly keyText: Fragment | null;
  /** The rows behind a position, as one or two predicates in order. Each is one range of an index. */
  after(position: Position): Fragment[];
}

export function orderOf(sort: Sort, table: CollectionTable): Order {
  const id = resolveField(table, 'id').column.name;
  const direction = sort.descending ? ' DESC' : '';
  const comparison = sort.descending ? '<' : '>';
  const later = raw(`${id} ${comparison}`);
  if (sort.field.name === 'id')
    return {
      column: null,
      clause: raw(`${id}${direction}`),
      keyClause: raw(`id${direction}`),
      key: sql`NULL::text`,
      keyText: null,
      after: position => [sql`${later} ${plain(position.id, 'text')}`],
    };
  const { field, column } = resolveField(table, sort.field.name);
  const name = raw(column.name);
  const type = sqlTypes[field.type];
  const nulls = !field.nullable ? '' : sort.descending ? ' NULLS LAST' : ' NULLS FIRST';
  return {
    column: name,
    clause: raw(`${column.name}${direction}${nulls}, ${id}${direction}`),
    keyClause: raw(`sort_key${direction}${nulls}, id${direction}`),
    key: name,
    keyText:
      type === 'timestamptz'
        ? sql`to_char(sort_key AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
        : sql`sort_key::text`,
    after(position) {
      if (position.value === null) {
        const ties = sql`${name} IS NULL AND ${later} ${plain(position.id, 'text')}`;
        return sort.descending ? [ties] : [ties, sql`${name} IS NOT NULL`];
      }
      const value = type === 'boolean' ? position.value === 'true' : position.value;
      const row = sql`${plain(value, type)}, ${plain(position.id, 'text')}`;
      const laterRow = sql`${raw(`(${column.name}, ${id}) ${comparison}`)} (${row})`;
      return sort.descending && field.nullable ? [laterRow, sql`${name} IS NULL`] : [laterRow];
    },
  };
}

/** A value as the text that the server sends. */
export type Cell = string | null;

/** The result of a page statement. */
export interface Read {
  readonly clock: string;
  /** Null when the statement did not count it. */
  readonly total: number | null;
  /** Null when the statement did not read them. */
  readonly numbers: Numbers | null;
  /** Joined by commas; empty without documents. */
  readonly documents: string;
  readonly count: number;
  readonly end: Position | null;
}

/** Decodes the row of a page. That of a total ends after its numbers. */
export function readOf([clock, total, visible, range, units, documents, count, value, id]: Cell[]): Read {
  return {
    clock: clock!,
    total: total === null ? null : Number(total),
    numbers:
      visible === null ? null : { visible: Number(visible), range: Number(range), units: Number(units) },
    documents: documents ?? '',
    count: Number(count),
    end: id ? { value: value ?? null, id } : null,
  };
}
