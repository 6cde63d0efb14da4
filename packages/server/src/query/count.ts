import { subtree } from '../auth/scope-predicate.ts';
import { type Fragment, join, raw, sql } from '../db/sql.ts';
import { counterOf, predicate, type Selection } from './selection.ts';
import { compileFilter } from './compile.ts';
import type { Counting } from './path.ts';

/**
 * Reads the exact total and the numbers that choose a list's access path, of one snapshot, as one row: clock, total, visible rows, rows of the
 * range, units. Units are the granted tenants, and the granted divisions with their descendants. Null counts all visible rows.
 */
export function totalStatement(selection: Selection, counting: Counting | null): Fragment {
  const total = counting === null ? sql`n.visible` : countOf(selection, counting);
  return sql`WITH ${numbersTable(selection)}
SELECT o.clock::text, ${total}::text, ${numbersOfTable}
FROM organization o, numbers n WHERE o.id = ${selection.scope.organizationId}`;
}

/** The columns of {@link numbersTable}, read as `n`. */
export const numbersOfTable = sql`n.visible::text, n.range::text, n.units::text`;

/** `numbers`: one row with the numbers of a list. */
export function numbersTable(selection: Selection): Fragment {
  const { access, scope } = selection;
  const visible = visibleRows(selection);
  const range = access.isOpen ? sql`visible` : counterOf(selection, access.tenant ?? '');
  const below =
    access.divisions.length === 0
      ? sql`0`
      : sql`(SELECT count(*) FROM (${subtree(scope, access.divisions)}) AS s)`;
  return sql`numbers AS MATERIALIZED (
  SELECT visible, (${range}) AS range, ${access.tenants.length}::int + ${below} AS units FROM (${visible}) AS v (visible))`;
}

/** The exact number of visible rows, from the counters. */
function visibleRows(selection: Selection): Fragment {
  const { access, scope } = selection;
  if (access.isOpen) return counterOf(selection, access.tenant ?? '');
  const scopes: Fragment[] = [];
  if (access.tenants.length > 0) scopes.push(sql`SELECT unnest(${access.tenants}::text[])`);
  if (access.divisions.length > 0) scopes.push(subtree(scope, access.divisions));
  if (scopes.length === 0) return sql`SELECT 0`;
  // A lookup for each scope instead of a join. With a table that has no statistics yet, for example after an import, a join compared every
  // counter with every division (10 s for 10,000).
  const ofScope = counterOf(selection, sql`s.scope`);
  return sql`SELECT coalesce(sum((${ofScope})), 0) FROM (${join(scopes, ' UNION ')}) AS s (scope)`;
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
 * Selects rows unit by unit, in the granted tenants and in the granted divisions with their descendants. Units do not overlap.
 * `rows` builds the statement for one unit from its predicate.
 */
export function rowsOfUnits(selection: Selection, rows: (selected: Fragment) => Fragment): Fragment {
  const { access, scope, table, filter } = selection;
  const matching = filter === null ? sql`` : sql` AND ${compileFilter(filter, table)}`;
  const ofUnit = (units: Fragment, column: Fragment) => {
    const selected = sql`organization_id = ${scope.organizationId} AND ${column} = unit.name${matching}`;
    return sql`SELECT x.* FROM (${units}) AS unit (name) CROSS JOIN LATERAL (${rows(selected)}) AS x`;
  };
  const branches: Fragment[] = [];
  if (access.tenants.length > 0 || access.divisions.length === 0)
    branches.push(ofUnit(sql`SELECT unnest(${access.tenants}::text[])`, sql`tenant_id`));
  if (access.divisions.length > 0) branches.push(ofUnit(subtree(scope, access.divisions), sql`division_id`));
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
