import { CreatedListQuery, ExportQuery, list } from '../../operation.ts';
import { auditEntryFields, AuditEntryList } from '../../resources/platform/audit-entry.ts';
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

export const auditEntryOperations = {
  listAuditEntries: {
    ...listing,
    path: '/organizations/{organizationId}/audit-entries',
    summary: 'List the audit of an organization',
    description:
      'Lists who changed what in an organization, through either API or by a command. Sort by `-createdAt` to have the latest first.',
    parameters: inOrganization,
  },
  listPlatformAuditEntries: {
    ...listing,
    path: '/audit-entries',
    summary: 'List the audit of the platform',
    description:
      'Lists what was done that belongs to no organization, such as the making of tokens. Only a token for all organizations sees any.',
  },
  exportAuditEntries: {
    ...exporting,
    path: '/organizations/{organizationId}/audit-entries/export',
    summary: 'Export the audit of an organization',
    description:
      'Sends all entries that the filter selects, the oldest first, up to the moment of the request. One that ends early is cut off, never in order.',
    parameters: inOrganization,
  },
  exportPlatformAuditEntries: {
    ...exporting,
    path: '/audit-entries/export',
    summary: 'Export the audit of the platform',
    description: 'Sends what `listPlatformAuditEntries` lists. Only a token for all organizations gets any.',
  },
} as const satisfies Record<string, PlatformOperation>;
