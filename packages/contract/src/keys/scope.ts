import Type, { type Static } from 'typebox';
import { ApiKeyCreate } from './keys.ts';
import { getApiKeyUsage } from './use.ts';
import { bodyLimits } from '../body-limit.ts';
import { none } from '../operation.ts';
import { ofPortal, portalOperation } from '../portal-operation.ts';
import { ClosedObject, Count, Id, nullable, Text } from '../schema.ts';

const { wholeOrganization, grants } = ApiKeyCreate.properties;

export const ApiKeyScopePreview = ClosedObject({
  tenants: Count(),
  divisions: Count(),
  employees: Count(),
  orders: Count(),
});
export type ApiKeyScopePreview = Static<typeof ApiKeyScopePreview>;

const GrantedDivision = ClosedObject({
  id: Id(),
  path: Type.Array(Text()),
});

const GrantedTenant = ClosedObject({
  id: Id(),
  name: Text(),
  grantedDivisions: nullable(Count()),
  divisions: Type.Array(GrantedDivision),
});

export const ApiKeyScope = ClosedObject({
  ...ApiKeyScopePreview.properties,
  grantedTenants: Type.Array(GrantedTenant),
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
  body: ClosedObject({ wholeOrganization, grants }),
  bodyLimit: bodyLimits.list,
  success: { status: 200, body: ApiKeyScopePreview },
  errors: ['VALIDATION_ERROR', 'INVALID_REFERENCE_ID', 'INVALID_REFERENCE'],
});

export const getPortalApiKeyScope = ofPortal(getApiKeyUsage, {
  path: '/api-keys/{id}/scope',
  success: { status: 200, body: ApiKeyScope },
});
