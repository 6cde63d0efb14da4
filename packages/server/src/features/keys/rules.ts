import type { ApiKeyGrant } from '@kontor/contract';

export type KeyStatus = 'active' | 'inactive' | 'deleted';
export type KeyAction = 'deactivate' | 'reactivate' | 'delete';

const nextStatus: Record<KeyAction, KeyStatus> = {
  deactivate: 'inactive',
  reactivate: 'active',
  delete: 'deleted',
};

/** Returns null when the action is not allowed: a deleted key is permanently retired (specification.md 1.4). */
export function statusAfter(status: KeyStatus, action: KeyAction): KeyStatus | null {
  return status === 'deleted' && action !== 'delete' ? null : nextStatus[action];
}

/** A tenant and one of its divisions; `divisionId` is null for the whole tenant. */
export interface GrantRow {
  readonly tenantId: string;
  readonly divisionId: string | null;
}

export function rowsOfGrants(grants: readonly ApiKeyGrant[]): GrantRow[] {
  return grants.flatMap(({ tenant, divisions }) =>
    [...new Set(divisions ?? [null])].map(divisionId => ({ tenantId: tenant, divisionId })),
  );
}

/**
 * The grants of chosen tenants and divisions (division → its tenant). A tenant with chosen divisions is granted with these only,
 * otherwise as a whole. Returns `stray` for a division of a tenant that was not chosen.
 */
export function grantRows(
  tenants: readonly string[],
  divisions: ReadonlyMap<string, string>,
): { rows: GrantRow[] } | { stray: string } {
  const stray = [...divisions].find(([, tenantId]) => tenants.length > 0 && !tenants.includes(tenantId));
  if (stray) return { stray: stray[0] };
  const restricted = new Set(divisions.values());
  const whole = [...new Set(tenants)].filter(tenantId => !restricted.has(tenantId));
  return {
    rows: [
      ...whole.map(tenantId => ({ tenantId, divisionId: null })),
      ...[...divisions].map(([divisionId, tenantId]) => ({ tenantId, divisionId })),
    ],
  };
}
