import Type, { type Static } from 'typebox';
import { PayrollActor, PayrollKind } from './settings.ts';
import { Money } from '../money.ts';
import { agreedAmounts } from '../orders/contracts.ts';
import { BenefitRule } from '../orders/intakes.ts';
import { none, read, write } from '../operation.ts';
import { PayrollExportDocument } from '../payroll-documents.ts';
import { inOrganization, ofOrganization, platformOperation } from '../platform-operation.ts';
import { ofPortal } from '../portal-operation.ts';
import {
  ClosedObject,
  Count,
  Id,
  Instant,
  NamedObject,
  nullable,
  orNull,
  Period,
  Text,
  Values,
} from '../schema.ts';

const count = (description: string) => Count(description, 3);
const text = (description: string, maxLength: number, example: string) =>
  Text(description, example, { minLength: 1, maxLength });

const Meaning = Values(
  'PayrollSettlementMeaning',
  ['paid_elsewhere', 'not_owed'],
  'Paid outside of Kontor, which no later run pays out; or not owed, which ends when nothing is owed',
);

export const PayrollSettlementCreate = NamedObject(
  'PayrollSettlementCreate',
  'An amount that no run exports, as it was paid elsewhere or is not owed',
  {
    orderId: Id('Order'),
    month: Period('Month'),
    kind: PayrollKind,
    meaning: Meaning,
    amount: Type.Optional(
      Money(
        2,
        'Amount, at most what is open; the other sign takes back a settlement. Absent: all that is open',
      ),
    ),
    reason: text('Reason', 500, 'Vom Steuerbüro nachberechnet'),
  },
);

export type PayrollSettlementCreate = Static<typeof PayrollSettlementCreate>;

export const PayrollSettlement = NamedObject('PayrollSettlement', 'A settled amount', {
  id: Id('Unique identifier'),
  orderId: Id('Order'),
  month: Period('Month'),
  kind: PayrollKind,
  meaning: Meaning,
  amount: Money(2, 'Amount'),
  reason: text('Reason', 500, 'Vom Steuerbüro nachberechnet'),
  settledBy: PayrollActor,
  settledAt: Instant('When it was settled'),
});
export type PayrollSettlement = Static<typeof PayrollSettlement>;

const PayrollBenefit = NamedObject(
  'PayrollBenefit',
  'The taxable benefit of a product, or of the order as a whole',
  {
    rule: BenefitRule,
    listPrice: nullable(Money(2, 'List price with tax; null without a benefit')),
    base: Money(2, 'The list price or its quarter, rounded down to full 100'),
    amount: Money(2, '1 % of the base'),
  },
);

const PayrollTerms = NamedObject('PayrollTerms', 'The amounts of a contract that a rate follows from', {
  ...agreedAmounts,
  benefits: Type.Array(PayrollBenefit),
});
export type PayrollTerms = Static<typeof PayrollTerms>;

const PayrollComputation = NamedObject('PayrollComputation', 'How the owed amount of a month was computed', {
  rule: Values(
    'PayrollRule',
    [
      'full_month',
      'part_month',
      'thirty_days',
      'whole_month',
      'next_month',
      'remainder',
      'after_term',
      'whole_benefit',
    ],
    'Rule that gives the amount (docs/payroll-rules.md)',
  ),
  contractVersion: Type.Integer({
    minimum: 1,
    description: 'Version of the contract that was in force in the month',
    examples: [1],
  }),
  rate: Money(2, 'Amount of the contract a month'),
  terms: orNull(PayrollTerms, 'The amounts that the rate follows from; null where they have changed since'),
  daysOfMonth: Type.Integer({ minimum: 28, maximum: 31, description: 'Days of the month', examples: [30] }),
  contractDays: count('Days of the contract in the month'),
  suspendedDays: count('Days of leaves that suspend'),
});

