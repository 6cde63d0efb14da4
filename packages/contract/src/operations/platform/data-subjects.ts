import { read, write } from '../../operation.ts';
import { Erasure } from '../../resources/platform/data-subject.ts';
import { TenantRetention } from '../../resources/platform/data-subject.ts';
import { ofOrganization, type PlatformOperation } from './operation.ts';

const employee = '/organizations/{organizationId}/employees/{id}';
const ofEmployee = {
  tag: 'Data subjects',
  parameters: ofOrganization('Identifier of the employee'),
} as const;
const erasure = { ...ofEmployee, path: `${employee}/erasure`, permission: 'data-subjects:erase' } as const;

export const dataSubjectOperations = {
  exportEmployee: {
    ...read,
    ...ofEmployee,
    path: `${employee}/export`,
    summary: 'Export an employee',
    description:
      'Makes a ZIP of all that is stored about a person (GDPR Art. 15 and 20): documents as JSON, files, the audit, and a page that says what there is, and which file is missing. Each export is audited. It is made while it is sent: an answer that breaks off is not whole.',
    permission: 'data-subjects:export',
    success: {
      status: 200,
      description: 'All that is stored about the employee',
      body: 'file',
      mediaTypes: ['application/zip'],
      made: 'from-files',
    },
  },
  getEmployeeErasure: {
    ...read,
    ...erasure,
    summary: 'Get whether an employee can be erased',
    description: 'Reads whether the data of a person can be erased now, else from when, and why not yet.',
    success: { status: 200, description: 'Whether it is possible, and from when', body: Erasure },
  },
  eraseEmployee: {
    ...write,
    ...erasure,
    summary: 'Erase an employee',
    description:
      'Erases the data of a person for good (GDPR Art. 17): fields, texts and files go; identifiers, states and sums stay. Whoever polls sees it as a change. Refused while an order or a retention keeps the data; the message says from when it is possible.',
    success: { status: 200, description: 'What was erased', body: Erasure },
    errors: ['INVALID_STATE_TRANSITION'],
  },
  getTenantRetention: {
    ...read,
    path: '/organizations/{organizationId}/tenants/{id}/retention',
    tag: 'Data subjects',
    summary: 'Get what a tenant need not keep any more',
    description:
      'Looks at everybody who has left a tenant: who can be erased now, how many are kept, and until when. Nobody is erased by that. It takes seconds where there are many; `kontor tenant retention` has no limit of time.',
    permission: 'retention:read',
    parameters: ofOrganization('Identifier of the tenant'),
    success: { status: 200, description: 'What is kept, and what need not be', body: TenantRetention },
  },
} as const satisfies Record<string, PlatformOperation>;
