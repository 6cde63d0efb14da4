import Type, { type Static } from 'typebox';
import { fieldsOf } from '../../fields.ts';
import { Id, Instant, Name } from '../../schema.ts';
import { listOf } from '../list.ts';

export const Organization = Type.Object(
  {
    id: Id('Unique identifier of the organization'),
    name: Type.String({ description: 'Name of the customer', examples: ['Muster Holding'] }),
    createdAt: Instant('When the organization was founded'),
  },
  { $id: 'Organization', additionalProperties: false, description: 'A customer, who owns everything below' },
);
export type Organization = Static<typeof Organization>;

export const OrganizationCreate = Type.Object(
  {
    name: Name('Name of the customer', 'Muster Holding'),
  },
  { $id: 'OrganizationCreate', additionalProperties: false, description: 'A new organization' },
);

export const OrganizationList = listOf(Organization, 'OrganizationList');

export const organizationFields = fieldsOf(Organization);
