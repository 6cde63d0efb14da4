import { scopePredicate, subtree } from '../auth/scope-predicate.ts';
import { type Fragment, join, raw, sql } from '../db/sql.ts';
import { predicate, type Selection } from './selection.ts';
import { compileFilter } from './compile.ts';

/**
 * How the total of a filtered list is counted. Without a filter it comes from the counters.
 * - `units`: in the rows of each granted tenant and division
 * - `narrowed`: by the predicate of scope and filter, narrowed by the trigram index
 * - `plain`: by that predicate alone
 */
export type Counting = 'units' | 'narrowed' | 'plain';

/** A total at an instant of the organization clock, with the number of visible rows at that instant. */
export interface KnownTotal {
  readonly clock: string;
  readonly total: number;
  readonly visible: number;
}

/** A known total is carried over at most this many changes. Beyond that it is counted again. */
const maxCarriedChanges = 1000;

/**
 * Reads the exact numbers that choose a list's access path, as one row: clock, visible rows, rows of the range, units.
 * Units are the granted tenants, and the granted divisions with their descendants.
 */
export function numbersStatement(selection: Selection): Fragment {
  return sql`WITH ${numbersTable(selection)}
SELECT o.clock::text, ${numbersOfTable} FROM organization o, numbers n WHERE o.id = ${selection.scope.organizationId}`;
}

/** Reads the exact total and the numbers of one snapshot, as one row: clock, total, numbers. */
export function totalStatement(selection: Selection, counting: Counting): Fragment {
  return sql`WITH ${numbersTable(selection)}
SELECT o.clock::text, ${countOf(selection, counting)}::text, ${numbersOfTable}
FROM organization o, numbers n WHERE o.id = ${selection.scope.organizationId}`;
}

/** The columns of {@link numbersTable}, read as `n`. */
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

/** The exact number of visible rows, from the counters that every write updates. */
export function visibleRows(selection: Selection): Fragment {
  const { shape, scope } = selection;
  if (shape.open) return counter(selection, shape.tenant ?? '');
  const scopes: Fragment[] = [];
  if (shape.tenants.length > 0) scopes.push(sql`SELECT unnest(${shape.tenants}::text[])`);
  if (shape.divisions.length > 0) scopes.push(subtree(scope, shape.divisions));
  if (scopes.length === 0) return sql`SELECT 0`;
  // A lookup for each scope instead of a join. With a table that has no statistics yet, for example after an import, a join compared every
  // counter with every division (10 s for 10,000).
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

export function countOf(selection: Selection, counting: Counting): Fragment {
  const table = raw(selection.table.table);
  if (counting !== 'units')
    return sql`(SELECT count(*) FROM ${table} WHERE ${predicate(selection, counting === 'narrowed')})`;
  // OFFSET 0 stops the planner from merging the sub-select, so it loops over the units as `countsByUnits` assumes.
  const rows = rowsOfUnits(selection, selected => sql`SELECT 1 FROM ${table} WHERE ${selected} OFFSET 0`);
  return sql`(SELECT count(*) FROM (${rows}) AS c)`;
}

/**
 * Whether a known total can be carried. It cannot if divisions restrict the scope: moving a division or employee changes the visible rows
 * while the rows and their number stay the same.
 */
export function canCarryTotal({ filter, shape }: Selection): boolean {
  return filter !== null && shape.divisions.length === 0;
}

/**
 * `changes`: the rows that changed since the known total, as numbers of all, visible and selected ones.
 * ORDER BY follows the index of `updated_at`, so no plan reads more rows than the limit.
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
 * The known total plus the selected rows added since, from the tables `numbers` and `changes`. Null unless all changes are additions: a changed
 * or deleted row may or may not have been selected before. Only additions increase the visible rows by exactly the number of changed ones.
 * Every change of a public field must therefore set `updated_at` to the clock. Polling requires that, too (specification.md 3.7).
 */
export function carriedTotal({ total, visible }: KnownTotal): Fragment {
  return sql`(SELECT CASE WHEN c.rows <= ${raw(String(maxCarriedChanges))} AND c.visible = n.visible - ${visible}::bigint
    THEN ${total}::bigint + c.selected END FROM changes c, numbers n)`;
}

/**
 * Selects rows unit by unit, in the granted tenants and in the granted divisions with their descendants. Units do not overlap.
 * `rows` builds the statement for one unit from its predicate.
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

/** Joins at least one branch with UNION ALL. */
export function unionOf(branches: readonly Fragment[]): Fragment {
  if (branches.length === 1) return branches[0]!;
  return join(
    branches.map(branch => sql`(${branch})`),
    ' UNION ALL ',
  );
}
