import Type, { type Static } from 'typebox';
import { bodyLimits } from '../body-limit.ts';
import { pageOf } from '../list.ts';
import { CreatedListQuery, read, write } from '../operation.ts';
import { inOrganization, keyOfOrganization, platformOperation } from '../platform-operation.ts';
import { CompanyQuery, exported, ofPortal, searched } from '../portal-operation.ts';
import {
  ClosedObject,
  Count,
  Flag,
  Id,
  Instant,
  InstantInput,
  Integer,
  KeyId,
  Name,
  NamedObject,
  nullable,
  orNull,
  Text,
  Values,
} from '../schema.ts';
import { apiKeyPermissions } from './permissions.ts';

const name = Name('Name, for people', 'Payroll of Muster GmbH');
const wholeOrganization = Flag('Whether its scope is the whole organization, including later tenants', false);

const Grant = NamedObject('ApiKeyGrant', 'The grant of an API key for a tenant', {
  tenant: Id('Tenant in its scope'),
  divisions: orNull(
    Type.Array(Id('Division in its scope, with all below it'), { minItems: 1, maxItems: 10_000 }),
    'Divisions of the tenant, each with its subtree; null: the whole tenant',
  ),
});
export type ApiKeyGrant = Static<typeof Grant>;

const Quota = NamedObject('ApiKeyQuota', 'Most requests in a window of time', {
  requests: Integer('Requests', 600, { minimum: 1, maximum: 999_999_999 }),
  seconds: Integer('Period in seconds', 60, { minimum: 1, maximum: 86_400 }),
});

const Permission = Values('ApiKeyPermission', apiKeyPermissions, 'What a key may do');

const properties = {
  id: KeyId('Unique identifier of the key, which is the middle of its text and no secret'),
  name,
  status: Values(
    'ApiKeyStatus',
    ['active', 'inactive', 'expired', 'deleted'],
    'State of the key: `inactive` can be reactivated; `expired` and `deleted` are final',
  ),
  wholeOrganization,
  grants: Type.Array(Grant, { description: 'Its grants; empty if its scope is the whole organization' }),
  permissions: orNull(
    Type.Array(Permission),
    'What the key may do: read everything, or read or write some resource types. Writing a type includes reading it. Null: everything',
  ),
  quota: orNull(Quota, 'Its own quota; null: the quota of the installation'),
  createdAt: Instant('When the key was created'),
  expiresAt: nullable(Instant('When it expires; null: never')),
  lastUsedAt: nullable(Instant('When it was last used, up to some seconds ago; null: never')),
};

export const ApiKey = NamedObject('ApiKey', 'A key of the public API, without its secret', properties);
export type ApiKey = Static<typeof ApiKey>;

export const CreatedApiKey = NamedObject('CreatedApiKey', 'A new key', {
  ...properties,
  key: nullable(
    Text(
      'The key itself, which is shown here only; null in a dry run',
      `kontor_3vQ7kZ9mB2xT_${'0'.repeat(43)}_0QhXyz`,
    ),
  ),
});
export type CreatedApiKey = Static<typeof CreatedApiKey>;

export const ApiKeyCreate = NamedObject(
  'ApiKeyCreate',
  'A new key, with either `wholeOrganization: true` or `grants`',
  {
    name,
    wholeOrganization: Type.Optional(wholeOrganization),
    grants: Type.Optional(
      Type.Array(Grant, { minItems: 1, maxItems: 1000, description: 'Its grants, each tenant once' }),
    ),
    permissions: Type.Optional(
      orNull(
        Type.Array(Permission, { minItems: 1, maxItems: apiKeyPermissions.length }),
        'What the key may do: `read` alone, or resource types. Null or absent: everything',
      ),
    ),
    quota: Type.Optional(orNull(Quota, 'Its own quota; null or absent: the quota of the installation')),
    expiresAt: Type.Optional(
      nullable(
        InstantInput(
          'When it expires, in the future; null: never; absent: after the default lifetime of the organization. A maximum of the organization is enforced',
        ),
      ),
    ),
  },
);
export type ApiKeyCreate = Static<typeof ApiKeyCreate>;

/** Maximum seconds that a replaced key stays valid. */
export const graceMaximum = 31 * 86_400;

export const ApiKeyReplacement = NamedObject('ApiKeyReplacement', 'How a key is replaced', {
  name: Type.Optional(Name('Name of the new key; absent: the name of the old one', 'Payroll of Muster GmbH')),
  graceSeconds: Type.Optional(
    Integer(
      'How long the old key works on, in seconds; a day when absent. An end that is nearer stays',
      604_800,
      { minimum: 0, maximum: graceMaximum },
    ),
  ),
  expiresAt: Type.Optional(
    nullable(
      InstantInput(
        'When the new key expires, in the future; null: never; absent: after the lifetime that the old key was created with, at most the maximum of the organization',
      ),
    ),
  ),
});
export type ApiKeyReplacement = Static<typeof ApiKeyReplacement>;

const path = '/organizations/{organizationId}/api-keys';

const reading = { ...read, tag: 'API keys', permission: 'api-keys:read' } as const;
const writing = { ...write, tag: 'API keys', permission: 'api-keys:write' } as const;

export const listApiKeys = platformOperation({
  ...reading,
  path,
  summary: 'List API keys',
  description: 'Lists the API keys of an organization, without their secrets; deleted ones too.',
  parameters: inOrganization,
  query: CreatedListQuery,
  ...pageOf(ApiKey, 'ApiKeyList', 'A page of API keys'),
});

