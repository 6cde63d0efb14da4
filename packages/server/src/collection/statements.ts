import type { Filter } from '@kontor/contract';
import { Parameters } from '../database/parameters.ts';
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

/** A statement with its values. The text holds nothing of the request but names of columns and whole numbers. */
export interface Built {
  readonly text: string;
  readonly values: readonly unknown[];
}

/**
 * One page, as one row: the clock of the organization, the total, the documents joined by commas, their number, and sort
 * value and identifier of the last one. One statement sees one snapshot. `totals` says whether the total is counted here;
 * without, it is null.
 */
export function pageStatement(selection: Selection, window: Window, totals: boolean): Built {
  const parameters = new Parameters();
  const organization = parameters.add(selection.scope.organizationId);
  const matches = window.path === 'matched' ? matchesTable(selection, window, parameters) : [];
  const counted = totals
    ? [`counted AS MATERIALIZED (SELECT ${total(selection, window, parameters)} AS n)`]
    : [];
  const tables = [...matches, ...counted];
  const text = `${tables.length === 0 ? '' : `WITH ${tables.join(',\n')}\n`}${page(
    `FROM (${rows(selection, window, organization, totals, parameters)}) AS r`,
    window.order,
    totals ? '(SELECT n FROM counted)' : 'NULL',
    organization,
  )}`;
  return { text, values: parameters.values };
}

function page(from: string, order: Order, totalText: string, organization: string): string {
  return `SELECT o.clock::text, ${totalText}::text, p.*
FROM organization o, (
  SELECT string_agg(doc, ','), count(*), (array_agg(${order.keyText}))[count(*)], (array_agg(id))[count(*)]
  ${from}
) AS p
WHERE o.id = ${organization}`;
}

/** Only the clock, for a page that is known to lie behind the end. */
export function clockStatement(scope: Scope): Built {
  return { text: 'SELECT o.clock::text FROM organization o WHERE o.id = $1', values: [scope.organizationId] };
}

/**
 * The numbers of rows that a list is planned with, and its exact total with the clock it belongs to, as one row: clock,
 * total, visible, range, arms.
 */
export function totalsStatement(selection: Selection): Built {
  const parameters = new Parameters();
  const organization = parameters.add(selection.scope.organizationId);
  const { shape } = selection;
  const visible = visibleRows(selection, parameters);
  const matching = selection.filter === null ? visible : matchingRows(selection, parameters);
  const arms = `${shape.tenants.length} + ${
    shape.divisions.length === 0
      ? '0'
      : `(SELECT count(*) FROM (${subtree(selection.scope, shape.divisions, parameters)}) AS s)`
  }`;
  const range = counter(selection, parameters.add(shape.tenant ?? ''), organization);
  const text = `SELECT o.clock::text, (${matching})::text, (${visible})::text, (${range})::text, (${arms})::text
FROM organization o WHERE o.id = ${organization}`;
  return { text, values: parameters.values };
}

function total(selection: Selection, window: Window, parameters: Parameters): string {
  if (selection.filter === null) return `(${visibleRows(selection, parameters)})`;
  if (window.path === 'matched') return '(SELECT count(*) FROM matches)';
  return `(${matchingRows(selection, parameters)})`;
}

function matchingRows(selection: Selection, parameters: Parameters): string {
  return `SELECT count(*) FROM ${selection.table.table} WHERE ${predicate(selection, parameters, true)}`;
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
function matchesTable(selection: Selection, { order }: Window, parameters: Parameters): string[] {
  const { table } = selection;
  const where = predicate(selection, parameters, true);
  const key = order.column === null ? '' : `, ${order.column}`;
  return [`matches AS MATERIALIZED (SELECT id${key} FROM ${table.table} WHERE ${where})`];
}

/** The rows of the page, as (id, sort_key, doc) in order. */
function rows(
  selection: Selection,
  window: Window,
  organization: string,
  totals: boolean,
  parameters: Parameters,
): string {
  const { table } = selection;
  // A page behind the end is not looked for, where the total of the same snapshot says that it is one.
  const offset = 'offset' in window.start ? window.start.offset : 0n;
  const within = totals && offset > 0n ? `(SELECT n FROM counted) > ${offset}` : null;
  if (window.path === 'ordered' && window.rangeIndexed && offset === 0n)
    return orderedRows(selection, window, ', doc', null, parameters);
  const keys =
    window.path === 'ordered'
      ? orderedRows(selection, window, '', within, parameters)
      : window.path === 'merged'
        ? mergedKeys(selection, window, within, parameters)
        : matchedKeys(window, within, parameters);
  return `SELECT id, sort_key, (SELECT e.doc FROM ${table.table} e WHERE e.organization_id = ${organization} AND e.id = k.id) AS doc
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
  const { shape, scope } = selection;
  const arms: string[] = [];
  if (shape.tenants.length > 0)
    arms.push(
      armKeys(
        `SELECT unnest(${parameters.add(shape.tenants, 'text[]')})`,
        'tenant_id',
        selection,
        window,
        parameters,
      ),
    );
  if (shape.divisions.length > 0)
    arms.push(
      armKeys(subtree(scope, shape.divisions, parameters), 'division_id', selection, window, parameters),
    );
  if (arms.length === 0) return 'SELECT NULL::text AS id, NULL::text AS sort_key WHERE false';
  const where = within === null ? '' : ` WHERE ${within}`;
  return ordered(`SELECT id, sort_key FROM (${union(arms)}) AS m${where}`, window.order.keyClause, window);
}

function armKeys(
  scopes: string,
  column: string,
  { table, scope, filter }: Selection,
  window: Window,
  parameters: Parameters,
): string {
  const { order, start, limit } = window;
  const conditions = [
    `organization_id = ${parameters.add(scope.organizationId)}`,
    `${column} = arm.scope`,
    ...(filter === null ? [] : [compileFilter(filter, table, parameters, { narrow: false })]),
    ...('behind' in start ? [`(${either(order.behind(start.behind, parameters))})`] : []),
  ];
  const most = BigInt(limit) + ('offset' in start ? start.offset : 0n);
  return `SELECT x.id, x.sort_key FROM (${scopes}) AS arm (scope) CROSS JOIN LATERAL (
    SELECT id, ${order.key} AS sort_key FROM ${table.table} WHERE ${conditions.join(' AND ')}
    ORDER BY ${order.clause} LIMIT ${most}) AS x`;
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
