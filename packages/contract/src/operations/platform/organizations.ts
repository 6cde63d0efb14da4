import { idParameter, CreatedListQuery, none, WriteQuery } from '../../operation.ts';
import {
  Organization,
  OrganizationCreate,
  organizationFields,
  OrganizationList,
} from '../../resources/platform/organization.ts';
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
    query: CreatedListQuery,
    success: { status: 200, description: 'A page of organizations', body: OrganizationList },
    fields: organizationFields,
    errors: [],
  },
  createOrganization: {
    method: 'POST',
    path: '/organizations',
    tag: 'Organizations',
    summary: 'Create an organization',
    description:
      'Creates an organization, which takes a token for all of them. It is never deleted, so do not repeat a create unread.',
    authenticated: true,
    permission: 'organizations:write',
    parameters: none,
    query: WriteQuery,
    body: OrganizationCreate,
    success: { status: 201, description: 'The organization was created', body: Organization },
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
