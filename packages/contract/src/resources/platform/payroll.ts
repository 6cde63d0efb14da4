import Type, { type Static, type TSchema } from 'typebox';
import {
  ClosedObject,
  Count,
  Flag,
  Id,
  Instant,
  NamedObject,
  nullable,
  orNull,
  Period,
  Text,
  Values,
} from '../../schema.ts';
import { auditActorTypes } from './audit.ts';
import { Money } from '../money.ts';
import { PayrollExportDocument, payrollFormats } from '../public/payroll-export-document.ts';

export const payrollKinds = ['salary_conversion', 'taxable_benefit', 'employer_subsidy'] as const;
export const payrollRunStatuses = ['computing', 'draft', 'releasing', 'released', 'discarded'] as const;
export const payrollSeverities = ['error', 'skipped', 'question', 'info'] as const;

/** The codes of the report of a run, by severity. Each code is explained in docs/payroll.md. */
export const payrollFindingCodes = [
  // error: the run cannot be released.
  'unmapped_kind',
  'currency',
  'adviser_number',
  'client_number',
  'wage_type',
  'processing_key',
  'characters',
  // skipped: stays owed until it is fixed or settled.
  'no_contract',
  's_pedelec',
  'personnel_number',
  'cost_center',
  'amount',
  'correction_out_of_range',
  'after_cut_off',
  // question: computed as if the leave did not suspend.
  'leave_rule',
  // info
  'late',
  'correction',
  'changed_after_cut_off',
  'suspended',
  'end_after_term',
  'starts',
  'stops',
  'changes',
] as const;

const count = (description: string) => Count(description, 3);
const text = (description: string, maxLength: number, example: string) =>
  Text(description, example, { minLength: 1, maxLength });

const PayrollKind = Values('PayrollKind', payrollKinds, 'Kind of an amount');
const PayrollFormat = Values('PayrollExportFormat', payrollFormats, 'Format of a payroll file');

/** Also of imports. */
export const PayrollActor = NamedObject('PayrollActor', 'The caller that did it', {
  type: Values('AuditActorType', auditActorTypes, 'Kind of the actor'),
  id: text('Identifier', 200, '3vQ7kZ9mB2xT'),
  name: text('Name at that time', 200, 'Back office'),
});

const PayrollMapping = NamedObject(
  'PayrollMapping',
  'How amounts of a kind are exported. `wageType` is required when they are',
  {
    export: Flag('Whether amounts of this kind are exported', true),
    wageType: nullable(
      Type.String({ pattern: '^[1-9][0-9]{0,3}$', description: 'Wage type (Lohnart)', examples: ['3010'] }),
    ),
    processingKey: nullable(
      Type.String({
        pattern: '^[0-9]{1,2}$',
        description: 'Processing key of LODAS (bs_nr), which depends on the wage type; required for LODAS',
        examples: ['2'],
      }),
    ),
    sign: Values('PayrollSign', ['plus', 'minus'], 'Sign of exported amounts'),
  },
);
export type PayrollMapping = Static<typeof PayrollMapping>;

const mapping = (kind: string) =>
  orNull(PayrollMapping, `${kind}; null: not decided, which is an error in a run`);
const LeaveRule = Values('PayrollLeaveRule', ['suspend', 'continue'], 'Effect of a leave on amounts');
const leave = (type: string) =>
  orNull(LeaveRule, `Rule for ${type}; null: a question in the report, and amounts continue`);

