import { none, WriteQuery } from '../../operation.ts';
import { AuditRetention, AuditRetentionPatch } from '../../resources/platform/audit-retention.ts';
import { ofOrganization, type PlatformOperation } from './operation.ts';

const common = {
  path: '/organizations/{organizationId}/tenants/{id}/audit-retention',
  tag: 'Audit',
  authenticated: true,
  parameters: ofOrganization('Identifier of the tenant'),
  errors: [],
} as const;

export const auditRetentionOperations = {
  getAuditRetention: {
    ...common,
    method: 'GET',
    summary: 'Get how long the audit of a tenant is kept',
    description: 'Reads for how many days entries about a tenant are kept.',
    permission: 'audit:read',
    query: none,
    success: { status: 200, description: 'How long it is kept', body: AuditRetention },
  },
  updateAuditRetention: {
    ...common,
    method: 'PATCH',
    summary: 'Set how long the audit of a tenant is kept',
    description:
      'Sets for how many days entries about a tenant are kept: about its employees, divisions, orders, incidents and payroll files, and about keys and people of HR that are for it alone. What is older is removed within a day, for good; what belongs to several tenants is kept as long as the longest of them says.',
    permission: 'audit-retention:write',
    query: WriteQuery,
    body: AuditRetentionPatch,
    success: { status: 200, description: 'How long it is kept from now on', body: AuditRetention },
  },
} as const satisfies Record<string, PlatformOperation>;
