import type { Filter } from '@kontor/contract';
import { scopePredicate } from '../auth/scope-predicate.ts';
import { type Fragment, sql } from '../db/sql.ts';
import type { Scope } from '../auth/scope.ts';
import { compileFilter } from './compile.ts';
import type { ScopeShape } from './scope-shape.ts';
import type { CollectionTable } from './table.ts';
import { hidden, plain } from '../db/values.ts';

/** What a list selects: the rows that a scope shows and a filter matches. */
export interface Selection {
  readonly table: CollectionTable;
  readonly scope: Scope;
  readonly tenant: string | null;
  readonly shape: ScopeShape;
  readonly filter: Filter | null;
}

/** The predicate of a selected row. `narrow` adds what lets the trigram index find the rows. */
export function predicate({ scope, tenant, table, filter }: Selection, narrow: boolean): Fragment {
  const visible = scopePredicate(scope, tenant);
  return filter === null ? visible : sql`${visible} AND ${compileFilter(filter, table, { narrow })}`;
}

/**
 * The predicate of a row of the range: the tenant, if there is only one, or the organization. All of an open scope. The planner
 * sees no value, see {@link hidden}, but in a cluster the organization.
 */
export function rangePredicate({ scope, shape }: Selection, mayBeOfCluster: boolean): Fragment {
  const write = mayBeOfCluster ? plain : hidden;
  const organization = sql`organization_id = ${write(scope.organizationId, 'text')}`;
  return shape.tenant === null
    ? organization
    : sql`${organization} AND tenant_id = ${hidden(shape.tenant, 'text')}`;
}
