import type { Static } from 'typebox';
import { pageOf } from '../list.ts';
import { CreatedListQuery, idParameter, list, read, write } from '../operation.ts';
import { platformOperation } from '../platform-operation.ts';
import { Id, Instant, Name, NamedObject, Text } from '../schema.ts';

export const Organization = NamedObject('Organization', 'A customer, who owns everything below', {
  id: Id('Unique identifier of the organization'),
  name: Text('Name of the customer', 'Muster Holding'),
  createdAt: Instant('When the organization was founded'),
});
export type Organization = Static<typeof Organization>;

export const OrganizationCreate = NamedObject('OrganizationCreate', 'A new organization', {
  name: Name('Name of the customer', 'Muster Holding'),
});

export const listOrganizations = platformOperation({
  ...list,
  path: '/organizations',
  tag: 'Organizations',
  summary: 'List organizations',
  description: 'Lists the organizations that the token may work on.',
  permission: 'organizations:read',
  query: CreatedListQuery,
  ...pageOf(Organization, 'OrganizationList', 'A page of organizations'),
});

export const createOrganization = platformOperation({
  ...write,
  path: '/organizations',
  tag: 'Organizations',
  summary: 'Create an organization',
  description:
    'Creates an organization, which requires a token for all of them. It cannot be deleted: after a timeout, read before you repeat a create.',
  permission: 'organizations:write',
  body: OrganizationCreate,
  success: { status: 201, description: 'The organization was created', body: Organization },
});

export const getOrganization = platformOperation({
  ...read,
  path: '/organizations/{id}',
  tag: 'Organizations',
  summary: 'Get an organization',
  description: 'Reads one organization.',
  permission: 'organizations:read',
  parameters: idParameter('Identifier of the organization'),
  success: { status: 200, description: 'The organization', body: Organization },
});
