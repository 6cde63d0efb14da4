import Type, { type Static } from 'typebox';
import { PayrollKind } from './settings.ts';
import { Money } from '../money.ts';
import { read } from '../operation.ts';
import { ofOrganization, platformOperation } from '../platform-operation.ts';
import { exported, ofPortal } from '../portal-operation.ts';
import { Count, Id, NamedObject, nullable, Period, Text } from '../schema.ts';

const text = (description: string, maxLength: number, example: string) =>
  Text(description, example, { minLength: 1, maxLength });

export const payrollEntriesMaximum = 200;

const selection = {
  kind: Type.Optional(PayrollKind),
  costCenter: Type.Optional(
    nullable(text('Only amounts on this cost centre; null: on none; absent: on any', 36, '4711')),
  ),
  person: Type.Optional(text('Only persons with this personnel number, or this part of a name', 100, 'lang')),
};

export const PayrollEntrySearch = NamedObject('PayrollEntrySearch', 'Which amounts of a run', {
  after: Type.Optional(
    Type.Integer({
      minimum: 0,
      description: '`position` of the last amount of the page before',
      default: 0,
    }),
  ),
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: payrollEntriesMaximum,
      description: 'Amounts of the page',
      default: payrollEntriesMaximum,
    }),
  ),
  ...selection,
});

const PayrollRunEntry = NamedObject(
  'PayrollRunEntry',
  'What an order adds to a sum. All amounts have the sign of the settings',
  {
    position: Type.Integer({ minimum: 1, description: 'Position in the list', examples: [1] }),
    employeeId: Id('Employee'),
    employeeName: nullable(text('Name; null for an employee who is out of reach', 401, 'Petra Lang')),
    personnelNumber: text('Personnel number', 64, '1234'),
    orderId: Id('Order'),
    kind: PayrollKind,
    months: Type.Array(Period('Month that is owed'), {
      description: 'Months that the run exports: the one of the run, late ones and corrections',
    }),
    wageType: text('Wage type', 4, '3010'),
    costCenter: nullable(text('Cost centre', 36, '4711')),
    amount: Money(2, 'What this run exports; 0.00 for somebody who had an amount only in the month before'),
    total: Money(2, 'What this run and the ones of the same period that were released before it export'),
    amountBefore: Money(2, 'What all runs of the last earlier period exported'),
    difference: Money(2, 'Total less the amount before'),
  },
);
export type PayrollRunEntry = Static<typeof PayrollRunEntry>;

export const PayrollEntryList = NamedObject('PayrollEntryList', 'A page of the amounts by personnel number', {
  items: Type.Array(PayrollRunEntry),
  total: Count('Amounts that are selected, on all pages', 3),
  persons: Count('Persons among them for whom the run itself exports an amount', 2),
});
export type PayrollEntryList = Static<typeof PayrollEntryList>;

export const searchPayrollEntries = platformOperation({
  ...read,
  method: 'POST',
  changesNothing: true,
  tag: 'Payroll',
  permission: 'payroll:read',
  path: '/organizations/{organizationId}/payroll-runs/{id}/entries/search',
  summary: 'List the amounts of a payroll run',
  description:
    'Lists the amounts that the sums of a draft or a released run consist of, next to the amounts of the month before. They add up to the sums of its report.',
  parameters: ofOrganization('Identifier of the run'),
  body: PayrollEntrySearch,
  success: { status: 200, description: 'Amounts', body: PayrollEntryList },
});

export const searchPortalPayrollEntries = ofPortal(searchPayrollEntries, { permission: 'HR' });

export const PayrollEntryExport = Type.Object(
  { ...selection, language: Type.Enum(['en', 'de'], { type: 'string' }) },
  { additionalProperties: false },
);

/** A CSV file for a spreadsheet, with the columns of the page. */
export const exportPortalPayrollEntries = ofPortal(searchPayrollEntries, {
  permission: 'HR',
  path: '/payroll-runs/{id}/entries/export',
  success: exported.success,
  body: PayrollEntryExport,
});
