import { Parameters, UnplannedParameters } from '../database/parameters.ts';
import type { Scope } from '../scope.ts';
import {
  carriedOn,
  changesTable,
  countOf,
  type Counting,
  type KnownTotal,
  numbersOfTable,
  numbersTable,
  visibleRows,
} from './count.ts';
import type { Order, Position } from './order.ts';
import type { AccessPath } from './path.ts';
import {
  armPredicate,
  armsOf,
  type Built,
  predicate,
  type Scopes,
  type Selection,
  union,
} from './selected.ts';

/** Which rows of a selection, in which order. */
export interface Window {
  readonly order: Order;
  readonly path: AccessPath;
  /** The order has an index over the range of the scope. */
  readonly rangeIndexed: boolean;
  readonly limit: number;
  readonly start: Start;
}

/** Reading starts behind a position, or behind a number of rows. */
export type Start = { readonly behind: Position } | { readonly offset: bigint };

/** How the total of a page is found: not at all, counted, or carried on from a known one. */
export type Total = 'none' | Counting | KnownTotal;

/**
 * One page, as one row: the clock of the organization, the total, the numbers of the list, the documents joined by commas,
 * their number, and sort value and identifier of the last one. One statement sees one snapshot. Total and numbers are null
 * where `wanted` is none; the total is also null where it cannot be carried on, and then the page is not read. All rows of an
 * organization or a tenant have a total but no numbers, which would all be the same.
 */
export function pageStatement(selection: Selection, window: Window, wanted: Total): Built {
  const parameters = isRangeById(selection, window) ? new UnplannedParameters() : new Parameters();
  const organization = parameters.add(selection.scope.organizationId);
  const { tables, total, numbered } = totalOf(selection, window, wanted, parameters);
  const gate = gateOf(window, wanted);
  if (window.path === 'matched') tables.unshift(matchesTable(selection, window, parameters));
  if (gate) tables.push(`counted AS MATERIALIZED (SELECT ${total} AS n)`);
  const rows = pageRows(selection, window, organization, gate, parameters);
  const text = `${tables.length === 0 ? '' : `WITH ${tables.join(',\n')}\n`}SELECT o.clock::text, ${gate ? '(SELECT n FROM counted)' : total}::text, ${numbered ? numbersOfTable : 'NULL, NULL, NULL'}, p.*
FROM organization o, ${numbered ? 'numbers n, ' : ''}(
  SELECT string_agg(doc, ','), count(*), ${lastOf(window.order.keyText)}, ${lastOf('id')} FROM (${rows}) AS r
) AS p
WHERE o.id = ${organization}`;
  return { text, values: parameters.values };
}

/**
 * What the total of the same snapshot must be for the page to be looked for at all: one behind the end is not, nor one that
 * has to be read again since its total is not known.
 */
function gateOf({ start }: Window, wanted: Total): string | null {
  if (wanted === 'none') return null;
  if ('offset' in start && start.offset > 0n) return `(SELECT n FROM counted) > ${start.offset}`;
  return typeof wanted === 'string' ? null : '(SELECT n FROM counted) IS NOT NULL';
}

/** How the total reads, and the tables that it stands on; `numbered` says that the numbers are among them. */
function totalOf(
  selection: Selection,
  { path }: Window,
  wanted: Total,
  parameters: Parameters,
): { tables: string[]; total: string; numbered: boolean } {
  if (wanted === 'none') return { tables: [], total: 'NULL', numbered: false };
  const { filter, shape } = selection;
  if (filter === null && shape.open)
    return { tables: [], total: `(${visibleRows(selection, parameters)})`, numbered: false };
  const tables = [numbersTable(selection, parameters)];
  if (filter === null) return { tables, total: '(SELECT visible FROM numbers)', numbered: true };
  if (path === 'matched') return { tables, total: '(SELECT count(*) FROM matches)', numbered: true };
  if (typeof wanted === 'string')
    return { tables, total: countOf(selection, wanted, parameters), numbered: true };
  tables.push(changesTable(selection, wanted, parameters));
  return { tables, total: carriedOn(wanted, parameters), numbered: true };
}

/** All rows of an organization or a tenant by identifier, which is a range of an index. Planning takes as long as reading. */
function isRangeById({ filter, shape }: Selection, { order }: Window): boolean {
  return filter === null && shape.open && order.column === null;
}

