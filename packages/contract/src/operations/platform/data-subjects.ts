import { none, WriteQuery } from '../../operation.ts';
import { Erasure } from '../../resources/platform/erasure.ts';
import { TenantRetention } from '../../resources/platform/retention.ts';
import { ofOrganization, type PlatformOperation } from './operation.ts';

const employee = '/organizations/{organizationId}/employees/{id}';
const ofEmployee = ofOrganization('Identifier of the employee');
const erasure = {
  path: `${employee}/erasure`,
  tag: 'Data subjects',
  authenticated: true,
  permission: 'data-subjects:erase',
  parameters: ofEmployee,
} as const;

export const dataSubjectOperations = {
  exportEmployee: {
    method: 'GET',
    path: `${employee}/export`,
    tag: 'Data subjects',
    summary: 'Export an employee',
    description:
      'Makes a ZIP of all that is stored about a person (GDPR Art. 15 and 20): documents as JSON, files, the audit, and a page that says what there is, and which file is missing. Each export is audited. It is made while it is sent: an answer that breaks off is not whole.',
    authenticated: true,
    permission: 'data-subjects:export',
    parameters: ofEmployee,
    query: none,
    success: {
      status: 200,
      description: 'All that is stored about the employee',
      body: 'file',
      mediaTypes: ['application/zip'],
      made: 'from-files',
    },
    errors: [],
  },
  getEmployeeErasure: {
    ...erasure,
    method: 'GET',
    summary: 'Get whether an employee can be erased',
    description: 'Reads whether the data of a person can be erased now, else from when, and why not yet.',
    query: none,
    success: { status: 200, description: 'Whether it is possible, and from when', body: Erasure },
    errors: [],
  },
  eraseEmployee: {
    ...erasure,
    method: 'POST',
    summary: 'Erase an employee',
    description:
      'Erases the data of a person for good (GDPR Art. 17): fields, texts and files go; identifiers, states and sums stay. Whoever polls sees it as a change. Refused while an order or a retention keeps the data; the message says from when it is possible.',
    query: WriteQuery,
    success: { status: 200, description: 'What was erased', body: Erasure },
    errors: ['INVALID_STATE_TRANSITION'],
  },
  getTenantRetention: {
    method: 'GET',
    path: '/organizations/{organizationId}/tenants/{id}/retention',
    tag: 'Data subjects',
    summary: 'Get what a tenant need not keep any more',
    description:
      'Looks at everybody who has left a tenant: who can be erased now, how many are kept, and until when. Nobody is erased by that. It takes seconds where there are many; `kontor tenant retention` has no limit of time.',
    authenticated: true,
    permission: 'retention:read',
    parameters: ofOrganization('Identifier of the tenant'),
    query: none,
    success: { status: 200, description: 'What is kept, and what need not be', body: TenantRetention },
    errors: [],
  },
} as const satisfies Record<string, PlatformOperation>;
