import { ApiError } from '@kontor/contract';
import type { Scope } from '../../auth/scope.ts';

export type TenantExists = (organizationId: string, tenantId: string) => Promise<boolean>;

/** Entries of the cache. */
const memory = 10_000;

/** An unknown tenant gets the same answer as one out of scope (specification.md 2.1). @throws ApiError TENANT_NOT_IN_SCOPE. */
export async function checkTenant(scope: Scope, tenant: string, exists: TenantExists): Promise<void> {
  const inScope =
    scope.grants === 'all'
      ? await exists(scope.organizationId, tenant)
      : scope.grants.some(grant => grant.tenantId === tenant);
  if (!inScope)
    throw new ApiError('TENANT_NOT_IN_SCOPE', 'The tenant of X-Tenant-ID is not in the scope of the caller');
}

export type OrganizationExists = (organizationId: string) => Promise<boolean>;

/** `scopeOf` has replaced an organization without access by one that does not exist, so both get the same answer. @throws ApiError NOT_FOUND. */
export async function checkOrganization(scope: Scope, exists: OrganizationExists): Promise<void> {
  if (!(await exists(scope.organizationId)))
    throw new ApiError('NOT_FOUND', 'No organization with this id is visible to the caller');
}

/** Caches only positive answers. A tenant goes only with its organization, whose callers are rejected before; new ones may appear. */
export function caching<Ids extends readonly string[]>(
  exists: (...ids: Ids) => Promise<boolean>,
): (...ids: Ids) => Promise<boolean> {
  const known = new Set<string>();
  return async (...ids) => {
    const key = ids.join('/');
    if (known.has(key)) return true;
    const answer = await exists(...ids);
    if (answer) {
      if (known.size >= memory) known.clear();
      known.add(key);
    }
    return answer;
  };
}
