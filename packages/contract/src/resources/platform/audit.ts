import Type, { type Static } from 'typebox';
import { fieldsOf } from '../../fields.ts';
import { Id, Instant, Integer, NamedObject, nullable, orNull, Text, Values } from '../../schema.ts';
import { requestIdPattern } from '../error.ts';
import { listOf } from '../list.ts';

export const auditActorTypes = [
  'operator',
  'api_key',
  'platform_token',
  'user',
  'system',
  'anonymous',
] as const;
export type AuditActorType = (typeof auditActorTypes)[number];

export const auditOutcomes = ['done', 'rejected'] as const;

/** Why something was rejected: a fault of the credential, what its caller lacks, or why a payroll run was not released. */
export const auditReasons = [
  'wrong_secret',
  'deactivated',
  'expired',
  'deleted',
  'revoked',
  'tenant_not_in_scope',
  'organization_not_in_scope',
  'permission_missing',
  'stale_draft',
  'file_not_stored',
  'internal_error',
] as const;
export type AuditReason = (typeof auditReasons)[number];

export const AuditEntry = NamedObject('AuditEntry', 'Action with actor and time', {
  id: Id('Unique identifier of the entry'),
  createdAt: Instant('Time; of equal rejections that of the last one'),
  actorType: Values(
    'AuditActorType',
    auditActorTypes,
    'Kind of the actor: a command, an API key, a platform token, a portal user, the service itself, or unknown',
  ),
  actorId: Text(
    'Identifier of the actor; `operator` for a command, `system` for the service itself',
    '3vQ7kZ9mB2xT',
  ),
  actorName: Text('Name of the actor at that time', 'Back office'),
  action: Text('What was done', 'tenant.create'),
  targetType: Text('Kind of the target: the action up to its dot', 'tenant'),
  targetId: Text(
    'Identifier of the target; `others` for rejections that are too many for an entry each',
    '65f0c0ffee0123456789abcd',
  ),
  requestId: nullable(
    Type.String({
      pattern: requestIdPattern,
      description:
        'Request identifier; of equal rejections that of the last one. Null for a command and for the service',
    }),
  ),
  address: nullable(Text('Network address of the client; null without a request', '192.0.2.1')),
  fields: Type.Array(Type.String(), {
    description: 'Names of the fields that were changed, never their values',
  }),
  outcome: Values('AuditOutcome', auditOutcomes, 'Outcome of the action'),
  reason: orNull(
    Values('AuditReason', auditReasons, 'Reason of a rejection'),
    'Reason of the rejection; null if it was done',
  ),
  count: Integer(
    'Number of events: equal rejections of a minute share an entry, and so do entries that were removed together',
    1,
    { minimum: 1 },
  ),
});
export type AuditEntry = Static<typeof AuditEntry>;

export const AuditEntryList = listOf(AuditEntry, 'AuditEntryList');

export const auditEntryFields = fieldsOf(AuditEntry);

/** A hundred years. */
const daysMaximum = 36_500;

export const AuditRetention = NamedObject(
  'AuditRetention',
  'For how long the audit of an organization is kept',
  {
    days: nullable(
      Integer('Days for which audit entries are kept. Null: they are never removed', 400, {
        minimum: 1,
        maximum: daysMaximum,
      }),
    ),
  },
);
export type AuditRetention = Static<typeof AuditRetention>;
