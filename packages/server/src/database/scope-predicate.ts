import type { Grant, Scope } from '../scope.ts';
import type { Parameters } from './parameters.ts';

/**
 * The predicate that a row with `organization_id`, `tenant_id` and `division_id` is visible to the key, narrowed to
 * `tenant` when one is selected (decisions.md section 1). It is part of every query on such a row. The caller has checked
 * that the tenant is in scope; a tenant outside it selects nothing here.
 */
export function scopePredicate(scope: Scope, tenant: string | null, parameters: Parameters): string {
  const organization = `organization_id = ${parameters.add(scope.organizationId)}`;
  if (scope.grants === 'all')
    return tenant === null ? organization : `${organization} AND tenant_id = ${parameters.add(tenant)}`;
  const grants = scope.grants.filter(grant => tenant === null || grant.tenantId === tenant);
  return `${organization} AND ${grantsPredicate(scope, grants, parameters)}`;
}

function grantsPredicate(scope: Scope, grants: readonly Grant[], parameters: Parameters): string {
  const tenants = [
    ...new Set(grants.filter(grant => grant.divisions === 'all').map(grant => grant.tenantId)),
  ];
  const partial = grants.filter(grant => !tenants.includes(grant.tenantId));
  const divisions = partial.flatMap(grant => (grant.divisions === 'all' ? [] : grant.divisions));
  const arms: string[] = [];
  if (tenants.length > 0) arms.push(isOneOf('tenant_id', tenants, parameters));
  if (divisions.length > 0) {
    const within = isOneOf('tenant_id', [...new Set(partial.map(grant => grant.tenantId))], parameters);
    arms.push(`${within} AND ${belowOneOf(scope, divisions, parameters)}`);
  }
  if (arms.length === 0) return 'false';
  return arms.length === 1 ? arms[0]! : `(${arms.join(' OR ')})`;
}

function isOneOf(column: string, values: readonly string[], parameters: Parameters): string {
  if (values.length === 1) return `${column} = ${parameters.add(values[0])}`;
  return `${column} = ANY(${parameters.add(values, 'text[]')})`;
}

/**
 * Whether the row's division or an ancestor of it is granted. It looks at the few ancestors of one row and hashes the
 * grants once. As a join on the subtrees of the grants, the plan for thousands of grants flips between milliseconds and
 * seconds. The names of the derived columns keep `division_id` the row's.
 */
function belowOneOf(scope: Scope, divisions: readonly string[], parameters: Parameters): string {
  return `coalesce((SELECT bool_or(ancestor IN (SELECT unnest(${parameters.add(idArray(divisions), 'text[]')})))
    FROM division_ancestor AS a (in_organization, ancestor, descendant)
    WHERE in_organization = ${parameters.add(scope.organizationId)} AND descendant = division_id), false)`;
}

/** The divisions below the granted ones, themselves included, as the tree is now; each once. */
export function subtree(scope: Scope, divisions: readonly string[], parameters: Parameters): string {
  return `SELECT DISTINCT d.division_id FROM unnest(${parameters.add(idArray(divisions), 'text[]')}) AS granted (id)
    JOIN division_ancestor d ON d.organization_id = ${parameters.add(scope.organizationId)} AND d.ancestor_id = granted.id`;
}

/** The text of an array of identifiers, which need no quotes; for thousands of them the driver takes milliseconds. */
function idArray(ids: readonly string[]): string {
  return `{${ids.join(',')}}`;
}
