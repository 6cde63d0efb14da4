import { scopePredicate, subtree } from '../auth/scope-predicate.ts';
import { type Fragment, join, raw, sql } from '../db/sql.ts';
import { predicate, type Selection } from './selection.ts';
import { compileFilter } from './compile.ts';

/**
 * How a total is found: by looking at the rows of each granted tenant and division, or by the predicate of scope and filter,
 * with or without the conditions that let the trigram index narrow it. Without a filter it comes from the counters, whichever
 * of these it is.
 */
export type Counting = 'units' | 'narrowed' | 'plain';

/** A total that was exact at an instant of the organization clock, with the number of visible rows of that instant. */
export interface KnownTotal {
  readonly clock: string;
  readonly total: number;
  readonly visible: number;
}

/** Maximum of changes for which a known total is carried instead of counted again. */
const maxCarriedChanges = 1000;

/**
 * The numbers of rows that a list is planned with, from the exact counters, as one row: clock, visible rows, rows of the
 * range, granted tenants and divisions with those below them.
 */
export function numbersStatement(selection: Selection): Fragment {
  return sql`WITH ${numbersTable(selection)}
SELECT o.clock::text, ${numbersOfTable} FROM organization o, numbers n WHERE o.id = ${selection.scope.organizationId}`;
}

/** The exact total with the numbers of the same snapshot, as one row: clock, total, numbers. */
export function totalStatement(selection: Selection, counting: Counting): Fragment {
  return sql`WITH ${numbersTable(selection)}
SELECT o.clock::text, ${countOf(selection, counting)}::text, ${numbersOfTable}
FROM organization o, numbers n WHERE o.id = ${selection.scope.organizationId}`;
}

/** The columns of `numbersTable`, read as `n`. */
export const numbersOfTable = sql`n.visible::text, n.range::text, n.units::text`;

/** `numbers`: one row with the numbers of a list. */
export function numbersTable(selection: Selection): Fragment {
  const { shape, scope } = selection;
  const visible = visibleRows(selection);
  const range = shape.open ? sql`visible` : counter(selection, shape.tenant ?? '');
  const below =
    shape.divisions.length === 0
      ? sql`0`
      : sql`(SELECT count(*) FROM (${subtree(scope, shape.divisions)}) AS s)`;
  return sql`numbers AS MATERIALIZED (
  SELECT visible, (${range}) AS range, ${shape.tenants.length}::int + ${below} AS units FROM (${visible}) AS v (visible))`;
}

/** The exact number of visible rows, from the counters that every write keeps. */
export function visibleRows(selection: Selection): Fragment {
  const { shape, scope } = selection;
  if (shape.open) return counter(selection, shape.tenant ?? '');
  const scopes: Fragment[] = [];
  if (shape.tenants.length > 0) scopes.push(sql`SELECT unnest(${shape.tenants}::text[])`);
  if (shape.divisions.length > 0) scopes.push(subtree(scope, shape.divisions));
  if (scopes.length === 0) return sql`SELECT 0`;
  // A lookup for each, not a join: one with a table of which the planner knows nothing yet, as after an import, compared every counter
  // with every division (10 s for 10,000).
  const ofScope = counter(selection, sql`s.scope`);
  return sql`SELECT coalesce(sum((${ofScope})), 0) FROM (${join(scopes, ' UNION ')}) AS s (scope)`;
}

function counter({ table, scope }: Selection, name: string | Fragment): Fragment {
  return sql`SELECT coalesce((SELECT n FROM counter
    WHERE organization_id = ${scope.organizationId} AND resource_type = ${resourceTypeOf(table)} AND scope = ${name}), 0)`;
}

function resourceTypeOf({ resourceType }: Selection['table']): Fragment {
  return raw(`'${resourceType}'`);
}

/** The number of selected rows, counted one by one. */
export function countOf(selection: Selection, counting: Counting): Fragment {
  const table = raw(selection.table.table);
  if (counting !== 'units')
    return sql`(SELECT count(*) FROM ${table} WHERE ${predicate(selection, counting === 'narrowed')})`;
  // OFFSET 0 keeps this the loop over the units that its cost was reckoned for.
  const rows = rowsOfUnits(selection, selected => sql`SELECT 1 FROM ${table} WHERE ${selected} OFFSET 0`);
  return sql`(SELECT count(*) FROM (${rows}) AS c)`;
}

/**
 * Whether the totals of a list may be carried on. Where divisions restrict the scope they may not: moves of divisions, and
 * for orders and incidents of employees, exchange what is visible without a change of the rows or of their number.
 */
export function canCarryTotal({ filter, shape }: Selection): boolean {
  return filter !== null && shape.divisions.length === 0;
}

/**
 * `changes`: what has changed in the organization since the known total. The rows come in the order of the index of
 * `updated_at`, so that no plan reads more of them than are counted.
 */
export function changesTable(selection: Selection, { clock }: KnownTotal): Fragment {
  const { table, scope, tenant } = selection;
  return sql`changes AS MATERIALIZED (
  SELECT count(*) AS rows, count(*) FILTER (WHERE ${scopePredicate(scope, tenant)}) AS visible,
    count(*) FILTER (WHERE ${predicate(selection, false)}) AS selected
  FROM (
    SELECT * FROM ${raw(table.table)} WHERE organization_id = ${scope.organizationId} AND updated_at > ${clock}::timestamptz
    ORDER BY updated_at, id ${raw(`LIMIT ${maxCarriedChanges + 1}`)}) AS changed)`;
}

/**
 * The known total with the selected rows that came since, from the tables `numbers` and `changes`. It is null when there was
 * anything but new rows, since nobody knows whether a row that was changed or is gone was selected before. New rows alone
 * make the number of visible rows grow by just as many as have changed. So whoever changes a public field of a row must
 * stamp its `updated_at` with the instant of the clock, as the polling of specification.md 3.7 asks for, too.
 */
export function carriedTotal({ total, visible }: KnownTotal): Fragment {
  return sql`(SELECT CASE WHEN c.rows <= ${raw(String(maxCarriedChanges))} AND c.visible = n.visible - ${visible}::bigint
    THEN ${total}::bigint + c.selected END FROM changes c, numbers n)`;
}

/**
 * Selected rows found unit by unit: in the granted tenants, and in the granted divisions with all below them, which overlap
 * nowhere. `rows` makes the statement for one unit from the predicate of its rows.
 */
export function rowsOfUnits(selection: Selection, rows: (selected: Fragment) => Fragment): Fragment {
  const { shape, scope, table, filter } = selection;
  const matching = filter === null ? sql`` : sql` AND ${compileFilter(filter, table)}`;
  const ofUnit = (units: Fragment, column: Fragment) => {
    const selected = sql`organization_id = ${scope.organizationId} AND ${column} = unit.name${matching}`;
    return sql`SELECT x.* FROM (${units}) AS unit (name) CROSS JOIN LATERAL (${rows(selected)}) AS x`;
  };
  const branches: Fragment[] = [];
  if (shape.tenants.length > 0 || shape.divisions.length === 0)
    branches.push(ofUnit(sql`SELECT unnest(${shape.tenants}::text[])`, sql`tenant_id`));
  if (shape.divisions.length > 0) branches.push(ofUnit(subtree(scope, shape.divisions), sql`division_id`));
  return unionOf(branches);
}

/** All rows of all branches; there is at least one. */
export function unionOf(branches: readonly Fragment[]): Fragment {
  if (branches.length === 1) return branches[0]!;
  return join(
    branches.map(branch => sql`(${branch})`),
    ' UNION ALL ',
  );
}
