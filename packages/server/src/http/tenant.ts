import { ApiError } from '@kontor/contract';
import type { Scope } from '../scope.ts';

export type TenantExists = (organizationId: string, tenantId: string) => Promise<boolean>;

/** Most tenants that are remembered to exist. */
const memory = 10_000;

/**
 * Checks that the selected tenant is in the scope of the key; one that does not exist looks as if it were not
 * (specification.md 2.1).
 * @throws ApiError TENANT_NOT_IN_SCOPE.
 */
export async function checkTenant(scope: Scope, tenant: string, exists: TenantExists): Promise<void> {
  const inScope =
    scope.grants === 'all'
      ? await exists(scope.organizationId, tenant)
      : scope.grants.some(grant => grant.tenantId === tenant);
  if (!inScope)
    throw new ApiError('TENANT_NOT_IN_SCOPE', 'The tenant of X-Tenant-ID is not in the scope of the key');
}

/** Remembers which tenants exist, as a tenant is never deleted nor moved; one that does not exist may come. */
export function remembering(exists: TenantExists): TenantExists {
  const known = new Set<string>();
  return async (organizationId, tenantId) => {
    const key = `${organizationId}/${tenantId}`;
    if (known.has(key)) return true;
    const answer = await exists(organizationId, tenantId);
    if (answer) {
      if (known.size >= memory) known.clear();
      known.add(key);
    }
    return answer;
  };
}
