import { Parameters } from '../database/parameters.ts';
import { scopePredicate, subtree } from '../database/scope-predicate.ts';
import {
  armPredicate,
  armsOf,
  type Built,
  predicate,
  type Scopes,
  type Selection,
  union,
} from './selected.ts';

/**
 * How a total is found: by looking at the rows of each granted tenant and division, or by the predicate of scope and filter,
 * with or without the conditions that let the trigram index narrow it. Without a filter it comes from the counters, whichever
 * of these it is.
 */
export type Counting = 'arms' | 'narrowed' | 'plain';

/** A total that was exact at an instant of the organization clock, with the number of visible rows of that instant. */
export interface KnownTotal {
  readonly clock: string;
  readonly total: number;
  readonly visible: number;
}

/** Most changes since a known total for which it is carried on rather than counted anew. */
const mostCarried = 1000;

/**
 * The numbers of rows that a list is planned with, from the exact counters, as one row: clock, visible rows, rows of the
 * range, granted tenants and divisions with those below them.
 */
export function numbersStatement(selection: Selection): Built {
  const parameters = new Parameters();
  const organization = parameters.add(selection.scope.organizationId);
  const text = `WITH ${numbersTable(selection, parameters)}
SELECT o.clock::text, ${numbersOfTable} FROM organization o, numbers n WHERE o.id = ${organization}`;
  return { text, values: parameters.values };
}

/** The exact total with the numbers of the same snapshot, as one row: clock, total, numbers. */
export function totalStatement(selection: Selection, counting: Counting): Built {
  const parameters = new Parameters();
  const organization = parameters.add(selection.scope.organizationId);
  const text = `WITH ${numbersTable(selection, parameters)}
SELECT o.clock::text, ${countOf(selection, counting, parameters)}::text, ${numbersOfTable}
FROM organization o, numbers n WHERE o.id = ${organization}`;
  return { text, values: parameters.values };
}

/** The columns of `numbersTable`, read as `n`. */
export const numbersOfTable = 'n.visible::text, n.range::text, n.arms::text';

/** `numbers`: one row with the numbers of a list. */
export function numbersTable(selection: Selection, parameters: Parameters): string {
  const { shape, scope } = selection;
  const visible = visibleRows(selection, parameters);
  const range = shape.open
    ? 'visible'
    : counter(selection, parameters.add(shape.tenant ?? ''), parameters.add(scope.organizationId));
  const below =
    shape.divisions.length === 0
      ? '0'
      : `(SELECT count(*) FROM (${subtree(scope, shape.divisions, parameters)}) AS s)`;
  return `numbers AS MATERIALIZED (
  SELECT visible, (${range}) AS range, ${shape.tenants.length} + ${below} AS arms FROM (${visible}) AS v (visible))`;
}

/** The exact number of visible rows, from the counters that every write keeps. */
export function visibleRows(selection: Selection, parameters: Parameters): string {
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

/** The number of selected rows, counted one by one. */
export function countOf(selection: Selection, counting: Counting, parameters: Parameters): string {
  if (counting === 'arms') {
    const arms = armsOf(selection, scopes => countedArm(scopes, selection, parameters), parameters);
    return `(SELECT count(*) FROM (${union(arms)}) AS c)`;
  }
  return `(SELECT count(*) FROM ${selection.table.table} WHERE ${predicate(selection, parameters, counting === 'narrowed')})`;
}

/** OFFSET 0 keeps this the loop over the arms that its cost was reckoned for. */
function countedArm(scopes: Scopes, selection: Selection, parameters: Parameters): string {
  const rows = `SELECT FROM ${selection.table.table} WHERE ${armPredicate(scopes, selection, parameters)} OFFSET 0`;
  return `SELECT 1 FROM (${scopes.query}) AS arm (scope) CROSS JOIN LATERAL (${rows}) AS x`;
}

/**
 * Whether the totals of a list may be carried on. Where divisions restrict the scope they may not: moves of divisions, and
 * for orders and incidents of employees, exchange what is visible without a change of the rows or of their number.
 */
export function isCarriable({ filter, shape }: Selection): boolean {
  return filter !== null && shape.divisions.length === 0;
}

/**
 * `changes`: what has changed in the organization since the known total. The rows come in the order of the index of
 * `updated_at`, so that no plan reads more of them than are counted.
 */
export function changesTable(selection: Selection, { clock }: KnownTotal, parameters: Parameters): string {
  const { table, scope, tenant } = selection;
  const since = parameters.add(clock, 'timestamptz');
  const visible = scopePredicate(scope, tenant, parameters);
  const selected = predicate(selection, parameters, false);
  const changed = `SELECT * FROM ${table.table} WHERE organization_id = ${parameters.add(scope.organizationId)} AND updated_at > ${since}
    ORDER BY updated_at, id LIMIT ${mostCarried + 1}`;
  return `changes AS MATERIALIZED (
  SELECT count(*) AS rows, count(*) FILTER (WHERE ${visible}) AS visible, count(*) FILTER (WHERE ${selected}) AS selected
  FROM (${changed}) AS changed)`;
}

/**
 * The known total with the selected rows that came since, from the tables `numbers` and `changes`. It is null when there was
 * anything but new rows, since nobody knows whether a row that was changed or is gone was selected before. New rows alone
 * make the number of visible rows grow by just as many as have changed. So whoever changes a public field of a row must
 * stamp its `updated_at` with the instant of the clock, as the polling of decisions.md section 3 asks for, too.
 */
export function carriedOn({ total, visible }: KnownTotal, parameters: Parameters): string {
  const grown = `n.visible - ${parameters.add(visible, 'bigint')}`;
  return `(SELECT CASE WHEN c.rows <= ${mostCarried} AND c.visible = ${grown}
    THEN ${parameters.add(total, 'bigint')} + c.selected END FROM changes c, numbers n)`;
}
