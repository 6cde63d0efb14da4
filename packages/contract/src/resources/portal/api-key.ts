import Type, { type Static } from 'typebox';
import { fieldsOf } from '../../fields.ts';
import {
  Count,
  Flag,
  Id,
  Instant,
  Integer,
  KeyId,
  Name,
  NamedObject,
  nullable,
  orNull,
  Text,
  Values,
} from '../../schema.ts';
import { requestIdPattern } from '../error.ts';
import { listOf } from '../list.ts';
import { ApiKey, ApiKeyCreate } from '../platform/api-key.ts';
import { auditActorTypes } from '../platform/audit.ts';

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

export const PortalApiKey = NamedObject(
  'PortalApiKey',
  'A key of the public API, without its secret, with how it is used',
  {
    ...ApiKey.properties,
    health: Values(
      'ApiKeyHealthState',
      apiKeyHealthStates,
      'State of the key and of the system that uses it, the first that applies. `failing`: over half of at least 5 requests in 24 hours, or 6 of the last 10, were answered 400, 401, 403 or 5xx; `being_replaced`: the key has a successor that works; `no_recent_activity`: no request succeeded within the expected interval',
    ),
    beingReplaced: Flag('Whether it has a working successor, also while it fails', false),
    expiring: Flag('Whether it works, has no working successor, and expires within 30 days', false),
    unused: Flag(
      'Whether it works, has no working successor, and was neither created nor used in 90 days',
      false,
    ),
    lastFour: Text('The last four characters of its text', '0Xyz'),
    createdBy: nullable(
      Text(
        'Name of the user or of the platform token that created it; `operator` for a command; null when the user was deleted',
        'Petra Lang',
      ),
    ),
    lastSuccessAt: nullable(
      Instant('When a request with it last succeeded, up to some seconds ago; null: never'),
    ),
    noRecentActivitySince: nullable(
      Instant(
        'Start of the pause, if the expected interval has passed without a successful request; else null',
      ),
    ),
    requests: Count('Requests of the last 30 days, including rejected ones', 43_200),
    rejections: Count('Those of them that did not succeed', 3),
    requestsByDay: Type.Array(Count('Requests of a day', 1440), {
      description: 'Requests of each of the last 30 days in UTC, today last',
    }),
    rejectionsByDay: Type.Array(Count('Requests of a day that did not succeed', 0), {
      description: 'Those of them that did not succeed, in the same order',
    }),
  },
);
export type PortalApiKey = Static<typeof PortalApiKey>;

export const PortalApiKeyList = listOf(PortalApiKey, 'PortalApiKeyList');

export const portalApiKeyFields = fieldsOf(PortalApiKey);

export const ApiKeyUpdate = NamedObject('ApiKeyUpdate', 'When activity of a key is expected', {
  expectedIntervalSeconds: orNull(
    Type.Integer({ ...intervalBounds, examples: [86_400] }),
    'The interval within which a request is expected to succeed, in seconds; null: it is computed from the usage',
  ),
});
export type ApiKeyUpdate = Static<typeof ApiKeyUpdate>;

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
