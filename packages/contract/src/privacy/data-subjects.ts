import Type, { type Static } from 'typebox';
import { read, write } from '../operation.ts';
import { ofOrganization, platformOperation } from '../platform-operation.ts';
import { ofHr, ofPortal, portalOperation } from '../portal-operation.ts';
import {
  ClosedObject,
  Count,
  Day,
  Flag,
  Id,
  Instant,
  NamedObject,
  nullable,
  Period,
  Text,
  Values,
} from '../schema.ts';

const ErasureHold = ClosedObject({
  kind: Values('ErasureHoldKind', [
    'open_order',
    'order_vouchers',
    'recent_order',
    'incident_in_progress',
    'recent_incident',
    'payroll',
  ]),
  subject: Text(),
  until: nullable(Day()),
});
export type ErasureHold = Static<typeof ErasureHold>;

export const Erasure = NamedObject(
  'Erasure',
  'Whether and when the data of an employee can be erased, and which data',
  {
    employeeId: Id('Employee'),
    erasedAt: nullable(Instant('When the data were erased, the last time; null: never')),
    possible: Flag('Whether the data can be erased now, or again after new writes', false),
    possibleFrom: nullable(
      Day(
        'First possible day of the erasure (UTC); null if it is possible now, or the day is unknown',
        '2031-01-01',
      ),
    ),
    reasons: Type.Array(Type.String({ examples: ['order A-2026-000123 is active'] }), {
      description: 'Reasons that prevent the erasure; empty if there are none',
    }),
    orders: Count('Orders of the employee, which stay without texts and files', 2),
    incidents: Count('Incidents of the employee, which stay without texts, days and files', 1),
    files: Count('Files of these, which go', 3),
  },
);
export type Erasure = Static<typeof Erasure>;

const { orders, incidents, files, possibleFrom } = Erasure.properties;

export const EmployeeErasure = ClosedObject({
  possible: Flag(),
  possibleFrom,
  holds: Type.Array(ErasureHold),
  orders,
  incidents,
  files,
  payrollEntries: Count(),
  payrollKeptUntil: nullable(Day()),
});
export type EmployeeErasure = Static<typeof EmployeeErasure>;

/** Data-subject requests: for a company admin who does the work of HR for the company of the person. */
const ofDataSubject = { permission: 'HR', alsoPermission: 'COMPANY_ADMIN', selectsTenant: true } as const;

const ofEmployee = {
  tag: 'Data subjects',
  parameters: ofOrganization('Identifier of the employee'),
} as const;

const employee = '/organizations/{organizationId}/employees/{id}';

const erasure = { ...ofEmployee, path: `${employee}/erasure`, permission: 'data-subjects:erase' } as const;

export const exportEmployee = platformOperation({
  ...read,
  ...ofEmployee,
  path: `${employee}/export`,
  summary: 'Export an employee',
  description:
    'Streams a ZIP of all stored data of a person (GDPR Art. 15 and 20): documents as JSON, files, entries of the audit log, and a page that lists the content and missing files. Each export is audited. An answer that breaks off is incomplete.',
  permission: 'data-subjects:export',
  success: {
    status: 200,
    description: 'All that is stored about the employee',
    body: 'file',
    mediaTypes: ['application/zip'],
    made: 'from-files',
  },
});

export const exportPortalEmployee = portalOperation({
  ...ofPortal(exportEmployee, {}),
  ...ofDataSubject,
});

export const getEmployeeErasure = platformOperation({
  ...read,
  ...erasure,
  summary: 'Get whether an employee can be erased',
  description: 'Reads whether the data of a person can be erased now; if not, from when, and why not yet.',
  success: { status: 200, description: 'Whether an erasure is possible, and from when', body: Erasure },
});

export const getPortalEmployeeErasure = ofHr(ofPortal(getEmployeeErasure, {}), {
  success: { status: 200, body: EmployeeErasure },
});

export const eraseEmployee = platformOperation({
  ...write,
  ...erasure,
  summary: 'Erase an employee',
  description:
    'Permanently erases the data of a person (GDPR Art. 17): fields, texts and files. Identifiers, states and sums stay. Pollers receive the change. It is rejected while an order or a retention keeps the data; the message has the first possible day.',
  success: { status: 200, description: 'The erased data', body: Erasure },
  errors: ['INVALID_STATE_TRANSITION'],
});

export const erasePortalEmployee = portalOperation({
  ...ofPortal(eraseEmployee, {}),
  ...ofDataSubject,
  needsFreshSignIn: true,
  success: { status: 200, body: EmployeeErasure },
});

/** Maximum employees that a retention lists; the others are only counted. */
export const dueEmployeesMaximum = 100;

export const TenantRetention = NamedObject(
  'TenantRetention',
  'Retention of personal data of a tenant, and erasable data',
  {
    tenantId: Id('Tenant'),
    voucherYears: Count('Whole years after its year for which a payroll voucher is kept', 6),
    otherDays: Count('Days after their last change for which other orders and incidents are kept', 0),
    dueCount: Count('Employees who have left (the account is blocked) and can be erased now', 2),
    dueEmployeeIds: Type.Array(Id('Employee'), {
      maxItems: dueEmployeesMaximum,
      description: `The first ${dueEmployeesMaximum} of these`,
    }),
    keptCount: Count('Blocked employees who cannot be erased yet', 5),
    nextDueOn: nullable(
      Day('First day on which one of these can be erased; null: none, or unknown', '2027-01-01'),
    ),
    documentCount: Count('Payroll export documents older than the retention of vouchers', 12),
    firstPeriod: nullable(Period('First period of these; null: there are none', '2018-01')),
    lastPeriod: nullable(Period('Last period of these; null: there are none', '2018-12')),
  },
);
export type TenantRetention = Static<typeof TenantRetention>;

export const getTenantRetention = platformOperation({
  ...read,
  path: '/organizations/{organizationId}/tenants/{id}/retention',
  tag: 'Data subjects',
  summary: 'Get the data that a tenant can erase',
  description:
    'Lists blocked employees of a tenant who can be erased, and counts the others with the next date. It erases nothing. It takes seconds for many employees; `kontor tenant retention` has no time limit.',
  permission: 'retention:read',
  parameters: ofOrganization('Identifier of the tenant'),
  success: { status: 200, description: 'Retained and erasable data', body: TenantRetention },
});

const ofAdmin = { permission: 'COMPANY_ADMIN' } as const;

export const getPortalTenantDueData = ofPortal(getTenantRetention, {
  ...ofAdmin,
  path: '/tenants/{id}/due-data',
  tag: 'Retention',
});
