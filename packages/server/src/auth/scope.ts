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
  /** One for each tenant. */
  readonly grants: 'all' | readonly Grant[];
}

/** A row of stored grants. Without a division it grants the whole tenant. */
export interface GrantedRow {
  readonly tenant: string;
  readonly division: string | null;
}

/** Merges rows to one grant for each tenant. */
export function mergeGrants(rows: readonly GrantedRow[]): Grant[] {
  const tenants = Map.groupBy(rows, row => row.tenant);
  return [...tenants].map(([tenantId, granted]) => {
    const divisions = granted.flatMap(row => (row.division === null ? [] : [row.division]));
    return { tenantId, divisions: divisions.length < granted.length ? 'all' : divisions };
  });
}

/** The rows that a scope and a selected tenant give access to: a range of the organization's rows, and the visible part of it. */
export interface Access {
  /** The tenant of all visible rows, if there is only one. Otherwise the range is the organization. */
  readonly tenant: string | null;
  /** All rows of the range are visible. */
  readonly isOpen: boolean;
  /** The tenants that are granted as a whole. Empty for open access, as are the others. */
  readonly tenants: readonly string[];
  /** The granted divisions, and their tenants. */
  readonly divisions: readonly string[];
  readonly divided: readonly string[];
}

export function accessOf({ grants }: Scope, tenant: string | null): Access {
  const open = { isOpen: true, tenants: [], divisions: [], divided: [] };
  if (grants === 'all') return { tenant, ...open };
  const granted = grants.filter(grant => tenant === null || grant.tenantId === tenant);
  const [first, ...others] = granted;
  const only = first && others.length === 0 ? first.tenantId : null;
  if (only !== null && first!.divisions === 'all') return { tenant: only, ...open };
  const partial = granted.filter(({ divisions }) => divisions !== 'all');
  return {
    tenant: only,
    isOpen: false,
    tenants: granted.filter(({ divisions }) => divisions === 'all').map(({ tenantId }) => tenantId),
    divisions: partial.flatMap(({ divisions }) => divisions),
    divided: partial.map(({ tenantId }) => tenantId),
  };
}

/** Whether the key covers all divisions of the tenant, and with them rows without a division. */
export function grantsWholeTenant(scope: Scope, tenant: string | null): boolean {
  if (scope.grants === 'all') return true;
  return scope.grants.some(grant => grant.tenantId === tenant && grant.divisions === 'all');
}

/** The single tenant of all grants; null for several tenants, and for a key of the whole organization. */
export function onlyGrantedTenant(scope: Scope): string | null {
  return scope.grants === 'all' ? null : accessOf(scope, null).tenant;
}
