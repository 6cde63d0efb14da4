import type { Filter } from '@kontor/contract';
import { Parameters, UnplannedParameters } from '../database/parameters.ts';
import { scopePredicate, subtree } from '../database/scope-predicate.ts';
import type { Scope } from '../scope.ts';
import { compileFilter } from './compile.ts';
import type { Order, Position } from './order.ts';
import type { AccessPath } from './path.ts';
import type { ScopeShape } from './scope-shape.ts';
import type { CollectionTable } from './table.ts';

/** What a list selects: the rows that a scope shows and a filter matches. */
export interface Selection {
  readonly table: CollectionTable;
  readonly scope: Scope;
  readonly tenant: string | null;
  readonly shape: ScopeShape;
  readonly filter: Filter | null;
}

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

/**
 * How the total is found: not at all, by looking at the rows of each granted tenant and division, or by the predicate of
 * scope and filter, with or without the conditions that let the trigram index narrow it. Without a filter it comes from
 * the counters, and any but `none` means that.
 */
export type Count = 'none' | 'arms' | 'narrowed' | 'plain';

/** A statement with its values. The text holds nothing of the request but names of columns and whole numbers. */
export interface Built {
  readonly text: string;
  readonly values: readonly unknown[];
}

/**
 * One page, as one row: the clock of the organization, the total, the documents joined by commas, their number, and sort
 * value and identifier of the last one. One statement sees one snapshot. The total is null where `count` says not to count.
 */
