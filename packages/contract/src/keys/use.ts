import Type, { type Static } from 'typebox';
import { auditActorTypes } from '../audit.ts';
import { requestIdPattern } from '../error-body.ts';
import { read } from '../operation.ts';
import { keyOfOrganization, platformOperation } from '../platform-operation.ts';
import { ofPortal } from '../portal-operation.ts';
import { Count, Day, Id, Instant, Integer, KeyId, NamedObject, nullable, Text, Values } from '../schema.ts';

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

/** Bounds of an interval that a user sets, in seconds: five minutes, and a leap year. */
const intervalBounds = { minimum: 300, maximum: 366 * 86_400 };

const ApiKeyPoll = NamedObject('ApiKeyPoll', 'Position of a polling system in a collection', {
  operation: Text('Operation that reads the collection', 'listEmployees'),
  askedAt: Instant('Time of the last poll'),
  readTo: Instant('Instant of the clock of the organization up to which the system has read'),
  lagSeconds: Count('Distance to the clock; 0: no change since then', 0),
});

const ApiKeyError = NamedObject('ApiKeyError', 'Error responses with equal operation, code and message', {
  operation: Text('Operation that was requested', 'listEmployees'),
  status: Integer('HTTP status', 400, { minimum: 400, maximum: 599 }),
  code: Text('Code of the error', 'UNSUPPORTED_SORT_FIELD'),
  message: Text(
    'Message of the newest, without values of the request. Messages that differ in numbers only are equal',
    'sort does not take …; use id, email',
  ),
  count: Count('Number of requests', 23),
  firstAt: Instant('When the first was sent'),
  lastAt: Instant('When the newest was sent'),
  requestIds: Type.Array(Type.String({ pattern: requestIdPattern }), {
    description: 'The latest requests with this response, newest first: 5 at most',
  }),
});

export const ApiKeyHealth = NamedObject('ApiKeyHealth', 'Activity and errors of the system that uses a key', {
  lastUsedAt: nullable(Instant('When the key was last used, up to some seconds ago; null: never')),
  lastSuccessAt: nullable(Instant('When a request with it last succeeded; null: never')),
  expectedIntervalSeconds: nullable(
    Integer('The interval that a user has set; null: none', 86_400, { ...intervalBounds }),
  ),
  computedIntervalSeconds: nullable(
    Count(
      'The interval computed from four weeks of usage, for keys without a set one; null: too little usage',
      900,
    ),
  ),
  overdueFrom: nullable(
    Instant('When it has no recent activity, unless a request succeeds before; null: it is not watched'),
  ),
  noRecentActivitySince: nullable(
    Instant(
      'Start of the pause, if the expected interval has passed without a successful request; else null',
    ),
  ),
  replacedBy: nullable(KeyId('The key that replaces it, unless that is deleted; null: none')),
  replaces: nullable(KeyId('The key that it replaces; null: none')),
  clockAt: Instant('Instant of the last change in the organization, by its clock'),
  polls: Type.Array(ApiKeyPoll, { description: 'The collections that it polls; none: it does not poll' }),
  errors: Type.Array(ApiKeyError, {
    description:
      'Error responses of 30 days in groups, newest first: 20 groups at most, and 3 for an operation and code',
  }),
});
export type ApiKeyHealth = Static<typeof ApiKeyHealth>;

const ApiKeyChange = NamedObject('ApiKeyChange', 'A change of an API key', {
  id: Id('Identifier of the audit entry'),
  at: Instant('When it happened'),
  action: Text('What was done', 'key.deactivate'),
  actorType: Values('AuditActorType', auditActorTypes, 'Kind of the actor'),
  actorId: Text('Identifier of the actor', '65f0c0ffee0123456789abcd'),
  actorName: Text('Name of the actor at that instant', 'Petra Lang'),
  fields: Type.Array(Type.String(), { description: 'Names of the changed fields, never their values' }),
});

/** Why a request with an existing key is rejected. */
export const apiKeyRejectionReasons = ['wrong_secret', 'deactivated', 'expired', 'deleted'] as const;

const RejectedUse = NamedObject('RejectedUse', 'Requests that were rejected for their API key', {
  reason: Values('ApiKeyRejectionReason', apiKeyRejectionReasons, 'Reason of the rejection'),
  count: Count('Number of requests', 40),
  lastAt: Instant('Time of the last one'),
  address: nullable(Text('Client address of the last one; null: unknown', '192.0.2.1')),
});

export const ApiKeyHistory = NamedObject('ApiKeyHistory', 'Changes and rejected requests of an API key', {
  changes: Type.Array(ApiKeyChange, { description: 'The latest 50 changes in the audit, newest first' }),
  rejectedUses: Type.Array(RejectedUse, {
    description: 'Rejected requests of 30 days by reason, newest first; the last minute may be missing',
  }),
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
