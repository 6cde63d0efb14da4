import Type, { type Static } from 'typebox';
import { requestIdPattern } from '../errors/error-body.ts';
import { fieldsOf } from '../fields.ts';
import { listOf } from '../list.ts';
import { CreatedListQuery, ExportQuery, list, read, write } from '../operation.ts';
import { inOrganization, platformOperation } from '../platform-operation.ts';
import { exported, ofPortal, searched } from '../portal-operation.ts';
import {
  ClosedObject,
  Flag,
  Id,
  Instant,
  Integer,
  NamedObject,
  nullable,
  orNull,
  Text,
  Values,
} from '../schema.ts';

export const auditActorTypes = [
  'operator',
  'api_key',
  'platform_token',
  'user',
  'system',
  'anonymous',
] as const;
export type AuditActorType = (typeof auditActorTypes)[number];

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
  createdAt: Instant('Time; for equal rejections, the time of the last one'),
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
        'Request identifier; for equal rejections, the identifier of the last one. Null for a command and for the service',
    }),
  ),
  address: nullable(Text('Network address of the client; null without a request', '192.0.2.1')),
  fields: Type.Array(Type.String(), {
    description: 'Names of the fields that were changed, never their values',
  }),
  outcome: Values('AuditOutcome', ['done', 'rejected'], 'Outcome of the action'),
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
  'How long the audit log of an organization is kept',
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

const listing = {
  ...list,
  tag: 'Audit',
  permission: 'audit:read',
  query: CreatedListQuery,
  success: { status: 200, description: 'A page of entries', body: AuditEntryList },
  fields: auditEntryFields,
} as const;

const exporting = {
  ...listing,
  query: ExportQuery,
  success: {
    status: 200,
    description: 'The entries, the oldest first',
    body: 'file',
    mediaTypes: ['application/x-ndjson', 'text/csv'],
    made: 'from-rows',
  },
} as const;

const retention = {
  path: '/organizations/{organizationId}/audit-retention',
  tag: 'Audit',
  parameters: inOrganization,
} as const;

export const listAuditEntries = platformOperation({
  ...listing,
  path: '/organizations/{organizationId}/audit-entries',
  summary: 'List the audit log of an organization',
  description:
    'Lists the changes of an organization with their actors, by an API or a command. Sort by `-createdAt` for the latest first.',
  parameters: inOrganization,
});

export const listPlatformAuditEntries = platformOperation({
  ...listing,
  path: '/audit-entries',
  summary: 'List the audit log of the platform',
  description:
    'Lists actions that belong to no organization, such as the creation of tokens. Only a token for all organizations receives any.',
});

export const exportAuditEntries = platformOperation({
  ...exporting,
  path: '/organizations/{organizationId}/audit-entries/export',
  summary: 'Export the audit log of an organization',
  description:
    'Sends all entries that the filter selects, the oldest first, up to the moment of the request. If it fails, the connection breaks off.',
  parameters: inOrganization,
});

export const exportPlatformAuditEntries = platformOperation({
  ...exporting,
  path: '/audit-entries/export',
  summary: 'Export the audit log of the platform',
  description: 'Sends what `listPlatformAuditEntries` lists. Only a token for all organizations gets any.',
});

export const getAuditRetention = platformOperation({
  ...read,
  ...retention,
  summary: 'Get the retention of the audit log of an organization',
  description: 'Returns the days for which audit entries are kept.',
  permission: 'audit:read',
  success: { status: 200, description: 'The retention', body: AuditRetention },
});

export const updateAuditRetention = platformOperation({
  ...write,
  ...retention,
  method: 'PATCH',
  summary: 'Set the retention of the audit log of an organization',
  description:
    'Sets the days for which audit entries are kept. Older entries are removed within a day and cannot be restored.',
  permission: 'audit-retention:write',
  body: AuditRetention,
  success: { status: 200, description: 'The new retention', body: AuditRetention },
});

export const ResourceChange = ClosedObject({
  id: Id(),
  at: Instant(),
  action: Text(),
  actorType: Values('AuditActorType', auditActorTypes),
  actorName: Text(),
});
export type ResourceChange = Static<typeof ResourceChange>;

/** The history that details of a resource have. */
export const ResourceChanges = Type.Array(ResourceChange);

export const ValueChange = ClosedObject({
  field: Text(),
  before: nullable(Text()),
  after: nullable(Text()),
});
export type ValueChange = Static<typeof ValueChange>;

/** The sentence says who did what. Its target and the changed values are apart, because a page links the one and has words for the others. */
export const PortalAuditEntry = ClosedObject({
  ...AuditEntry.properties,
  sentence: ClosedObject({ de: Text(), en: Text() }),
  target: orNull(
    ClosedObject({
      name: nullable(Text()),
      tenant: nullable(Id()),
      tenantName: nullable(Text()),
      canOpen: Flag(),
    }),
  ),
  values: Type.Array(ValueChange),
  comment: nullable(Text()),
});
export type PortalAuditEntry = Static<typeof PortalAuditEntry>;

const reading = { permission: 'COMPANY_ADMIN' } as const;

export const listPortalAuditEntries = ofPortal(listAuditEntries, {
  ...reading,
  ...searched,
  path: '/audit-entries/search',
  success: { status: 200, body: listOf(PortalAuditEntry, 'PortalAuditEntryList') },
});

export const exportPortalAuditEntries = ofPortal(listAuditEntries, {
  ...reading,
  ...exported,
  path: '/audit-entries/export',
});
