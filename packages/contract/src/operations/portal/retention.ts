import { idParameter, read, write } from '../../operation.ts';
import {
  CompanyRetention,
  CompanyRetentionUpdate,
  OrganizationRetention,
  OrganizationRetentionUpdate,
} from '../../resources/portal/retention.ts';
import { PersonalLogs } from '../../resources/portal/personal-logs.ts';
import type { PortalOperation } from './operation.ts';

const common = { tag: 'Retention', permission: 'COMPANY_ADMIN' } as const;
const changing = { ...write, ...common, method: 'PATCH', needsFreshSignIn: true } as const;

const ofOrganization = { path: '/retention' } as const;
const ofTenant = {
  path: '/tenants/{id}/retention',
  parameters: idParameter('Identifier of the tenant'),
} as const;

export const portalRetentionOperations = {
  getOrganizationRetention: {
    ...read,
    ...common,
    ...ofOrganization,
    summary: 'Get the retention of the audit',
    description: 'Reads for how long the audit of the organization is kept, and who removes older entries.',
    success: { status: 200, description: 'The retention', body: OrganizationRetention },
  },
  updateOrganizationRetention: {
    ...changing,
    ...ofOrganization,
    summary: 'Update the retention of the audit',
    description:
      'Sets for how long the audit of the organization is kept. Older entries are removed permanently, within a day. Takes a fresh sign-in.',
    body: OrganizationRetentionUpdate,
    success: { status: 200, description: 'The retention after that', body: OrganizationRetention },
  },
  getPersonalLogs: {
    ...read,
    ...common,
    path: '/personal-logs',
    summary: 'Get what is stored about persons',
    description:
      'Reads which data about persons are stored, for how long by the settings of the organization and its companies, and which permissions can read them. It is the content of the sheet for the works council.',
    success: { status: 200, description: 'The kinds of data', body: PersonalLogs },
  },
  getPortalTenantRetention: {
    ...read,
    ...common,
    ...ofTenant,
    summary: 'Get the retention of a tenant',
    description: 'Reads for how long data of the employees of a tenant are kept before they can be erased.',
    success: { status: 200, description: 'The retention', body: CompanyRetention },
  },
  updatePortalTenantRetention: {
    ...changing,
    ...ofTenant,
    summary: 'Update the retention of a tenant',
    description:
      'Merges the body into the retention of a tenant. Nothing is erased by that: an erasure is a decision about each employee. Takes a fresh sign-in.',
    body: CompanyRetentionUpdate,
    success: { status: 200, description: 'The retention after that', body: CompanyRetention },
  },
} as const satisfies Record<string, PortalOperation>;