const settings = {
  firstPeriod: Period('First month that is exported. Earlier months were settled elsewhere'),
  adviserNumber: nullable(
    Type.String({
      pattern: '^[1-9][0-9]{3,6}$',
      description: 'Adviser number of DATEV',
      examples: ['1234567'],
    }),
  ),
  clientNumber: nullable(
    Type.String({ pattern: '^[1-9][0-9]{0,4}$', description: 'Client number of DATEV', examples: ['10001'] }),
  ),
  personnelNumbers: Values(
    'PayrollPersonnelNumbers',
    ['payroll', 'company'],
    'Whether `employeeNumber` is the number of the payroll system (1 to 99999) or one of the company',
  ),
  cutOffDay: nullable(
    Type.Integer({
      minimum: 1,
      maximum: 31,
      description: 'Day of the month after which changes enter the next run; null: all changes enter',
      examples: [20],
    }),
  ),
  benefitProRata: Flag(
    'Whether the taxable benefit of a part month is exported by days; false: in full',
    false,
  ),
  releaseBySecondActor: Flag(
    'Whether a run must be released by another caller than the one that created it',
    false,
  ),
  kinds: NamedObject('PayrollMappings', 'How each kind is exported', {
    salaryConversion: mapping('Salary conversion'),
    taxableBenefit: mapping('Taxable benefit'),
    employerSubsidy: mapping("Employer's subsidy"),
  }),
  leaves: NamedObject('PayrollLeaveRules', 'Which leaves suspend amounts', {
    longTermIllness: leave('long-term illness'),
    maternityLeave: leave('maternity leave'),
    parentalLeave: leave('parental leave'),
    unpaidLeave: leave('unpaid leave'),
  }),
};

export const PayrollSettingsInput = NamedObject('PayrollSettingsInput', 'The settings as a whole', settings);
export type PayrollSettingsInput = Static<typeof PayrollSettingsInput>;

export const PayrollSettings = NamedObject('PayrollSettings', 'How a tenant exports to payroll', {
  tenant: Id('Tenant of the settings'),
  version: Type.Integer({ minimum: 1, description: 'Counts the changes', examples: [1] }),
  ...settings,
  changedAt: Instant('When they were set'),
});
export type PayrollSettings = Static<typeof PayrollSettings>;

const PayrollSum = NamedObject('PayrollSum', 'The sum of a kind, beside that of the period before', {
  kind: PayrollKind,
  amount: Money(2, 'Sum of the entries'),
  amountBefore: Money(
    2,
    'Sum of all runs of the last earlier period that was released for the tenant, or for the division of the run; 0.00 without one',
  ),
  difference: Money(2, 'Amount less the amount before'),
});

const PayrollCostCenterSum = NamedObject('PayrollCostCenterSum', 'The sum of a kind on a cost centre', {
  costCenter: nullable(text('Cost centre; null for entries without one', 36, '4711')),
  kind: PayrollKind,
  amount: Money(2, 'Sum of the entries'),
});

const PayrollSummary = NamedObject('PayrollSummary', 'The report of a run in figures', {
  entries: count('Entries of the draft'),
  orders: count('Orders that were computed'),
  errors: count('Findings that block the release'),
  skipped: count('Findings about amounts that are left out'),
  questions: count('Findings that need a decision'),
  sums: Type.Array(PayrollSum, { description: 'Sums by kind' }),
  costCenters: Type.Array(PayrollCostCenterSum, { description: 'Sums by cost centre and kind' }),
});
export type PayrollSummary = Static<typeof PayrollSummary>;

export const payrollDifferenceMaximum = 100;

const PayrollDifference = NamedObject('PayrollDifference', 'An entry that changed after the draft', {
  orderId: Id('Order'),
  month: Period('Month'),
  kind: PayrollKind,
  draft: orNull(Money(2, 'Amount'), 'Amount in the draft; null: no entry'),
  now: orNull(Money(2, 'Amount'), 'Amount when the release computed again; null: no entry'),
});
export type PayrollDifference = Static<typeof PayrollDifference>;

const PayrollFailure = NamedObject('PayrollFailure', 'A release that failed; nothing was released', {
  reason: Values(
    'PayrollFailureReason',
    ['stale', 'files', 'internal', 'permission'],
    'Why the last attempt failed',
  ),
  message: text('What to do', 500, 'Discard the draft and create a new run'),
  differences: Type.Array(PayrollDifference, {
    maxItems: payrollDifferenceMaximum,
    description: `The first ${payrollDifferenceMaximum} differences of a stale draft`,
  }),
});
export type PayrollFailure = Static<typeof PayrollFailure>;

