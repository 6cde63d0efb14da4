import Type, { type Static } from 'typebox';
import { ApiKeyCreate } from './keys.ts';
import { getApiKeyUsage } from './use.ts';
import { bodyLimits } from '../body-limit.ts';
import { none } from '../operation.ts';
import { ofPortal, portalOperation } from '../portal-operation.ts';
import { Count, Id, Name, NamedObject, nullable, Text } from '../schema.ts';

const { wholeOrganization, grants } = ApiKeyCreate.properties;

export const ApiKeyScopePreviewRequest = NamedObject(
  'ApiKeyScopePreviewRequest',
  'The scope of a key that does not exist yet, as a create would have it',
  { wholeOrganization, grants },
);

export const ApiKeyScopePreview = NamedObject('ApiKeyScopePreview', 'Size of the scope of an API key', {
  tenants: Count('Tenants in the scope', 2),
  divisions: Count('Divisions, those below the granted ones among them', 48),
  employees: Count('Employees, blocked ones too', 1250),
  orders: Count('Orders of these employees, in any state', 310),
});
export type ApiKeyScopePreview = Static<typeof ApiKeyScopePreview>;

const GrantedDivision = NamedObject('GrantedDivision', 'A granted division, with all below it', {
  id: Id('Identifier of the division'),
  path: Type.Array(Text('Name of a division', 'Sales'), {
    description: 'Names of the divisions from the top down to this one',
  }),
});

const GrantedTenant = NamedObject('GrantedTenant', 'A tenant in the scope of a key', {
  id: Id('Identifier of the tenant'),
  name: Name('Name of the tenant', 'Muster GmbH'),
  grantedDivisions: nullable(Count('Number of granted divisions; null: the whole tenant', 2)),
  divisions: Type.Array(GrantedDivision, {
    description: 'These divisions by name: the first 100 of all tenants together',
  }),
});

export const ApiKeyScope = NamedObject('ApiKeyScope', 'The scope of an API key, and how much it can access', {
  ...ApiKeyScopePreview.properties,
  grantedTenants: Type.Array(GrantedTenant, {
    description: 'The first 100 tenants by name; none for a key of the whole organization',
  }),
});
export type ApiKeyScope = Static<typeof ApiKeyScope>;

export const previewPortalApiKeyScope = portalOperation({
  tag: 'API keys',
  method: 'POST',
  authenticated: true,
  changesNothing: true,
  path: '/api-key-scope-previews',
  parameters: none,
  query: none,
  body: ApiKeyScopePreviewRequest,
  bodyLimit: bodyLimits.list,
  success: { status: 200, body: ApiKeyScopePreview },
  errors: ['VALIDATION_ERROR', 'INVALID_REFERENCE_ID', 'INVALID_REFERENCE'],
});

export const getPortalApiKeyScope = ofPortal(getApiKeyUsage, {
  path: '/api-keys/{id}/scope',
  success: { status: 200, body: ApiKeyScope },
});
