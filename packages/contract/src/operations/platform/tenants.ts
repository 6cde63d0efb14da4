import { CreatedListQuery, read, write } from '../../operation.ts';
import {
  Tenant,
  TenantCreate,
  tenantFields,
  TenantList,
  TenantPatch,
} from '../../resources/platform/tenant.ts';
import { inOrganization, ofOrganization, type PlatformOperation } from './operation.ts';

const path = '/organizations/{organizationId}/tenants';
const parameters = ofOrganization('Identifier of the tenant');
const reading = { ...read, tag: 'Tenants', permission: 'tenants:read' } as const;
const writing = { ...write, tag: 'Tenants', permission: 'tenants:write' } as const;

export const tenantOperations = {
  listTenants: {
    ...reading,
    path,
    summary: 'List tenants',
    description: 'Lists the tenants (companies) of an organization.',
    parameters: inOrganization,
    query: CreatedListQuery,
    success: { status: 200, description: 'A page of tenants', body: TenantList },
    fields: tenantFields,
  },
  createTenant: {
    ...writing,
    path,
    summary: 'Create a tenant',
    description:
      'Creates a tenant. Keys of the whole organization have access at once. A tenant cannot be deleted: read before you repeat a create.',
    parameters: inOrganization,
    body: TenantCreate,
    success: { status: 201, description: 'The tenant was created', body: Tenant },
  },
  getTenant: {
    ...reading,
    path: `${path}/{id}`,
    summary: 'Get a tenant',
    description: 'Reads one tenant of an organization.',
    parameters,
    success: { status: 200, description: 'The tenant', body: Tenant },
  },
  updateTenant: {
    ...writing,
    method: 'PATCH',
    path: `${path}/{id}`,
    summary: 'Update a tenant',
    description:
      'Sets the decision days of a tenant. This also applies to existing orders: those that are older expire within minutes, permanently.',
    parameters,
    body: TenantPatch,
    success: { status: 200, description: 'The tenant as it is now', body: Tenant },
  },
} as const satisfies Record<string, PlatformOperation>;
