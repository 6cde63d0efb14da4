import { CreatedListQuery, ExportQuery, list, read, write } from '../../operation.ts';
import { auditEntryFields, AuditEntryList, AuditRetention } from '../../resources/platform/audit.ts';
import { inOrganization, type PlatformOperation } from './operation.ts';

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

export const auditOperations = {
  listAuditEntries: {
    ...listing,
    path: '/organizations/{organizationId}/audit-entries',
    summary: 'List the audit of an organization',
    description:
      'Lists the changes of an organization with their actors, by an API or a command. Sort by `-createdAt` for the latest first.',
    parameters: inOrganization,
  },
  listPlatformAuditEntries: {
    ...listing,
    path: '/audit-entries',
    summary: 'List the audit of the platform',
    description:
      'Lists actions that belong to no organization, such as the creation of tokens. Only a token for all organizations receives any.',
  },
  exportAuditEntries: {
    ...exporting,
    path: '/organizations/{organizationId}/audit-entries/export',
    summary: 'Export the audit of an organization',
    description:
      'Sends all entries that the filter selects, the oldest first, up to the moment of the request. If it fails, the connection breaks off.',
    parameters: inOrganization,
  },
  exportPlatformAuditEntries: {
    ...exporting,
    path: '/audit-entries/export',
    summary: 'Export the audit of the platform',
    description: 'Sends what `listPlatformAuditEntries` lists. Only a token for all organizations gets any.',
  },
  getAuditRetention: {
    ...read,
    ...retention,
    summary: 'Get the audit retention of an organization',
    description: 'Returns the days for which audit entries are kept.',
    permission: 'audit:read',
    success: { status: 200, description: 'The retention', body: AuditRetention },
  },
  updateAuditRetention: {
    ...write,
    ...retention,
    method: 'PATCH',
    summary: 'Set the audit retention of an organization',
    description:
      'Sets the days for which audit entries are kept. Older entries are removed within a day and cannot be restored.',
    permission: 'audit-retention:write',
    body: AuditRetention,
    success: { status: 200, description: 'The new retention', body: AuditRetention },
  },
} as const satisfies Record<string, PlatformOperation>;
