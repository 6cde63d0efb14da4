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
  const tenants = grants.filter(grant => grant.divisions === 'all').map(grant => grant.tenantId);
  const divisions = grants.flatMap(grant => (grant.divisions === 'all' ? [] : grant.divisions));
  const arms: string[] = [];
  if (tenants.length === 1) arms.push(`tenant_id = ${parameters.add(tenants[0])}`);
  if (tenants.length > 1) arms.push(`tenant_id = ANY(${parameters.add(tenants, 'text[]')})`);
  if (divisions.length > 0) arms.push(`division_id IN (${subtree(scope, divisions, parameters)})`);
  if (arms.length === 0) return 'false';
  return arms.length === 1 ? arms[0]! : `(${arms.join(' OR ')})`;
}

/** The divisions below the granted ones, themselves included, as the tree is now. */
export function subtree(scope: Scope, divisions: readonly string[], parameters: Parameters): string {
  return `SELECT d.division_id FROM division_ancestor d WHERE d.organization_id = ${parameters.add(scope.organizationId)} AND d.ancestor_id = ANY(${parameters.add(divisions, 'text[]')})`;
}
