import Type, { type Static } from 'typebox';
import { pageOf } from '../list.ts';
import { CreatedListQuery, idParameter, read, write } from '../operation.ts';
import { inOrganization, ofOrganization, platformOperation } from '../platform-operation.ts';
import { exported, ofPortal, portalOperation, searched } from '../portal-operation.ts';
import { ClosedObject, Id, Instant, Integer, Name, NamedObject, nullable, PatchBody } from '../schema.ts';

const reading = { ...read, tag: 'Tenants', permission: 'tenants:read' } as const;

const path = '/organizations/{organizationId}/tenants';

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

export const listTenants = platformOperation({
  ...reading,
  path,
  summary: 'List tenants',
  description: 'Lists the tenants (companies) of an organization.',
  parameters: inOrganization,
  query: CreatedListQuery,
  ...pageOf(Tenant, 'TenantList', 'A page of tenants'),
});

export const listPortalTenants = ofPortal(listTenants, {
  ...searched,
  path: '/tenants/search',
});

export const exportPortalTenants = ofPortal(listTenants, {
  ...exported,
  path: '/tenants/export',
});

const parameters = ofOrganization('Identifier of the tenant');

export const getTenant = platformOperation({
  ...reading,
  path: `${path}/{id}`,
  summary: 'Get a tenant',
  description: 'Reads one tenant of an organization.',
  parameters,
  success: { status: 200, description: 'The tenant', body: Tenant },
});

export const getPortalTenant = ofPortal(getTenant, {});

export const TenantCreate = NamedObject('TenantCreate', 'A new tenant', {
  name,
  decisionDays: Type.Optional(decisionDays),
});

export const TenantPatch = PatchBody('TenantPatch', 'Name and settings of a tenant; null resets a setting', {
  name,
  decisionDays,
});

const writing = { ...write, tag: 'Tenants', permission: 'tenants:write' } as const;

export const createTenant = platformOperation({
  ...writing,
  path,
  summary: 'Create a tenant',
  description:
    'Creates a tenant. Keys of the whole organization have access at once. A tenant cannot be deleted: read before you repeat a create.',
  parameters: inOrganization,
  body: TenantCreate,
  success: { status: 201, description: 'The tenant was created', body: Tenant },
});

export const updateTenant = platformOperation({
  ...writing,
  method: 'PATCH',
  path: `${path}/{id}`,
  summary: 'Update a tenant',
  description:
    'Renames a tenant, and sets its decision days. These also apply to existing orders: those that are older expire within minutes, permanently.',
  parameters,
  body: TenantPatch,
  success: { status: 200, description: 'The tenant as it is now', body: Tenant },
});

export const renamePortalTenant = portalOperation({
  ...write,
  method: 'PATCH',
  path: '/tenants/{id}',
  tag: 'Tenants',
  permission: 'COMPANY_ADMIN',
  parameters: idParameter('Identifier of the tenant'),
  body: ClosedObject({ name }),
  success: { status: 200, body: Tenant },
});
