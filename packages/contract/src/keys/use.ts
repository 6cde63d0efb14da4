import Type, { type Static } from 'typebox';
import { auditActorTypes, ValueChange } from '../audit/audit.ts';
import { requestIdPattern } from '../errors/error-body.ts';
import { read } from '../operation.ts';
import { keyOfOrganization, platformOperation } from '../platform-operation.ts';
import { ofPortal } from '../portal-operation.ts';
import {
  ClosedObject,
  Count,
  Day,
  Id,
  Instant,
  Integer,
  KeyId,
  NamedObject,
  nullable,
  Text,
  Values,
} from '../schema.ts';

const DayOfUse = NamedObject('ApiKeyDayOfUse', 'Requests of a day', {
  day: Day('Day in UTC'),
  requests: Count('Requests of this day, including rejected and failed ones', 1440),
  rejected: Count('Answered with 4xx, but for 401 and 429', 3),
  denied: Count('Answered with 401: outside of what the key may do', 0),
  limited: Count('Answered with 429: the quota was used up', 0),
  failed: Count('Answered with 5xx', 0),
});

const OperationUse = NamedObject('ApiKeyOperationUse', 'Usage of an operation', {
  operation: Text('Identifier of the operation in the document of the public API', 'listEmployees'),
  days: Type.Array(DayOfUse, {
    description: 'The days with requests of the last 30, oldest first',
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

const path = '/organizations/{organizationId}/api-keys';

const reading = { ...read, tag: 'API keys', permission: 'api-keys:read' } as const;

export const getApiKeyUsage = platformOperation({
  ...reading,
  path: `${path}/{id}/usage`,
  summary: 'Get the usage of an API key',
  description: 'Counts the requests of an API key by the day and the operation.',
  parameters: keyOfOrganization,
  success: { status: 200, description: 'Usage of the key', body: ApiKeyUsage },
});

const ApiKeyPoll = ClosedObject({
  operation: Text(),
  askedAt: Instant(),
  readTo: Instant(),
  lagSeconds: Count(),
});

const ApiKeyError = ClosedObject({
  operation: Text(),
  status: Integer(),
  code: Text(),
  message: Text(),
  count: Count(),
  firstAt: Instant(),
  lastAt: Instant(),
  requestIds: Type.Array(Type.String({ pattern: requestIdPattern })),
});

export const ApiKeyHealth = ClosedObject({
  lastUsedAt: nullable(Instant()),
  lastSuccessAt: nullable(Instant()),
  expectedIntervalSeconds: nullable(Integer()),
  computedIntervalSeconds: nullable(Count()),
  overdueFrom: nullable(Instant()),
  noRecentActivitySince: nullable(Instant()),
  replacedBy: nullable(KeyId()),
  replaces: nullable(KeyId()),
  clockAt: Instant(),
  polls: Type.Array(ApiKeyPoll),
  errors: Type.Array(ApiKeyError),
});
export type ApiKeyHealth = Static<typeof ApiKeyHealth>;

const ApiKeyChange = ClosedObject({
  id: Id(),
  at: Instant(),
  action: Text(),
  actorType: Values('AuditActorType', auditActorTypes),
  actorId: Text(),
  actorName: Text(),
  values: Type.Array(ValueChange),
});

const RejectedUse = ClosedObject({
  reason: Values('ApiKeyRejectionReason', [
    'wrong_secret',
    'deactivated',
    'expired',
    'deleted',
    'permission_missing',
  ]),
  count: Count(),
  lastAt: Instant(),
  address: nullable(Text()),
});

export const ApiKeyHistory = ClosedObject({
  changes: Type.Array(ApiKeyChange),
  rejectedUses: Type.Array(RejectedUse),
});
export type ApiKeyHistory = Static<typeof ApiKeyHistory>;

export const getPortalApiKeyHistory = ofPortal(getApiKeyUsage, {
  path: '/api-keys/{id}/history',
  success: { status: 200, body: ApiKeyHistory },
});

export const getPortalApiKeyUsage = ofPortal(getApiKeyUsage, {});

export const getPortalApiKeyHealth = ofPortal(getApiKeyUsage, {
  path: '/api-keys/{id}/health',
  success: { status: 200, body: ApiKeyHealth },
});