export function pageStatement(selection: Selection, window: Window, count: Count): Built {
  const parameters = isRangeById(selection, window) ? new UnplannedParameters() : new Parameters();
  const organization = parameters.add(selection.scope.organizationId);
  const total = count === 'none' ? 'NULL' : totalOf(selection, window, count, parameters);
  // A page behind the end is not looked for, where the total of the same snapshot says that it is one.
  const gated = count !== 'none' && 'offset' in window.start && window.start.offset > 0n;
  const tables = [
    ...(window.path === 'matched' ? [matchesTable(selection, window, parameters)] : []),
    ...(gated ? [`counted AS MATERIALIZED (SELECT ${total} AS n)`] : []),
  ];
  const rows = pageRows(selection, window, organization, gated, parameters);
  const text = `${tables.length === 0 ? '' : `WITH ${tables.join(',\n')}\n`}SELECT o.clock::text, ${gated ? '(SELECT n FROM counted)' : total}::text, p.*
FROM organization o, (
  SELECT string_agg(doc, ','), count(*), ${lastOf(window.order.keyText)}, ${lastOf('id')} FROM (${rows}) AS r
) AS p
WHERE o.id = ${organization}`;
  return { text, values: parameters.values };
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

/**
 * The numbers of rows that a list is planned with, from the exact counters, as one row: clock, visible rows, rows of the
 * range, granted tenants and divisions with those below them.
 */
export function numbersStatement(selection: Selection): Built {
  const parameters = new Parameters();
  const organization = parameters.add(selection.scope.organizationId);
  const { shape, scope } = selection;
  const visible = visibleRows(selection, parameters);
  const range = shape.open ? visible : counter(selection, parameters.add(shape.tenant ?? ''), organization);
  const below =
    shape.divisions.length === 0
      ? '0'
      : `(SELECT count(*) FROM (${subtree(scope, shape.divisions, parameters)}) AS s)`;
  const text = `SELECT o.clock::text, (${visible})::text, (${range})::text, (${shape.tenants.length} + ${below})::text
FROM organization o WHERE o.id = ${organization}`;
  return { text, values: parameters.values };
}

/** The exact total with the clock it belongs to, as one row: clock, total. */
export function totalStatement(selection: Selection, count: Count): Built {
  const parameters = new Parameters();
  const organization = parameters.add(selection.scope.organizationId);
  const text = `SELECT o.clock::text, (${countOf(selection, count, parameters)})::text
FROM organization o WHERE o.id = ${organization}`;
  return { text, values: parameters.values };
}

function totalOf(selection: Selection, window: Window, count: Count, parameters: Parameters): string {
  if (selection.filter === null) return `(${visibleRows(selection, parameters)})`;
  if (window.path === 'matched') return '(SELECT count(*) FROM matches)';
  return `(${countOf(selection, count, parameters)})`;
}

function countOf(selection: Selection, count: Count, parameters: Parameters): string {
  if (count === 'arms') {
    const arms = armsOf(selection, scopes => countedArm(scopes, selection, parameters), parameters);
    return `SELECT count(*) FROM (${union(arms)}) AS c`;
  }
  return `SELECT count(*) FROM ${selection.table.table} WHERE ${predicate(selection, parameters, count === 'narrowed')}`;
}

/** The exact number of visible rows, from the counters that every write keeps. */
function visibleRows(selection: Selection, parameters: Parameters): string {
  const { shape, scope } = selection;
  if (shape.open)
    return counter(selection, parameters.add(shape.tenant ?? ''), parameters.add(scope.organizationId));
  const scopes: string[] = [];
  if (shape.tenants.length > 0) scopes.push(`SELECT unnest(${parameters.add(shape.tenants, 'text[]')})`);
  if (shape.divisions.length > 0) scopes.push(subtree(scope, shape.divisions, parameters));
  if (scopes.length === 0) return 'SELECT 0';
  return `SELECT coalesce(sum(c.n), 0) FROM (${scopes.join(' UNION ')}) AS s (scope)
    JOIN counter c ON c.organization_id = ${parameters.add(scope.organizationId)} AND c.family = '${selection.table.family}' AND c.scope = s.scope`;
}

function counter({ table }: Selection, scope: string, organization: string): string {
  return `SELECT coalesce((SELECT n FROM counter WHERE organization_id = ${organization} AND family = '${table.family}' AND scope = ${scope}), 0)`;
}

function predicate(selection: Selection, parameters: Parameters, narrow: boolean): string {
  const { scope, tenant, table, filter } = selection;
  const visible = scopePredicate(scope, tenant, parameters);
  if (filter === null) return visible;
  return `${visible} AND ${compileFilter(filter, table, parameters, { narrow })}`;
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
  gated: boolean,
  parameters: Parameters,
): string {
  const { path, start, rangeIndexed } = window;
  const within = gated && 'offset' in start ? `(SELECT n FROM counted) > ${start.offset}` : null;
  const fromStart = 'behind' in start || start.offset === 0n;
  if (path === 'ordered' && rangeIndexed && fromStart)
    return orderedRows(selection, window, ', doc', null, parameters);
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

/** Tenants or divisions, as a query of one column, and the column that holds them. */
interface Scopes {
  readonly query: string;
  readonly column: 'tenant_id' | 'division_id';
}

/** Something for the granted tenants and for the granted divisions with all below them, which overlap nowhere. */
function armsOf(
  { shape, scope }: Selection,
  each: (scopes: Scopes) => string,
  parameters: Parameters,
): string[] {
  const arms: string[] = [];
  if (shape.tenants.length > 0 || shape.divisions.length === 0) {
    const query = `SELECT unnest(${parameters.add(shape.tenants, 'text[]')})`;
    arms.push(each({ query, column: 'tenant_id' }));
  }
  if (shape.divisions.length > 0)
    arms.push(each({ query: subtree(scope, shape.divisions, parameters), column: 'division_id' }));
  return arms;
}

function firstOfArm(scopes: Scopes, selection: Selection, window: Window, parameters: Parameters): string {
  const { order, start, limit } = window;
  const behind = 'behind' in start ? ` AND (${either(order.behind(start.behind, parameters))})` : '';
  const most = BigInt(limit) + ('offset' in start ? start.offset : 0n);
  const rows = `SELECT id, ${order.key} AS sort_key FROM ${selection.table.table}
    WHERE ${armPredicate(scopes, selection, parameters)}${behind} ORDER BY ${order.clause} LIMIT ${most}`;
  return `SELECT x.id, x.sort_key FROM (${scopes.query}) AS arm (scope) CROSS JOIN LATERAL (${rows}) AS x`;
}

/** OFFSET 0 keeps this the loop over the arms that its cost was reckoned for. */
function countedArm(scopes: Scopes, selection: Selection, parameters: Parameters): string {
  const rows = `SELECT FROM ${selection.table.table} WHERE ${armPredicate(scopes, selection, parameters)} OFFSET 0`;
  return `SELECT 1 FROM (${scopes.query}) AS arm (scope) CROSS JOIN LATERAL (${rows}) AS x`;
}

function armPredicate(
  { column }: Scopes,
  { table, scope, filter }: Selection,
  parameters: Parameters,
): string {
  const arm = `organization_id = ${parameters.add(scope.organizationId)} AND ${column} = arm.scope`;
  return filter === null ? arm : `${arm} AND ${compileFilter(filter, table, parameters, { narrow: false })}`;
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

function union(branches: readonly string[]): string {
  return branches.length === 1 ? branches[0]! : branches.map(branch => `(${branch})`).join(' UNION ALL ');
}

function either(predicates: readonly string[]): string {
  return predicates.map(predicate => `(${predicate})`).join(' OR ');
}
