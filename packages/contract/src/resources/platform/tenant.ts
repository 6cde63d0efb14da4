import Type, { type Static } from 'typebox';
import { fieldsOf } from '../../fields.ts';
import { Id, Instant, Name, nullable } from '../../schema.ts';
import { listOf } from '../list.ts';

const name = Name('Name of the company', 'Muster Logistik GmbH');

export const decisionDaysMaximum = 3650;

const decisionDays = nullable(
  Type.Integer({
    minimum: 1,
    maximum: decisionDaysMaximum,
    description:
      'Days of 24 hours after its submission in which an order is decided; then it becomes `expired`. Null: it waits for ever',
    examples: [30],
  }),
);

export const Tenant = Type.Object(
  {
    id: Id('Unique identifier of the tenant, which `X-Tenant-ID` of the public API takes'),
    organizationId: Id('Organization that it belongs to'),
    name,
    decisionDays,
    createdAt: Instant('When the tenant was created'),
  },
  { $id: 'Tenant', additionalProperties: false, description: 'A company of an organization' },
);
export type Tenant = Static<typeof Tenant>;

export const TenantList = listOf(Tenant, 'TenantList');

export const TenantCreate = Type.Object(
  { name, decisionDays: Type.Optional(decisionDays) },
  { $id: 'TenantCreate', additionalProperties: false, description: 'A new tenant' },
);

export const TenantPatch = Type.Object(
  { decisionDays: Type.Optional(decisionDays) },
  {
    $id: 'TenantPatch',
    additionalProperties: false,
    minProperties: 1,
    description: 'What is set for a tenant; null sets it back',
  },
);

export const tenantFields = fieldsOf(Tenant);
