/** Access to a tenant: all of its divisions, or these with their current subtrees. */
export interface Grant {
  readonly tenantId: string;
  readonly divisions: 'all' | readonly string[];
}

/** Access to an organization (specification.md 1.3). `all` includes tenants created later. */
export interface Scope {
  readonly organizationId: string;
  /** Identifies the scope in caches, and its grants in the database. An id always has the same scope: a changed scope needs a new id. */
  readonly callerId: string;
  readonly grants: 'all' | readonly Grant[];
}

/** Whether the key covers all divisions of the tenant, and with them rows without a division. */
export function grantsWholeTenant(scope: Scope, tenant: string | null): boolean {
  if (scope.grants === 'all') return true;
  return scope.grants.some(grant => grant.tenantId === tenant && grant.divisions === 'all');
}

/** The single tenant of all grants; null for several tenants, and for a key of the whole organization. */
export function onlyGrantedTenant(scope: Scope): string | null {
  if (scope.grants === 'all') return null;
  const tenants = new Set(scope.grants.map(grant => grant.tenantId));
  return tenants.size === 1 ? [...tenants][0]! : null;
}
