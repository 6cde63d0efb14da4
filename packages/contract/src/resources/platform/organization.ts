import type { Static } from 'typebox';
import { fieldsOf } from '../../fields.ts';
import { Id, Instant, Name, NamedObject, Text } from '../../schema.ts';
import { listOf } from '../list.ts';

export const Organization = NamedObject('Organization', 'A customer, who owns everything below', {
  id: Id('Unique identifier of the organization'),
  name: Text('Name of the customer', 'Muster Holding'),
  createdAt: Instant('When the organization was founded'),
});
export type Organization = Static<typeof Organization>;

export const OrganizationCreate = NamedObject('OrganizationCreate', 'A new organization', {
  name: Name('Name of the customer', 'Muster Holding'),
});

export const OrganizationList = listOf(Organization, 'OrganizationList');

export const organizationFields = fieldsOf(Organization);
