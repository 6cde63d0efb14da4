import type { Filter } from '@kontor/contract';
import type { Access, Scope } from '../auth/scope.ts';
import { scopePredicate } from '../auth/scope-predicate.ts';
import { type Fragment, hidden, raw, sql } from '../db/sql.ts';
import { compileFilter } from './compile.ts';
import type { CollectionTable } from './check.ts';

/** The selected rows of a list: visible in the scope and matching the filter. */
export interface Selection {
  readonly table: CollectionTable;
  readonly scope: Scope;
  readonly tenant: string | null;
  /** That of the scope and the tenant. */
  readonly access: Access;
  readonly filter: Filter | null;
}

/** Whether it selects all rows of an organization or a tenant, whose number is in one counter. */
export function isWhole({ filter, access }: Selection): boolean {
  return filter === null && access.isOpen;
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

/** The number of rows of a tenant or division, or with an empty name of the organization. Every write updates it. */
export function counterOf({ table, scope }: Selection, name: string | Fragment): Fragment {
  return sql`SELECT coalesce((SELECT n FROM counter
    WHERE organization_id = ${scope.organizationId} AND resource_type = ${raw(`'${table.resourceType}'`)} AND scope = ${name}), 0)`;
}