const PayrollDownload = NamedObject('PayrollDownload', 'Downloads of one caller', {
  actor: PayrollActor,
  firstAt: Instant('First download'),
  lastAt: Instant('Last download'),
  count: count('Downloads'),
});

const PayrollRunDocument = NamedObject('PayrollRunDocument', 'A released document', {
  id: Id('Payroll export document'),
  downloads: Type.Array(PayrollDownload, {
    description: 'Earlier downloads. A file that is imported twice is deducted twice',
  }),
});

const PayrollProgress = NamedObject('PayrollProgress', 'How far the work is', {
  done: count('Orders computed'),
  total: count('Orders in all'),
});

export const PayrollRun = NamedObject('PayrollRun', 'A payroll run of a tenant', {
  id: Id('Unique identifier of the run'),
  tenant: Id('Tenant'),
  divisionId: nullable(Id('Division with its subtree; null: the whole tenant')),
  period: Period('Month that is exported'),
  formats: Type.Array(PayrollFormat, { description: 'Formats of the files' }),
  status: Values('PayrollRunStatus', payrollRunStatuses, 'State of a run'),
  createdBy: PayrollActor,
  createdAt: Instant('When it was created'),
  progress: orNull(PayrollProgress, 'Progress while `computing` or `releasing`; else null'),
  summary: orNull(PayrollSummary, 'The report; null while `computing`'),
  failure: orNull(PayrollFailure, 'Why the last release failed; else null'),
  releasedBy: orNull(PayrollActor, 'Actor of the release; null before it'),
  releasedAt: nullable(Instant('When it was released; null before')),
  documents: Type.Array(PayrollRunDocument, { description: 'The released documents' }),
});
export type PayrollRun = Static<typeof PayrollRun>;

const list = <S extends TSchema>(item: S, $id: string, description: string) =>
  NamedObject($id, description, { items: Type.Array(item) });

export const payrollRunsMaximum = 100;
export const PayrollRunList = list(
  PayrollRun,
  'PayrollRunList',
  `The last ${payrollRunsMaximum} runs, newest first`,
);

/** The runs of a tenant beside the months that another one could be for. */
export const PayrollRunsOfTenant = NamedObject('PayrollRunsOfTenant', 'Payroll runs of a tenant', {
  items: Type.Array(PayrollRun, { description: `The last ${payrollRunsMaximum} runs, newest first` }),
  firstPeriod: nullable(
    Period('First month of a new run: that of the settings, or the last released one. Null without settings'),
  ),
  lastPeriod: Period('Last month of a new run: the one after the present month'),
});
export type PayrollRunsOfTenant = Static<typeof PayrollRunsOfTenant>;

const payrollReleaseObstacles = ['stale', 'errors', 'permission', 'second_actor'] as const;
export type PayrollReleaseObstacle = (typeof payrollReleaseObstacles)[number];

/** One answer with everything that is shown of a run in the portal. */
export const PayrollRunDetails = NamedObject('PayrollRunDetails', 'A payroll run with its files', {
  run: PayrollRun,
  files: Type.Array(PayrollExportDocument, { description: 'The released documents, with checksums' }),
  obstacle: orNull(
    Values('PayrollReleaseObstacle', payrollReleaseObstacles, 'Why a draft cannot be released'),
    'Why the user cannot release the draft: it is stale, its report has errors, the user lacks `PAYROLL_RELEASE`, or another user must release it; else null',
  ),
});
export type PayrollRunDetails = Static<typeof PayrollRunDetails>;

export const PayrollRunsQuery = ClosedObject({
  period: Type.Optional(Period('Only runs of this month')),
});

