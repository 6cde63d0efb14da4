import { idParameter, ListQuery, none } from '../../operation.ts';
import { Organization, organizationFields, OrganizationList } from '../../resources/platform/organization.ts';
import type { PlatformOperation } from './operation.ts';

export const organizationOperations = {
  listOrganizations: {
    method: 'GET',
    path: '/organizations',
    tag: 'Organizations',
    summary: 'List organizations',
    description: 'Lists the organizations that the token may work on.',
    authenticated: true,
    permission: 'organizations:read',
    parameters: none,
    query: ListQuery,
    success: { status: 200, description: 'A page of organizations', body: OrganizationList },
    fields: organizationFields,
    errors: [],
  },
  getOrganization: {
    method: 'GET',
    path: '/organizations/{id}',
    tag: 'Organizations',
    summary: 'Get an organization',
    description: 'Reads one organization.',
    authenticated: true,
    permission: 'organizations:read',
    parameters: idParameter('Identifier of the organization'),
    query: none,
    success: { status: 200, description: 'The organization', body: Organization },
    errors: [],
  },
} as const satisfies Record<string, PlatformOperation>;
