import { CreatedListQuery, idParameter, list, read, write } from '../../operation.ts';
import {
  Organization,
  OrganizationCreate,
  organizationFields,
  OrganizationList,
} from '../../resources/platform/organization.ts';
import type { PlatformOperation } from './operation.ts';

export const organizationOperations = {
  listOrganizations: {
    ...list,
    path: '/organizations',
    tag: 'Organizations',
    summary: 'List organizations',
    description: 'Lists the organizations that the token may work on.',
    permission: 'organizations:read',
    query: CreatedListQuery,
    success: { status: 200, description: 'A page of organizations', body: OrganizationList },
    fields: organizationFields,
  },
  createOrganization: {
    ...write,
    path: '/organizations',
    tag: 'Organizations',
    summary: 'Create an organization',
    description:
      'Creates an organization, which takes a token for all of them. It cannot be deleted: after a timeout, read before you repeat a create.',
    permission: 'organizations:write',
    body: OrganizationCreate,
    success: { status: 201, description: 'The organization was created', body: Organization },
  },
  getOrganization: {
    ...read,
    path: '/organizations/{id}',
    tag: 'Organizations',
    summary: 'Get an organization',
    description: 'Reads one organization.',
    permission: 'organizations:read',
    parameters: idParameter('Identifier of the organization'),
    success: { status: 200, description: 'The organization', body: Organization },
  },
} as const satisfies Record<string, PlatformOperation>;