export const PayrollRunCreate = NamedObject('PayrollRunCreate', 'A new run', {
  period: Period(
    'Month to export; not before the last released one, and at most the month after the present one',
  ),
  formats: Type.Array(PayrollFormat, {
    minItems: 1,
    maxItems: payrollFormats.length,
    uniqueItems: true,
    description: 'Formats of the files',
    examples: [['csv']],
  }),
  divisionId: Type.Optional(nullable(Id('Division with its subtree; absent or null: the whole tenant'))),
  replaces: Type.Optional(
    nullable(Id('Run of the tenant that is discarded in the same transaction; absent or null: none')),
  ),
});

export type PayrollRunCreate = Static<typeof PayrollRunCreate>;

export const payrollFindingsMaximum = 1000;

const finding = {
  number: Type.Integer({ minimum: 1, description: 'Position in the report', examples: [1] }),
  severity: Values('PayrollSeverity', payrollSeverities, 'Effect of a finding on the run'),
  code: Values('PayrollFindingCode', payrollFindingCodes, 'What was found'),
  employeeId: nullable(Id('Employee')),
  orderId: nullable(Id('Order')),
  month: nullable(Period('Month')),
  kind: orNull(PayrollKind, 'Kind of the amount'),
  field: nullable(text('Field that violates a format or is missing', 100, 'employeeNumber')),
  amount: orNull(Money(2, 'Amount'), 'Amount that it is about'),
};

const PayrollFinding = NamedObject('PayrollFinding', 'A row of the report', finding);
export type PayrollFinding = Static<typeof PayrollFinding>;
export type PayrollFindingCode = PayrollFinding['code'];

const FindingOfEmployee = NamedObject(
  'FindingOfEmployee',
  'A row of the report with the name of the employee, and the division to change',
  {
    ...finding,
    employeeName: nullable(
      text('Name of the employee; null without one in the scope of the user', 401, 'Petra Lang'),
    ),
    divisionId: nullable(Id('Division that the cost centre is from; null for findings about anything else')),
  },
);
export type FindingOfEmployee = Static<typeof FindingOfEmployee>;

export const PayrollFindingsQuery = ClosedObject({
  after: Type.Optional(
    Type.Integer({
      minimum: 0,
      description: '`number` of the last finding of the page before',
      default: 0,
    }),
  ),
  severity: Type.Optional(
    Type.Enum([...payrollSeverities], { type: 'string', description: 'Only findings of this severity' }),
  ),
});

export const PayrollFindingList = list(
  PayrollFinding,
  'PayrollFindingList',
  `Up to ${payrollFindingsMaximum} findings; fewer are the last ones`,
);

export const FindingsOfEmployees = list(
  FindingOfEmployee,
  'FindingsOfEmployees',
  `Up to ${payrollFindingsMaximum} findings; fewer are the last ones`,
);

export const PayrollSettlementCreate = NamedObject(
  'PayrollSettlementCreate',
  'An amount that was settled outside of Kontor and counts as released',
  {
    orderId: Id('Order'),
    month: Period('Month'),
    kind: PayrollKind,
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
  amount: Money(2, 'Amount'),
  reason: text('Reason', 500, 'Vom Steuerbüro nachberechnet'),
  settledBy: PayrollActor,
  settledAt: Instant('When it was settled'),
});
export type PayrollSettlement = Static<typeof PayrollSettlement>;

const PayrollComputation = NamedObject('PayrollComputation', 'How the owed amount of a month was computed', {
  rule: Values(
    'PayrollRule',
    ['full_month', 'part_month', 'remainder', 'after_term', 'whole_benefit'],
    'Rule that gives the amount (docs/payroll.md)',
  ),
  rate: Money(2, 'Amount of the contract a month'),
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
  wageType: nullable(text('Wage type; null for a settlement, and for an amount that is left out', 4, '3010')),
  costCenter: nullable(text('Cost centre', 36, '4711')),
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
