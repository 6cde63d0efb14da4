import type { Filter } from '@kontor/contract';
import { scopePredicate } from '../auth/scope-predicate.ts';
import { type Fragment, hidden, plain, sql } from '../db/sql.ts';
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

/**
 * The predicate of all rows of an open scope: the tenant if there is only one, else the organization.
 * Values are hidden from the planner, see {@link hidden}, except the organization in a cluster.
 */
export function rangePredicate({ scope, shape }: Selection, mayBeOfCluster: boolean): Fragment {
  const write = mayBeOfCluster ? plain : hidden;
  const organization = sql`organization_id = ${write(scope.organizationId, 'text')}`;
  return shape.tenant === null
    ? organization
    : sql`${organization} AND tenant_id = ${hidden(shape.tenant, 'text')}`;
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
