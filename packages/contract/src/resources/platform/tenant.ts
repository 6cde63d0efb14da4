import Type, { type Static } from 'typebox';
import { fieldsOf } from '../../fields.ts';
import { Id, Instant } from '../../schema.ts';
import { listOf } from '../list.ts';

const name = Type.String({
  minLength: 1,
  maxLength: 200,
  description: 'Name of the company',
  examples: ['Muster Logistik GmbH'],
});

export const Tenant = Type.Object(
  {
    id: Id('Unique identifier of the tenant, which `X-Tenant-ID` of the public API takes'),
    organizationId: Id('Organization that it belongs to'),
    name,
    createdAt: Instant('When the tenant was created'),
  },
  { $id: 'Tenant', additionalProperties: false, description: 'A company of an organization' },
);
export type Tenant = Static<typeof Tenant>;

export const TenantList = listOf(Tenant, 'TenantList');

export const TenantCreate = Type.Object(
  { name },
  { $id: 'TenantCreate', additionalProperties: false, description: 'A new tenant' },
);

/** The fields that `filter` and `sort` take on the tenants of an organization. */
export const tenantFields = fieldsOf(Tenant);
