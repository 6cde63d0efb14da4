import Type, { type Static } from 'typebox';
import { fieldsOf } from '../../fields.ts';
import { Day, Id, Instant, InstantInput, KeyId, Name, nullable, orNull, Values } from '../../schema.ts';
import { listOf } from '../list.ts';

export const apiKeyStatuses = ['active', 'inactive', 'expired', 'deleted'] as const;

const name = Name('Name, for people', 'Payroll of Muster GmbH');
const wholeOrganization = Type.Boolean({
  description: 'Whether it sees the whole organization, tenants created later too',
  examples: [false],
});

const Grant = Type.Object(
  {
    tenant: Id('Tenant that it sees'),
    divisions: orNull(
      Type.Array(Id('Division that it sees, with all below it'), { minItems: 1, maxItems: 10_000 }),
      'Divisions of the tenant, each with its subtree; null: all of them, and what stands in none',
    ),
  },
  { $id: 'ApiKeyGrant', additionalProperties: false, description: 'What an API key sees of a tenant' },
);
export type ApiKeyGrant = Static<typeof Grant>;

const Quota = Type.Object(
  {
    requests: Type.Integer({ minimum: 1, maximum: 999_999_999, description: 'Requests', examples: [600] }),
    seconds: Type.Integer({ minimum: 1, maximum: 86_400, description: 'In so many seconds', examples: [60] }),
  },
  { $id: 'ApiKeyQuota', additionalProperties: false, description: 'Most requests in a window of time' },
);

const properties = {
  id: KeyId('Unique identifier of the key, which is the middle of its text and no secret'),
  name,
  status: Values(
    'ApiKeyStatus',
    apiKeyStatuses,
    'Whether it works: `inactive` can be reactivated, `expired` has come to its end, `deleted` is retired for ever',
  ),
  wholeOrganization,
  grants: Type.Array(Grant, { description: 'What it sees; empty when it sees the whole organization' }),
  quota: orNull(Quota, 'Its own quota; null: that of the installation'),
  createdAt: Instant('When the key was made'),
  expiresAt: nullable(Instant('When it stops working; null: it does not end by itself')),
  lastUsedAt: nullable(Instant('When it was last used, up to some seconds ago; null: never')),
};

export const ApiKey = Type.Object(properties, {
  $id: 'ApiKey',
  additionalProperties: false,
  description: 'A key of the public API, without its secret',
});
export type ApiKey = Static<typeof ApiKey>;

export const ApiKeyList = listOf(ApiKey, 'ApiKeyList');

export const CreatedApiKey = Type.Object(
  {
    ...properties,
    key: nullable(
      Type.String({
        description: 'The key itself, which is shown here only; null in a dry run',
        examples: [`kontor_3vQ7kZ9mB2xT_${'0'.repeat(43)}_0QhXyz`],
      }),
    ),
  },
  { $id: 'CreatedApiKey', additionalProperties: false, description: 'A key that was just made' },
);
export type CreatedApiKey = Static<typeof CreatedApiKey>;

export const ApiKeyCreate = Type.Object(
  {
    name,
    wholeOrganization: Type.Optional(wholeOrganization),
    grants: Type.Optional(
      Type.Array(Grant, { minItems: 1, maxItems: 1000, description: 'What it sees, each tenant once' }),
    ),
    quota: Type.Optional(orNull(Quota, 'Its own quota; null or absent: that of the installation')),
    expiresAt: Type.Optional(
      nullable(
        InstantInput('When it stops working, in the future; null or absent: it does not end by itself'),
      ),
    ),
  },
  {
    $id: 'ApiKeyCreate',
    additionalProperties: false,
    description: 'A new key, with either `wholeOrganization: true` or `grants`',
  },
);
export type ApiKeyCreate = Static<typeof ApiKeyCreate>;

/** Maximum seconds that a replaced key stays valid. */
export const graceMaximum = 31 * 86_400;

export const ApiKeyReplacement = Type.Object(
  {
    name: Type.Optional(Name('Name of the new key; absent: that of the old one', 'Payroll of Muster GmbH')),
    graceSeconds: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: graceMaximum,
        description:
          'How long the old key works on, in seconds; a day when absent. An end that is nearer stays',
        examples: [604_800],
      }),
    ),
  },
  { $id: 'ApiKeyReplacement', additionalProperties: false, description: 'How a key is replaced' },
);
export type ApiKeyReplacement = Static<typeof ApiKeyReplacement>;

const count = (description: string, example: number) =>
  Type.Integer({ minimum: 0, description, examples: [example] });

const DayOfUse = Type.Object(
  {
    day: Day('Day in UTC'),
    requests: count('Requests of this day, the refused and failed ones among them', 1440),
    rejected: count('Answered with 4xx, but for 429', 3),
    limited: count('Answered with 429: the quota was used up', 0),
    failed: count('Answered with 5xx', 0),
  },
  { $id: 'ApiKeyDayOfUse', additionalProperties: false, description: 'Requests of a day' },
);

const OperationUse = Type.Object(
  {
    operation: Type.String({
      description: 'Identifier of the operation in the document of the public API',
      examples: ['listEmployees'],
    }),
    days: Type.Array(DayOfUse, {
      description: 'Those of the last 30 days in which it was asked for, oldest first',
    }),
  },
  { $id: 'ApiKeyOperationUse', additionalProperties: false, description: 'How much an operation is used' },
);

export const ApiKeyUsage = Type.Object(
  {
    requests: count('Requests of these days together', 43_200),
    lastUsedAt: nullable(Instant('When it was last used, up to some seconds ago; null: never')),
    days: Type.Array(DayOfUse, {
      description: 'The last 30 days, oldest first; those without requests are left out',
    }),
    operations: Type.Array(OperationUse, {
      description: 'The same by operation',
    }),
  },
  { $id: 'ApiKeyUsage', additionalProperties: false, description: 'How much a key is used' },
);
export type ApiKeyUsage = Static<typeof ApiKeyUsage>;

export const apiKeyFields = fieldsOf(ApiKey);
