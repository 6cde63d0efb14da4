import { read, write } from '../../operation.ts';
import { AuditRetention } from '../../resources/platform/audit-retention.ts';
import { inOrganization, type PlatformOperation } from './operation.ts';

const retention = {
  path: '/organizations/{organizationId}/audit-retention',
  tag: 'Audit',
  parameters: inOrganization,
} as const;

export const auditRetentionOperations = {
  getAuditRetention: {
    ...read,
    ...retention,
    summary: 'Get how long the audit of an organization is kept',
    description: 'Reads for how many days audit entries are kept.',
    permission: 'audit:read',
    success: { status: 200, description: 'How long it is kept', body: AuditRetention },
  },
  updateAuditRetention: {
    ...write,
    ...retention,
    method: 'PATCH',
    summary: 'Set how long the audit of an organization is kept',
    description:
      'Sets for how many days audit entries are kept. Older entries are removed within a day and cannot be restored.',
    permission: 'audit-retention:write',
    body: AuditRetention,
    success: { status: 200, description: 'How long it is kept from now on', body: AuditRetention },
  },
} as const satisfies Record<string, PlatformOperation>;
