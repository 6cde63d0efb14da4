/** What a caller may see in one tenant: all of its divisions, or these and their subtrees as the tree is now. */
export interface Grant {
  readonly tenantId: string;
  readonly divisions: 'all' | readonly string[];
}

/** What a caller may see of an organization (specification.md 1.3). All of it covers tenants created later too. */
export interface Scope {
  readonly organizationId: string;
  /**
   * Whose scope it is: what is cached is kept apart by it, and many grants of a key are stored under it. It names one scope for ever, so
   * who can be given another one has another name then.
   */
  readonly callerId: string;
  readonly grants: 'all' | readonly Grant[];
}

/** Whether the key covers all divisions of the tenant, and with them what stands in none. */
export function grantsWholeTenant(scope: Scope, tenant: string | null): boolean {
  if (scope.grants === 'all') return true;
  return scope.grants.some(grant => grant.tenantId === tenant && grant.divisions === 'all');
}

/** The tenant of all grants, if there is a single one; null for a whole-organization key, whose grants do not say. */
export function onlyGrantedTenant(scope: Scope): string | null {
  if (scope.grants === 'all') return null;
  const tenants = new Set(scope.grants.map(grant => grant.tenantId));
  return tenants.size === 1 ? [...tenants][0]! : null;
}