const PayrollReceipt = NamedObject('PayrollReceipt', 'Why an employee has an amount', {
  orderId: Id('Order'),
  contractNumber: nullable(text('Contract', 200, 'LV-2026-000123')),
  month: Period('Month that is owed'),
  kind: PayrollKind,
  source: Values(
    'PayrollEntrySource',
    ['run', 'settled', 'open'],
    'Exported by a run, settled outside, or still open',
  ),
  amount: Money(2, 'Amount of the entry: what was owed, less what was exported or settled before'),
  owed: Money(2, 'Amount that was owed for the month in all'),
  computation: orNull(PayrollComputation, 'How it was computed; null where nothing was owed'),
  runId: nullable(Id('Run that exported it; null otherwise')),
  booked: nullable(Money(2, 'Amount with the sign of the files; null without a booking')),
  personnelNumber: nullable(text('Personnel number; null without a booking', 64, '1234')),
  wageType: nullable(text('Wage type; null for a settlement, and for an amount that is left out', 4, '3010')),
  costCenter: nullable(text('Cost centre', 36, '4711')),
  meaning: orNull(Meaning, 'Meaning of a settlement; null otherwise'),
  reason: nullable(text('Reason of a settlement; null otherwise', 500, 'Vom Steuerbüro nachberechnet')),
});
export type PayrollReceipt = Static<typeof PayrollReceipt>;

export const PayrollExplanationQuery = ClosedObject({ period: Period('Month of the run') });

export const PayrollExplanation = NamedObject(
  'PayrollExplanation',
  'All amounts of an employee in a period',
  {
    employeeId: Id('Employee'),
    period: Period('Month of the run'),
    receipts: Type.Array(PayrollReceipt, { description: 'A receipt per entry' }),
  },
);
export type PayrollExplanation = Static<typeof PayrollExplanation>;

const reading = { ...read, tag: 'Payroll', permission: 'payroll:read' } as const;
const writing = { ...write, tag: 'Payroll', permission: 'payroll:write' } as const;

export const createPayrollSettlement = platformOperation({
  ...writing,
  path: '/organizations/{organizationId}/payroll-settlements',
  summary: 'Settle an amount outside of payroll runs',
  description: 'Records that an open amount was settled outside of Kontor, so that no run exports it.',
  parameters: inOrganization,
  body: PayrollSettlementCreate,
  success: { status: 201, description: 'The settlement', body: PayrollSettlement },
  errors: ['VALIDATION_ERROR', 'INVALID_REFERENCE', 'INVALID_STATE_TRANSITION'],
});

export const explainPayroll = platformOperation({
  ...reading,
  path: '/organizations/{organizationId}/employees/{id}/payroll-explanation',
  summary: 'Explain the amounts of an employee',
  description:
    'Returns a receipt for every amount of an employee in a period: contract, month, rule and days.',
  parameters: ofOrganization('Identifier of the employee'),
  query: PayrollExplanationQuery,
  success: { status: 200, description: 'The receipts', body: PayrollExplanation },
});

const byHr = { permission: 'HR' } as const;

/** Most releases of an employee that are listed. */
export const employeeReleasesMaximum = 24;

/** A released run with amounts of an employee, and its files. */
const EmployeeRelease = ClosedObject({
  runId: Id(),
  tenant: Id(),
  period: Period(),
  releasedAt: Instant(),
  sums: Type.Array(ClosedObject({ kind: PayrollKind, amount: Money(2, 'Sum of the entries') })),
  files: Type.Array(PayrollExportDocument),
});
export type EmployeeRelease = Static<typeof EmployeeRelease>;

export const listPortalEmployeeReleases = ofPortal(explainPayroll, {
  ...byHr,
  path: '/employees/{id}/payroll-releases',
  query: none,
  success: {
    status: 200,
    body: ClosedObject({ items: Type.Array(EmployeeRelease, { maxItems: employeeReleasesMaximum }) }),
  },
});
const byRunner = { permission: 'PAYROLL_RUN' } as const;

export const createPortalPayrollSettlement = ofPortal(createPayrollSettlement, byRunner);

export const explainPortalPayroll = ofPortal(explainPayroll, byHr);
