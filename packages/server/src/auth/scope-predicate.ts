import { accessOf, type Scope } from './scope.ts';
import { type Fragment, type WriteValue, join, plain, sql } from '../db/sql.ts';

/**
 * The rows (`organization_id`, `tenant_id`, `division_id`) visible to the key, optionally of one `tenant` (specification.md 1.3). Every query on such
 * rows contains it. The caller has checked that the tenant is in scope; a tenant outside of it selects no row.
 */
export function scopePredicate(scope: Scope, tenant: string | null, write: WriteValue = plain): Fragment {
  return predicateOf(scope, tenant, { below: isBelow, write });
}

/**
 * The same predicate for one row by its identifier. Many granted divisions are read from the database instead of being sent: parsing thousands of
 * them would take most of the time. If that time is spent only for an existing row, it reveals that the row exists.
 */
export function scopePredicateOfOne(scope: Scope, tenant: string | null): Fragment {
  return predicateOf(scope, tenant, { below: isBelowStored, write: plain });
}

/** How values are written, and how to test that the division of a row is one of some or below one. */
interface Writing {
  readonly below: (scope: Scope, divisions: readonly string[], write: WriteValue) => Fragment;
  readonly write: WriteValue;
}

function predicateOf(scope: Scope, tenant: string | null, { below, write }: Writing): Fragment {
  const organization = sql`organization_id = ${scope.organizationId}`;
  const { isOpen, tenant: only, tenants, divisions, divided } = accessOf(scope, tenant);
  if (isOpen) return only === null ? organization : sql`${organization} AND ${isOfTenant([only], write)}`;
  const visible: Fragment[] = [];
  if (tenants.length > 0) visible.push(isOfTenant(tenants, write));
  if (divisions.length > 0)
    visible.push(sql`${isOfTenant(divided, write)} AND ${below(scope, divisions, write)}`);
  if (visible.length === 0) return sql`${organization} AND false`;
  return visible.length === 1
    ? sql`${organization} AND ${visible[0]}`
    : sql`${organization} AND (${join(visible, ' OR ')})`;
}

function isOfTenant(tenants: readonly string[], write: WriteValue): Fragment {
  return tenants.length === 1
    ? sql`tenant_id = ${write(tenants[0], 'text')}`
    : sql`tenant_id = ANY(${write(idArray(tenants), 'text[]')})`;
}

/**
 * Whether the row's division or an ancestor of it is granted. It reads the few ancestors of one row and hashes the grants once. As a join on the
 * subtrees of the grants, the plan for thousands of grants varies between milliseconds and seconds. The derived columns are renamed so that
 * `division_id` stays that of the row.
 */
function isBelow(scope: Scope, divisions: readonly string[], write: WriteValue): Fragment {
  return sql`coalesce((SELECT bool_or(ancestor IN (SELECT unnest(${write(idArray(divisions), 'text[]')})))
    FROM division_ancestor AS a (in_organization, ancestor, descendant)
    WHERE in_organization = ${scope.organizationId} AND descendant = division_id), false)`;
}

/** Granted divisions that are sent with the query. */
const fewDivisions = 50;

function isBelowStored(scope: Scope, divisions: readonly string[], write: WriteValue): Fragment {
  if (divisions.length <= fewDivisions) return isBelow(scope, divisions, write);
  return sql`EXISTS (SELECT FROM division_ancestor AS a (in_organization, ancestor, descendant)
    JOIN api_key_grant AS g (of_organization, of_key, in_tenant, granted)
      ON of_organization = in_organization AND granted = ancestor
    WHERE in_organization = ${scope.organizationId} AND descendant = division_id
      AND of_key = ${scope.callerId} AND in_tenant = tenant_id)`;
}

/** The granted divisions and all below them in the current tree, each once. */
export function subtree(scope: Scope, divisions: readonly string[]): Fragment {
  return sql`SELECT DISTINCT d.division_id FROM unnest(${idArray(divisions)}::text[]) AS granted (id)
    JOIN division_ancestor d ON d.organization_id = ${scope.organizationId} AND d.ancestor_id = granted.id`;
}

/** The text of an array. Identifiers need no quotes; for thousands of them the driver would take milliseconds. */
function idArray(ids: readonly string[]): string {
  return `{${ids.join(',')}}`;
}
