import { auditOperations } from '../platform/audit.ts';
import { exported, ofPortal, searched } from './operation.ts';
import type { PortalOperation } from './operation.ts';

const reading = { permission: 'COMPANY_ADMIN' } as const;

export const portalAuditOperations = {
  listPortalAuditEntries: ofPortal(auditOperations.listAuditEntries, {
    ...reading,
    ...searched,
    path: '/audit-entries/search',
  }),
  exportPortalAuditEntries: ofPortal(auditOperations.listAuditEntries, {
    ...reading,
    summary: 'Export the audit of the organization',
    description: 'Sends all entries that the filter selects. The audit has who exported them.',
    ...exported,
    path: '/audit-entries/export',
  }),
} as const satisfies Record<string, PortalOperation>;
