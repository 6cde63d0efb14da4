import { type Fragment, allOf, empty, join, raw, sql } from '../db/sql.ts';
import type { Scope } from '../auth/scope.ts';
import {
  carriedTotal,
  changesTable,
  countOf,
  type Counting,
  type KnownTotal,
  numbersOfTable,
  numbersTable,
  visibleRows,
  rowsOfUnits,
  unionOf,
} from './count.ts';
import type { Order, Position } from './order.ts';
import type { AccessPath } from './path.ts';
import { predicate, rangePredicate, type Selection } from './selection.ts';

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

/** How to find the total: not at all, by counting, or by carrying a known one. */
export type Total = 'none' | Counting | KnownTotal;

/**
 * Reads one page in one snapshot, as one row: clock, total, numbers of the list, documents joined by commas, their count, sort value and
 * identifier of the last one. Total and numbers are null if `wanted` is 'none'. If the total cannot be carried, it is null and the page is
 * not read. A list of a whole organization or tenant has a total but no numbers: they would equal the total.
 */
export function pageStatement(selection: Selection, window: Window, wanted: Total): Fragment {
  const { tables, total, numbered } = totalOf(selection, window, wanted);
  const gate = gateOf(window, wanted);
  if (window.path === 'matched') tables.unshift(matchesTable(selection, window));
  if (gate) tables.push(sql`counted AS MATERIALIZED (SELECT ${total} AS n)`);
  const numbers = numbered ? numbersOfTable : sql`NULL, NULL, NULL`;
  return sql`${tables.length === 0 ? empty : sql`WITH ${join(tables, ',\n')}\n`}SELECT o.clock::text, ${gate ? sql`(SELECT n FROM counted)` : total}::text, ${numbers}, p.*
FROM organization o, ${numbered ? sql`numbers n, ` : empty}(${documentsOf(window.order, pageRows(selection, window, gate))}) AS p
WHERE o.id = ${selection.scope.organizationId}`;
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

/** The condition for reading the page. A page past the end is not read, nor one without a total, which will be read again. */
function gateOf({ start }: Window, wanted: Total): Fragment | null {
  if (wanted === 'none') return null;
  if ('offset' in start && start.offset > 0n) return raw(`(SELECT n FROM counted) > ${start.offset}`);
  return typeof wanted === 'string' ? null : sql`(SELECT n FROM counted) IS NOT NULL`;
}

/** The expression of the total and the tables that it needs. `numbered` means that the tables include `numbers`. */
function totalOf(
  selection: Selection,
  { path }: Window,
  wanted: Total,
): { tables: Fragment[]; total: Fragment; numbered: boolean } {
  if (wanted === 'none') return { tables: [], total: sql`NULL`, numbered: false };
  const { filter, shape } = selection;
  if (filter === null && shape.open)
    return { tables: [], total: sql`(${visibleRows(selection)})`, numbered: false };
  const tables = [numbersTable(selection)];
  if (filter === null) return { tables, total: sql`(SELECT visible FROM numbers)`, numbered: true };
  if (path === 'matched') return { tables, total: sql`(SELECT count(*) FROM matches)`, numbered: true };
  if (typeof wanted === 'string') return { tables, total: countOf(selection, wanted), numbered: true };
  tables.push(changesTable(selection, wanted));
  return { tables, total: carriedTotal(wanted), numbered: true };
}

/** Whether the list is all rows of an organization or a tenant by identifier. For this index range, planning takes as long as reading. */
function isRangeById({ filter, shape }: Selection, { order }: Window): boolean {
  return filter === null && shape.open && order.column === null;
}

/** Reads only the clock, for a page that is known to be past the end. */
export function clockStatement({ organizationId }: Scope): Fragment {
  return sql`SELECT o.clock::text FROM organization o WHERE o.id = ${organizationId}`;
}

/** `matches`: identifier and sort value of all selected rows. */
function matchesTable(selection: Selection, { order }: Window): Fragment {
  const key = order.column === null ? empty : sql`, ${order.column}`;
  return sql`matches AS MATERIALIZED (SELECT id${key} FROM ${raw(selection.table.table)} WHERE ${predicate(selection, true)})`;
}

/** The rows of the page, as (id, sort_key, doc) in order. */
function pageRows(selection: Selection, window: Window, inRange: Fragment | null): Fragment {
  const { path, start, rangeIndexed } = window;
  const fromStart = 'after' in start || start.offset === 0n;
  if (path === 'ordered' && rangeIndexed && fromStart)
    return orderedRows(selection, window, sql`, doc`, inRange);
  const keys = {
    ordered: () => orderedRows(selection, window, empty, inRange),
    merged: () => mergedKeys(selection, window, inRange),
    matched: () => matchedKeys(window, inRange),
  }[path]();
  return withDocuments(selection, keys);
}

function withDocuments({ table, scope }: Selection, keys: Fragment): Fragment {
  return sql`SELECT id, sort_key, (SELECT e.doc FROM ${raw(table.table)} e WHERE e.organization_id = ${scope.organizationId} AND e.id = k.id) AS doc
    FROM (${keys}) AS k`;
}

function orderedRows(
  selection: Selection,
  window: Window,
  more: Fragment,
  inRange: Fragment | null,
): Fragment {
  const { order, start } = window;
  const selected = isRangeById(selection, window)
    ? rangePredicate(selection.scope, selection.shape.tenant)
    : predicate(selection, false);
  const select = (after: Fragment | null) => {
    const conditions = [selected, after, inRange].filter(condition => condition !== null);
    const rows = sql`SELECT id, ${order.key} AS sort_key${more} FROM ${raw(selection.table.table)} WHERE ${allOf(conditions)}`;
    return ordered(rows, order.clause, window);
  };
  if ('offset' in start) return select(null);
  const branches = order.after(start.after).map(select);
  if (branches.length === 1) return branches[0]!;
  return ordered(sql`SELECT * FROM (${unionOf(branches)}) AS b`, order.keyClause, window);
}

/** Takes the first rows of each tenant and division, and merges them. */
function mergedKeys(selection: Selection, window: Window, inRange: Fragment | null): Fragment {
  const { order, start, limit } = window;
  const after = 'after' in start ? sql` AND ${anyOf(order.after(start.after))}` : empty;
  const max = raw(String(BigInt(limit) + ('offset' in start ? start.offset : 0n)));
  const first = (
    selected: Fragment,
  ) => sql`SELECT id, ${order.key} AS sort_key FROM ${raw(selection.table.table)}
    WHERE ${selected}${after} ORDER BY ${order.clause} LIMIT ${max}`;
  const rows = sql`SELECT id, sort_key FROM (${rowsOfUnits(selection, first)}) AS m${where(inRange)}`;
  return ordered(rows, order.keyClause, window);
}

function matchedKeys(window: Window, inRange: Fragment | null): Fragment {
  const { order, start } = window;
  const after = 'after' in start ? anyOf(order.after(start.after)) : null;
  return ordered(
    sql`SELECT id, ${order.key} AS sort_key FROM matches${where(after, inRange)}`,
    order.clause,
    window,
  );
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
