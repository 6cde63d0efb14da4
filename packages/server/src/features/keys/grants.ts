import { ApiError, type ApiKeyCreate, type ApiKeyGrant, unprocessable } from '@kontor/contract';
import { grantsWholeTenant, type Scope } from '../../auth/scope.ts';
import type { GrantRow } from './rules.ts';

/** Tells which of some identifiers are tenants of an organization, and of which tenant some divisions are. */
export interface Places {
  tenantsAmong(organizationId: string, ids: readonly string[]): Promise<ReadonlySet<string>>;
  divisionsAmong(organizationId: string, ids: readonly string[]): Promise<ReadonlyMap<string, string>>;
}

/**
 * What a new key is to see, checked against what there is and what whoever makes it sees.
 * @throws ApiError 422 VALIDATION_ERROR unless it is either all or grants, each tenant once, and for all where not all is seen;
 * INVALID_REFERENCE for a tenant or division that the organization has not, or that is not seen.
 */
export async function grantedRows(
  { wholeOrganization = false, grants }: Pick<ApiKeyCreate, 'wholeOrganization' | 'grants'>,
  scope: Scope,
  places: Places,
): Promise<'all' | GrantRow[]> {
  if (wholeOrganization === (grants !== undefined))
    throw unprocessable('Send either wholeOrganization: true, or grants');
  if (grants === undefined) {
    if (scope.grants !== 'all')
      throw unprocessable('wholeOrganization is for users of the whole organization; send grants');
    return 'all';
  }
  const tenants = grants.map(({ tenant }) => tenant);
  const twice = tenants.find((tenant, at) => tenants.indexOf(tenant) !== at);
  if (twice !== undefined) throw unprocessable(`grants name the tenant ${twice} more than once`);
  await checkPlaces(grants, scope, places);
  return grants.flatMap(({ tenant, divisions }) =>
    [...new Set(divisions ?? [null])].map(divisionId => ({ tenantId: tenant, divisionId })),
  );
}

async function checkPlaces(
  grants: readonly ApiKeyGrant[],
  scope: Scope,
  { tenantsAmong, divisionsAmong }: Places,
): Promise<void> {
  const { organizationId } = scope;
  const tenants = await tenantsAmong(
    organizationId,
    grants.map(({ tenant }) => tenant),
  );
  const divisions = await divisionsAmong(
    organizationId,
    grants.flatMap(grant => grant.divisions ?? []),
  );
  for (const { tenant, divisions: named } of grants) {
    if (!tenants.has(tenant) || !grantsWholeTenant(scope, tenant))
      throw new ApiError('INVALID_REFERENCE', `grants: the organization has no tenant ${tenant}`);
    const stray = named?.find(id => divisions.get(id) !== tenant);
    if (stray !== undefined)
      throw new ApiError('INVALID_REFERENCE', `grants: the tenant ${tenant} has no division ${stray}`);
  }
}
