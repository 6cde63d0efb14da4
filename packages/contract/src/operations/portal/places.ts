import { CreatedListQuery, idParameter, ListQuery, none } from '../../operation.ts';
import { divisionFields, DivisionList } from '../../resources/division.ts';
import { Tenant, tenantFields, TenantList } from '../../resources/platform/tenant.ts';
import type { PortalOperation } from './operation.ts';

const reading = { method: 'GET', authenticated: true, parameters: none } as const;

export const placeOperations = {
  listPortalTenants: {
    ...reading,
    path: '/tenants',
    tag: 'Tenants',
    summary: 'List tenants',
    description:
      'Lists the tenants (companies) that the user sees: all of the organization, or of HR alone those that this is for.',
    query: CreatedListQuery,
    success: { status: 200, description: 'A page of tenants', body: TenantList },
    fields: tenantFields,
    errors: [],
  },
  getPortalTenant: {
    ...reading,
    path: '/tenants/{id}',
    tag: 'Tenants',
    summary: 'Get a tenant',
    description: 'Reads one tenant that the user sees.',
    parameters: idParameter('Identifier of the tenant'),
    query: none,
    success: { status: 200, description: 'The tenant', body: Tenant },
    errors: [],
  },
  listPortalDivisions: {
    ...reading,
    path: '/divisions',
    tag: 'Divisions',
    summary: 'List divisions',
    description:
      'Lists the divisions of the tenants that the user sees, such as those below one with `parentId`, or of one tenant with `tenant`.',
    query: ListQuery,
    success: { status: 200, description: 'A page of divisions', body: DivisionList },
    fields: divisionFields,
    errors: [],
  },
} as const satisfies Record<string, PortalOperation>;
