import { ApiError, type ApiKeyCreate, type ApiKeyGrant, unprocessable } from '@kontor/contract';
import type { GrantRow } from './rules.ts';

/** Tells which of some identifiers are tenants of an organization, and of which tenant some divisions are. */
export interface Places {
  tenantsAmong(organizationId: string, ids: readonly string[]): Promise<ReadonlySet<string>>;
  divisionsAmong(organizationId: string, ids: readonly string[]): Promise<ReadonlyMap<string, string>>;
}

/**
 * What a new key is to see, checked against what there is.
 * @throws ApiError 422 VALIDATION_ERROR unless it is either all or grants, each tenant once; INVALID_REFERENCE for a tenant or
 * division that the organization has not.
 */
export async function grantedRows(
  { wholeOrganization = false, grants }: ApiKeyCreate,
  organizationId: string,
  places: Places,
): Promise<'all' | GrantRow[]> {
  if (wholeOrganization === (grants !== undefined))
    throw unprocessable('Send either wholeOrganization: true, or grants');
  if (grants === undefined) return 'all';
  const tenants = grants.map(({ tenant }) => tenant);
  const twice = tenants.find((tenant, at) => tenants.indexOf(tenant) !== at);
  if (twice !== undefined) throw unprocessable(`grants name the tenant ${twice} more than once`);
  await checkPlaces(grants, organizationId, places);
  return grants.flatMap(({ tenant, divisions }) =>
    [...new Set(divisions ?? [null])].map(divisionId => ({ tenantId: tenant, divisionId })),
  );
}

async function checkPlaces(
  grants: readonly ApiKeyGrant[],
  organizationId: string,
  { tenantsAmong, divisionsAmong }: Places,
): Promise<void> {
  const tenants = await tenantsAmong(
    organizationId,
    grants.map(({ tenant }) => tenant),
  );
  const divisions = await divisionsAmong(
    organizationId,
    grants.flatMap(grant => grant.divisions ?? []),
  );
  for (const { tenant, divisions: named } of grants) {
    if (!tenants.has(tenant))
      throw new ApiError('INVALID_REFERENCE', `grants: the organization has no tenant ${tenant}`);
    const stray = named?.find(id => divisions.get(id) !== tenant);
    if (stray !== undefined)
      throw new ApiError('INVALID_REFERENCE', `grants: the tenant ${tenant} has no division ${stray}`);
  }
}
