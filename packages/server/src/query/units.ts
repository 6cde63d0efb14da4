import { subtree } from '../auth/scope-predicate.ts';
import { type Fragment, join, sql } from '../db/sql.ts';
import { compileFilter } from './compile.ts';
import type { Selection } from './selection.ts';

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
