import type { Filter } from '@kontor/contract';
import { scopePredicate } from '../auth/scope-predicate.ts';
import { type Fragment, hidden, raw, sql } from '../db/sql.ts';
import type { Scope } from '../auth/scope.ts';
import { compileFilter } from './compile.ts';
import type { CollectionTable } from './resource.ts';

/** The selected rows of a list: visible in the scope and matching the filter. */
export interface Selection {
  readonly table: CollectionTable;
  readonly scope: Scope;
  readonly tenant: string | null;
  readonly shape: ScopeShape;
  readonly filter: Filter | null;
}

/** The predicate of a selected row. `narrow` also matches `search`, so that the trigram index finds the rows. */
export function predicate({ scope, tenant, table, filter }: Selection, narrow: boolean): Fragment {
  const visible = scopePredicate(scope, tenant);
  return filter === null ? visible : sql`${visible} AND ${compileFilter(filter, table, { narrow })}`;
}

/** The predicate of all rows of an organization, or of one tenant. The plan is the same for all values, see {@link isOnly}. */
export function rangePredicate({ organizationId }: Scope, tenant: string | null): Fragment {
  if (tenant === null) return isOnly('organization_id', sql`${organizationId}`);
  return sql`organization_id = ${organizationId} AND ${isOnly('tenant_id', hidden(tenant, 'text'))}`;
}

/**
 * An equality that the planner expects few rows of, so it uses the index of the range even for hidden values, and keeps one plan for all.
 * Otherwise it would scan a small table, or all rows of a large tenant for a small one, and plan a large organization anew each time.
 * Apply it to one column only, the last one that the index has equal values of. With more, the planner expects a single row of every index.
 */
export function isOnly(column: string, value: Fragment): Fragment {
  return sql`${raw(column)} = ${value} AND ${raw(column)} BETWEEN ${value} AND ${value}`;
}

/** The rows that a scope and a selected tenant give access to: a range of the organization's rows, and the visible part of it. */
export interface ScopeShape {
  /** The tenant of all visible rows, if there is only one. Otherwise the range is the organization. */
  readonly tenant: string | null;
  /** All rows of the range are visible. */
  readonly open: boolean;
  /** The granted tenants, and the granted divisions of other tenants. Both are empty for an open scope. */
  readonly tenants: readonly string[];
  readonly divisions: readonly string[];
}

/** Normalizes the grants of a key. Divisions of a fully granted tenant are left out. */
export function shapeOf(scope: Scope, tenant: string | null): ScopeShape {
  if (scope.grants === 'all') return { tenant, open: true, tenants: [], divisions: [] };
  const grants = scope.grants.filter(grant => tenant === null || grant.tenantId === tenant);
  const tenants = [
    ...new Set(grants.filter(grant => grant.divisions === 'all').map(grant => grant.tenantId)),
  ];
  const partial = grants.filter(grant => !tenants.includes(grant.tenantId));
  const divisions = [
    ...new Set(partial.flatMap(grant => (grant.divisions === 'all' ? [] : grant.divisions))),
  ];
  const involved = new Set(grants.map(grant => grant.tenantId));
  const single = involved.size === 1 ? grants[0]!.tenantId : null;
  if (single !== null && tenants.length === 1)
    return { tenant: single, open: true, tenants: [], divisions: [] };
  return { tenant: single, open: false, tenants, divisions };
}
