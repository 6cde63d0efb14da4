import Type, { type Static } from 'typebox';
import { fieldsOf } from '../../fields.ts';
import {
  Count,
  Day,
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
} from '../../schema.ts';
import { listOf } from '../list.ts';

export const apiKeyStatuses = ['active', 'inactive', 'expired', 'deleted'] as const;

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
  seconds: Integer('In so many seconds', 60, { minimum: 1, maximum: 86_400 }),
});

const properties = {
  id: KeyId('Unique identifier of the key, which is the middle of its text and no secret'),
  name,
  status: Values(
    'ApiKeyStatus',
    apiKeyStatuses,
    'State of the key: `inactive` can be reactivated; `expired` and `deleted` are final',
  ),
  wholeOrganization,
  grants: Type.Array(Grant, { description: 'Its grants; empty if its scope is the whole organization' }),
  quota: orNull(Quota, 'Its own quota; null: that of the installation'),
  createdAt: Instant('When the key was created'),
  expiresAt: nullable(Instant('When it expires; null: never')),
  lastUsedAt: nullable(Instant('When it was last used, up to some seconds ago; null: never')),
};

export const ApiKey = NamedObject('ApiKey', 'A key of the public API, without its secret', properties);
export type ApiKey = Static<typeof ApiKey>;

export const ApiKeyList = listOf(ApiKey, 'ApiKeyList');

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
    quota: Type.Optional(orNull(Quota, 'Its own quota; null or absent: that of the installation')),
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
  name: Type.Optional(Name('Name of the new key; absent: that of the old one', 'Payroll of Muster GmbH')),
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

const DayOfUse = NamedObject('ApiKeyDayOfUse', 'Requests of a day', {
  day: Day('Day in UTC'),
  requests: Count('Requests of this day, including rejected and failed ones', 1440),
  rejected: Count('Answered with 4xx, but for 429', 3),
  limited: Count('Answered with 429: the quota was used up', 0),
  failed: Count('Answered with 5xx', 0),
});

const OperationUse = NamedObject('ApiKeyOperationUse', 'Usage of an operation', {
  operation: Text('Identifier of the operation in the document of the public API', 'listEmployees'),
  days: Type.Array(DayOfUse, {
    description: 'Those of the last 30 days with requests, oldest first',
  }),
});

export const ApiKeyUsage = NamedObject('ApiKeyUsage', 'Usage of a key', {
  requests: Count('Sum of the requests', 43_200),
  lastUsedAt: nullable(Instant('When it was last used, up to some seconds ago; null: never')),
  days: Type.Array(DayOfUse, {
    description: 'The last 30 days, oldest first; those without requests are left out',
  }),
  operations: Type.Array(OperationUse, {
    description: 'The same by operation',
  }),
});
export type ApiKeyUsage = Static<typeof ApiKeyUsage>;

export const apiKeyFields = fieldsOf(ApiKey);