export const createApiKey = platformOperation({
  ...writing,
  path,
  summary: 'Create an API key',
  description:
    'Creates an API key, which only this answer shows. Its scope is the whole organization, or the tenants and divisions of its grants. After a timeout, delete a key that may have been created.',
  parameters: inOrganization,
  body: ApiKeyCreate,
  bodyLimit: bodyLimits.list,
  success: { status: 201, description: 'The key was created', body: CreatedApiKey },
  errors: ['VALIDATION_ERROR', 'INVALID_REFERENCE'],
});

export const getApiKey = platformOperation({
  ...reading,
  path: `${path}/{id}`,
  summary: 'Get an API key',
  description: 'Reads one API key, without its secret.',
  parameters: keyOfOrganization,
  success: { status: 200, description: 'The API key', body: ApiKey },
});

export const deleteApiKey = platformOperation({
  ...writing,
  method: 'DELETE',
  path: `${path}/{id}`,
  summary: 'Delete an API key',
  description: 'Deletes an API key for good. Every process rejects it within a second. It stays in the list.',
  parameters: keyOfOrganization,
  success: { status: 200, description: 'The API key, which is deleted', body: ApiKey },
});

export const deactivateApiKey = platformOperation({
  ...writing,
  path: `${path}/{id}/deactivation`,
  summary: 'Deactivate an API key',
  description: 'Deactivates an API key. Every process rejects it within a second. It can be reactivated.',
  parameters: keyOfOrganization,
  success: { status: 200, description: 'The API key, which is inactive', body: ApiKey },
  errors: ['INVALID_STATE_TRANSITION'],
});

export const reactivateApiKey = platformOperation({
  ...writing,
  path: `${path}/{id}/reactivation`,
  summary: 'Reactivate an API key',
  description: 'Lets a deactivated API key work again. One that has expired stays expired.',
  parameters: keyOfOrganization,
  success: { status: 200, description: 'The API key after that', body: ApiKey },
  errors: ['INVALID_STATE_TRANSITION'],
});

export const replaceApiKey = platformOperation({
  ...writing,
  path: `${path}/{id}/replacement`,
  summary: 'Replace an API key',
  description:
    'Creates an API key with the scope, the permissions and the quota of an active one. The old key expires after a grace period. A key that has a successor is not replaced again: replace the successor.',
  parameters: keyOfOrganization,
  body: ApiKeyReplacement,
  success: { status: 201, description: 'The new key', body: CreatedApiKey },
  errors: ['VALIDATION_ERROR', 'INVALID_STATE_TRANSITION'],
});

/** Bounds of an interval that a user sets, in seconds: five minutes, and a leap year. */
const intervalBounds = { minimum: 300, maximum: 366 * 86_400 };

/** The first that applies is the state of a key. */
export const apiKeyHealthStates = [
  'deleted',
  'expired',
  'inactive',
  'failing',
  'being_replaced',
  'no_recent_activity',
  'never_used',
  'active',
] as const;

export const PortalApiKey = ClosedObject({
  ...ApiKey.properties,
  health: Values('ApiKeyHealthState', apiKeyHealthStates),
  urgency: Type.Number(),
  beingReplaced: Flag(),
  expiring: Flag(),
  unused: Flag(),
  lastFour: Text(),
  createdBy: nullable(Text()),
  lastSuccessAt: nullable(Instant()),
  noRecentActivitySince: nullable(Instant()),
  requests: Count(),
  rejections: Count(),
  requestsByDay: Type.Array(Count()),
  rejectionsByDay: Type.Array(Count()),
});
export type PortalApiKey = Static<typeof PortalApiKey>;

const page = pageOf(PortalApiKey, 'PortalApiKeyList');

export const ApiKeyUpdate = ClosedObject({
  expectedIntervalSeconds: orNull(Type.Integer({ ...intervalBounds, examples: [86_400] })),
});
export type ApiKeyUpdate = Static<typeof ApiKeyUpdate>;

export const listPortalApiKeys = ofPortal(listApiKeys, {
  ...page,
  ...searched,
  query: CompanyQuery,
  path: '/api-keys/search',
});

export const exportPortalApiKeys = ofPortal(listApiKeys, {
  fields: page.fields,
  ...exported,
  query: CompanyQuery,
  path: '/api-keys/export',
});

/** Users who manage keys. Auditors only read them. */
const ofManagers = { onePermissionOf: ['IT', 'HR', 'COMPANY_ADMIN'] } as const;

export const createPortalApiKey = ofPortal(createApiKey, {
  ...ofManagers,
  needsFreshSignIn: true,
  errors: ['VALIDATION_ERROR', 'INVALID_REFERENCE_ID', 'INVALID_REFERENCE', 'RATE_LIMIT_EXCEEDED'],
});

export const getPortalApiKey = ofPortal(getApiKey, {
  success: { status: 200, body: PortalApiKey },
});

export const updatePortalApiKey = ofPortal(deactivateApiKey, {
  ...ofManagers,
  method: 'PATCH',
  path: '/api-keys/{id}',
  body: ApiKeyUpdate,
  success: { status: 200, body: PortalApiKey },
});

export const deletePortalApiKey = ofPortal(deleteApiKey, {
  ...ofManagers,
  success: { status: 200, body: PortalApiKey },
});

export const deactivatePortalApiKey = ofPortal(deactivateApiKey, {
  ...ofManagers,
  success: { status: 200, body: PortalApiKey },
});

export const reactivatePortalApiKey = ofPortal(reactivateApiKey, {
  ...ofManagers,
  needsFreshSignIn: true,
  success: { status: 200, body: PortalApiKey },
});

export const replacePortalApiKey = ofPortal(replaceApiKey, {
  ...ofManagers,
  needsFreshSignIn: true,
  errors: [...replaceApiKey.errors, 'RATE_LIMIT_EXCEEDED'],
});
