import {
  type ApiKeyGrant,
  type ApiKeyPermissions,
  normalizeKeyPermissions,
  unprocessable,
} from '@kontor/contract';

export type KeyStatus = 'active' | 'inactive' | 'deleted';
export type KeyAction = 'deactivate' | 'reactivate' | 'delete';

/** The next status of a key; null: rejected. A deleted key is permanently retired (specification.md 1.4). */
// prettier-ignore
export const transitions: Readonly<Record<KeyStatus, Readonly<Record<KeyAction, KeyStatus | null>>>> = {
  active:   { deactivate: 'inactive', reactivate: 'active', delete: 'deleted' },
  inactive: { deactivate: 'inactive', reactivate: 'active', delete: 'deleted' },
  deleted:  { deactivate: null,       reactivate: null,     delete: 'deleted' },
};

/** The permissions of a new key. @throws ApiError 422 VALIDATION_ERROR for `read` beside another permission, which it would make unclear */
export function limitsOf(permissions: ApiKeyPermissions = null): ApiKeyPermissions {
  if (permissions === null) return null;
  const normalized = normalizeKeyPermissions(permissions);
  if (normalized.includes('read') && normalized.length > 1)
    throw unprocessable('permissions must be read alone, or permissions of resource types');
  return normalized;
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
