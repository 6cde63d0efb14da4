import { CreatedListQuery, none, WriteQuery } from '../../operation.ts';
import {
  Tenant,
  TenantCreate,
  tenantFields,
  TenantList,
  TenantPatch,
} from '../../resources/platform/tenant.ts';
import { inOrganization, ofOrganization, type PlatformOperation } from './operation.ts';

export const tenantOperations = {
  listTenants: {
    method: 'GET',
    path: '/organizations/{organizationId}/tenants',
    tag: 'Tenants',
    summary: 'List tenants',
    description: 'Lists the tenants (companies) of an organization.',
    authenticated: true,
    permission: 'tenants:read',
    parameters: inOrganization,
    query: CreatedListQuery,
    success: { status: 200, description: 'A page of tenants', body: TenantList },
    fields: tenantFields,
    errors: [],
  },
  createTenant: {
    method: 'POST',
    path: '/organizations/{organizationId}/tenants',
    tag: 'Tenants',
    summary: 'Create a tenant',
    description:
      'Creates a tenant. Keys of the whole organization see it at once. A tenant is never deleted, so do not repeat a create unread.',
    authenticated: true,
    permission: 'tenants:write',
    parameters: inOrganization,
    query: WriteQuery,
    body: TenantCreate,
    success: { status: 201, description: 'The tenant was created', body: Tenant },
    errors: [],
  },
  getTenant: {
    method: 'GET',
    path: '/organizations/{organizationId}/tenants/{id}',
    tag: 'Tenants',
    summary: 'Get a tenant',
    description: 'Reads one tenant of an organization.',
    authenticated: true,
    permission: 'tenants:read',
    parameters: ofOrganization('Identifier of the tenant'),
    query: none,
    success: { status: 200, description: 'The tenant', body: Tenant },
    errors: [],
  },
  updateTenant: {
    method: 'PATCH',
    path: '/organizations/{organizationId}/tenants/{id}',
    tag: 'Tenants',
    summary: 'Update a tenant',
    description:
      'Sets in how many days orders of a tenant are decided. It holds for the orders that are there, too: those that have waited for longer expire within minutes, for good.',
    authenticated: true,
    permission: 'tenants:write',
    parameters: ofOrganization('Identifier of the tenant'),
    query: WriteQuery,
    body: TenantPatch,
    success: { status: 200, description: 'The tenant as it is now', body: Tenant },
    errors: [],
  },
} as const satisfies Record<string, PlatformOperation>;