function lastOf(expression: string | null): string {
  return expression === null ? 'NULL' : `(array_agg(${expression}))[count(*)]`;
}

/** Only the clock, for a page that is known to lie behind the end. */
export function clockStatement(scope: Scope): Built {
  return { text: 'SELECT o.clock::text FROM organization o WHERE o.id = $1', values: [scope.organizationId] };
}

/** `matches`: identifier and sort value of everything that is selected. */
function matchesTable(selection: Selection, { order }: Window, parameters: Parameters): string {
  const { table } = selection;
  const where = predicate(selection, parameters, true);
  const key = order.column === null ? '' : `, ${order.column}`;
  return `matches AS MATERIALIZED (SELECT id${key} FROM ${table.table} WHERE ${where})`;
}

/** The rows of the page, as (id, sort_key, doc) in order. */
function pageRows(
  selection: Selection,
  window: Window,
  organization: string,
  within: string | null,
  parameters: Parameters,
): string {
  const { path, start, rangeIndexed } = window;
  const fromStart = 'behind' in start || start.offset === 0n;
  if (path === 'ordered' && rangeIndexed && fromStart)
    return orderedRows(selection, window, ', doc', within, parameters);
  const keys = {
    ordered: () => orderedRows(selection, window, '', within, parameters),
    merged: () => mergedKeys(selection, window, within, parameters),
    matched: () => matchedKeys(window, within, parameters),
  }[path]();
  return `SELECT id, sort_key, (SELECT e.doc FROM ${selection.table.table} e WHERE e.organization_id = ${organization} AND e.id = k.id) AS doc
    FROM (${keys}) AS k`;
}

function orderedRows(
  selection: Selection,
  window: Window,
  more: string,
  within: string | null,
  parameters: Parameters,
): string {
  const { table } = selection;
  const { order } = window;
  const select = (behind: string | null) =>
    ordered(
      `SELECT id, ${order.key} AS sort_key${more} FROM ${table.table} WHERE ${[
        predicate(selection, parameters, false),
        behind,
        within,
      ]
        .filter(condition => condition !== null)
        .join(' AND ')}`,
      order.clause,
      window,
    );
  if ('offset' in window.start) return select(null);
  const branches = order.behind(window.start.behind, parameters).map(select);
  if (branches.length === 1) return branches[0]!;
  return ordered(`SELECT * FROM (${union(branches)}) AS b`, order.keyClause, window);
}

/** The first rows of each tenant and division, and of these the first. */
function mergedKeys(
  selection: Selection,
  window: Window,
  within: string | null,
  parameters: Parameters,
): string {
  const arms = armsOf(selection, scopes => firstOfArm(scopes, selection, window, parameters), parameters);
  const where = within === null ? '' : ` WHERE ${within}`;
  return ordered(`SELECT id, sort_key FROM (${union(arms)}) AS m${where}`, window.order.keyClause, window);
}

function firstOfArm(scopes: Scopes, selection: Selection, window: Window, parameters: Parameters): string {
  const { order, start, limit } = window;
  const behind = 'behind' in start ? ` AND (${either(order.behind(start.behind, parameters))})` : '';
  const most = BigInt(limit) + ('offset' in start ? start.offset : 0n);
  const rows = `SELECT id, ${order.key} AS sort_key FROM ${selection.table.table}
    WHERE ${armPredicate(scopes, selection, parameters)}${behind} ORDER BY ${order.clause} LIMIT ${most}`;
  return `SELECT x.id, x.sort_key FROM (${scopes.query}) AS arm (scope) CROSS JOIN LATERAL (${rows}) AS x`;
}

function matchedKeys(window: Window, within: string | null, parameters: Parameters): string {
  const { order, start } = window;
  const conditions = [
    ...('behind' in start ? [`(${either(order.behind(start.behind, parameters))})`] : []),
    ...(within === null ? [] : [within]),
  ];
  const where = conditions.length === 0 ? '' : ` WHERE ${conditions.join(' AND ')}`;
  return ordered(`SELECT id, ${order.key} AS sort_key FROM matches${where}`, order.clause, window);
}

function ordered(select: string, clause: string, { limit, start }: Window): string {
  const offset = 'offset' in start && start.offset > 0n ? ` OFFSET ${start.offset}` : '';
  return `${select} ORDER BY ${clause} LIMIT ${limit}${offset}`;
}

function either(predicates: readonly string[]): string {
  return predicates.map(predicate => `(${predicate})`).join(' OR ');
}
