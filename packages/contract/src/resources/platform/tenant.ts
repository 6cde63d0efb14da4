import Type, { type Static } from 'typebox';
import { fieldsOf } from '../../fields.ts';
import { Id, Instant, Integer, Name, NamedObject, nullable, PatchBody } from '../../schema.ts';
import { listOf } from '../list.ts';

const name = Name('Name of the company', 'Muster Logistik GmbH');

export const decisionDaysMaximum = 3650;

const decisionDays = nullable(
  Integer(
    'Days of 24 hours after its submission in which an order is decided; then it becomes `expired`. Null: it does not expire',
    30,
    { minimum: 1, maximum: decisionDaysMaximum },
  ),
);

export const Tenant = NamedObject('Tenant', 'A company of an organization', {
  id: Id('Unique identifier of the tenant, which `X-Tenant-ID` of the public API takes'),
  organizationId: Id('Organization that it belongs to'),
  name,
  decisionDays,
  createdAt: Instant('When the tenant was created'),
});
export type Tenant = Static<typeof Tenant>;

export const TenantList = listOf(Tenant, 'TenantList');

export const TenantCreate = NamedObject('TenantCreate', 'A new tenant', {
  name,
  decisionDays: Type.Optional(decisionDays),
});

export const TenantPatch = PatchBody('TenantPatch', 'Settings of a tenant; null resets one', {
  decisionDays,
});

export const tenantFields = fieldsOf(Tenant);
