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
      'Streams a ZIP of all stored data of a person (GDPR Art. 15 and 20): documents as JSON, files, the audit, and a page that lists the content and missing files. Each export is audited. An answer that breaks off is incomplete.',
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
    success: { status: 200, description: 'Whether an erasure is possible, and from when', body: Erasure },
  },
  eraseEmployee: {
    ...write,
    ...erasure,
    summary: 'Erase an employee',
    description:
      'Permanently erases the data of a person (GDPR Art. 17): fields, texts and files. Identifiers, states and sums stay. Pollers receive the change. It is rejected while an order or a retention keeps the data; the message has the first possible day.',
    success: { status: 200, description: 'The erased data', body: Erasure },
    errors: ['INVALID_STATE_TRANSITION'],
  },
  getTenantRetention: {
    ...read,
    path: '/organizations/{organizationId}/tenants/{id}/retention',
    tag: 'Data subjects',
    summary: 'Get the data that a tenant can erase',
    description:
      'Lists blocked employees of a tenant who can be erased, and counts the others with the next date. It erases nothing. It takes seconds for many employees; `kontor tenant retention` has no time limit.',
    permission: 'retention:read',
    parameters: ofOrganization('Identifier of the tenant'),
    success: { status: 200, description: 'Retained and erasable data', body: TenantRetention },
  },
} as const satisfies Record<string, PlatformOperation>;
