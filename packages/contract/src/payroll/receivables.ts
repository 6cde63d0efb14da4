import Type, { type Static } from 'typebox';
import { PayrollFormat } from './runs.ts';
import { PayrollKind } from './settings.ts';
import { Money } from '../money.ts';
import { read } from '../operation.ts';
import { ofOrganization, platformOperation } from '../platform-operation.ts';
import { exported, ofPortal } from '../portal-operation.ts';
import { ClosedObject, Id, NamedObject, nullable, Period, Text, Values } from '../schema.ts';

const text = (description: string, maxLength: number, example: string) =>
  Text(description, example, { minLength: 1, maxLength });

export const payrollReceivableCodes = [
  'correction_out_of_range',
  'personnel_number',
  'cost_center',
  'amount',
  'paid_elsewhere',
] as const;

export const payrollReceivablesMaximum = 200;

const PayrollReceivable = NamedObject('PayrollReceivable', 'An open amount that no payroll file contains', {
  orderId: Id('Order'),
  employeeId: Id('Employee'),
  employeeName: nullable(text('Name; null for an employee who is out of reach', 401, 'Petra Lang')),
  personnelNumber: nullable(text('Personnel number; null: none', 64, '1234')),
  month: Period('Month that is owed'),
  kind: PayrollKind,
  amount: Money(2, 'Open amount, as a settlement accepts it; negative: the person gets it back'),
  code: Values('PayrollReceivableCode', payrollReceivableCodes, 'Why no file contains it'),
  field: nullable(text('Field or format that it fails on; null otherwise', 100, 'lodas')),
});
export type PayrollReceivable = Static<typeof PayrollReceivable>;

export const PayrollReceivableList = NamedObject(
  'PayrollReceivableList',
  'The open amounts of the orders of a page',
  {
    period: nullable(Period('Month of the last run, which they are computed for; null before a run')),
    formats: Type.Array(PayrollFormat, { description: 'Formats of that run' }),
    items: Type.Array(PayrollReceivable, { description: 'By order, month and kind' }),
    next: nullable(Id('`after` of the next page; null: this is the last one')),
  },
);
export type PayrollReceivableList = Static<typeof PayrollReceivableList>;

export const listPayrollReceivables = platformOperation({
  ...read,
  tag: 'Payroll',
  permission: 'payroll:read',
  path: '/organizations/{organizationId}/tenants/{id}/payroll-receivables',
  summary: 'List the open amounts that no payroll file contains',
  description: `Lists what the last run of a tenant left out with an amount, as it is now, ${payrollReceivablesMaximum} orders at a time: a format does not accept it, or more was paid elsewhere than is owed. A settlement closes an amount, and so does a correction of the field.`,
  parameters: ofOrganization('Identifier of the tenant'),
  query: ClosedObject({
    after: Type.Optional(
      Type.String({
        pattern: '^[0-9a-f]{24}$',
        description: '`next` of the page before',
        examples: ['65f0c0ffee0123456789abcd'],
      }),
    ),
  }),
  success: { status: 200, description: 'The amounts', body: PayrollReceivableList },
});

export const listPortalPayrollReceivables = ofPortal(listPayrollReceivables, { permission: 'HR' });

/** A CSV file for a spreadsheet, with the columns of the page. */
export const exportPortalPayrollReceivables = ofPortal(listPayrollReceivables, {
  ...exported,
  changesNothing: true,
  permission: 'HR',
  path: '/tenants/{id}/payroll-receivables/export',
  body: ClosedObject({ language: Type.Enum(['en', 'de'], { type: 'string' }) }),
});
