import Type, { type Static, type TSchema } from 'typebox';
import { PayrollActor, PayrollKind, PayrollPayer } from './settings.ts';
import { Money } from '../money.ts';
import { read, write } from '../operation.ts';
import { PayrollExportDocument, payrollFormats } from '../payroll-documents.ts';
import { ofOrganization, platformOperation } from '../platform-operation.ts';
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

export const payrollSeverities = ['error', 'skipped', 'question', 'info'] as const;

/** The codes of the report of a run, by severity. Each code is explained in docs/payroll-api.md. */
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
  'personnel_number',
  'cost_center',
  'amount',
  'correction_out_of_range',
  'after_cut_off',
  // question: about persons, their leaves, an early end, and a month that was skipped. Amounts are exported all the same.
  'blocked',
  'left',
  'retired',
  'deceased',
  'employer_changed',
  'leave_rule',
  'leave_open',
  'leave_before_contract',
  'leave_far',
  'leave_takes_back',
  'end_takes_back',
  'conversion_bound',
  'skipped_month',
  // question: more was paid elsewhere than is owed, which a run does not pay out.
  'paid_elsewhere',
  // question: a new number, or one that was wrong, whose amounts are to be reversed.
  'number_changed',
  // info
  's_pedelec',
  'reversal',
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

export const PayrollFormat = Values('PayrollExportFormat', payrollFormats, 'Format of a payroll file');

const PayrollSum = NamedObject('PayrollSum', 'The sum of a kind, next to the sum of the period before', {
  kind: PayrollKind,
  amount: Money(2, 'Sum of the entries of this run'),
  total: Money(2, 'Sum of this run and of the runs of the same period that were released before it'),
  amountBefore: Money(
    2,
    'Sum of all runs of the last earlier period that was released for the tenant, or for the division of the run; 0.00 without one',
  ),
  difference: Money(2, 'Total less the amount before'),
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
  questions: count('Questions without an answer'),
  acknowledged: count('Questions that were answered'),
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

const PayrollReversed = NamedObject(
  'PayrollReversed',
  'The released amounts that a reversal books anew: of a run, or of an employee in months',
  {
    runId: nullable(Id('Released run')),
    employeeId: nullable(Id('Employee')),
    firstMonth: nullable(Period('First month')),
    lastMonth: nullable(Period('Last month')),
  },
);

export const PayrollRun = NamedObject('PayrollRun', 'A payroll run of a tenant', {
  id: Id('Unique identifier of the run'),
  tenant: Id('Tenant'),
  divisionId: nullable(Id('Division with its subtree; null: the whole tenant')),
  kind: Values('PayrollRunKind', ['regular', 'reversal'], 'Whether it exports what is owed, or reverses'),
  reverses: orNull(PayrollReversed, 'The amounts of a reversal; null for a regular run'),
  period: Period('Month that is exported'),
  formats: Type.Array(PayrollFormat, { description: 'Formats of the files' }),
  status: Values(
    'PayrollRunStatus',
    ['computing', 'draft', 'releasing', 'released', 'discarded'],
    'State of a run',
  ),
  createdBy: PayrollActor,
  createdAt: Instant('When it was created'),
  progress: orNull(PayrollProgress, 'Progress while `computing` or `releasing`; otherwise null'),
  summary: orNull(PayrollSummary, 'The report; null while `computing`'),
  failure: orNull(PayrollFailure, 'Why the last release failed; otherwise null'),
  releasedBy: orNull(PayrollActor, 'Actor of the release; null before it'),
  releasedAt: nullable(Instant('When it was released; null before')),
  documents: Type.Array(PayrollRunDocument, { description: 'The released documents' }),
  copies: Type.Array(PayrollDownload, { description: 'Downloads of copies of its files' }),
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
export const PayrollRunsOfTenant = ClosedObject({
  items: Type.Array(PayrollRun),
  firstPeriod: nullable(Period()),
  lastPeriod: Period(),
});
export type PayrollRunsOfTenant = Static<typeof PayrollRunsOfTenant>;

const payrollReleaseObstacles = ['stale', 'errors', 'permission', 'second_actor'] as const;
export type PayrollReleaseObstacle = (typeof payrollReleaseObstacles)[number];

/** One answer with everything that is shown of a run in the portal. */
export const PayrollRunDetails = ClosedObject({
  run: PayrollRun,
  files: Type.Array(PayrollExportDocument),
  obstacle: orNull(Values('PayrollReleaseObstacle', payrollReleaseObstacles)),
});
export type PayrollRunDetails = Static<typeof PayrollRunDetails>;

/** A month of a tenant in the chart of the portal. */
const PayrollMonth = ClosedObject({
  period: Period(),
  /** Whether it is to be released; `sums` are then the sums of its draft. */
  isOpen: Type.Boolean(),
  sums: Type.Array(ClosedObject({ kind: PayrollKind, amount: Money(2, 'Sum of all releases') })),
});
export type PayrollMonth = Static<typeof PayrollMonth>;

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

export const PayrollReversalCreate = NamedObject(
  'PayrollReversalCreate',
  'A new reversal, of a whole run or of an employee in some months',
  {
    period: Period('Month of the files, as of another run'),
    formats: PayrollRunCreate.properties.formats,
    runId: Type.Optional(nullable(Id('Released run of the tenant; without an employee'))),
    employeeId: Type.Optional(nullable(Id('Employee of the tenant'))),
    firstMonth: Type.Optional(
      nullable(Period('First month of the employee; absent or null: the first one that was released')),
    ),
    lastMonth: Type.Optional(
      nullable(
        Period(
          'Last month of the employee, at most `period`; absent or null: the last one that was released',
        ),
      ),
    ),
    replaces: PayrollRunCreate.properties.replaces,
  },
);
export type PayrollReversalCreate = Static<typeof PayrollReversalCreate>;

export const payrollFindingsMaximum = 1000;

const reason = text('Reason', 500, 'Sie gibt das Rad erst im Januar zurück');

export const PayrollAcknowledgement = NamedObject('PayrollAcknowledgement', 'The answer to a question', {
  reason,
  acknowledgedBy: PayrollActor,
  acknowledgedAt: Instant('When it was answered'),
});
export type PayrollAcknowledgement = Static<typeof PayrollAcknowledgement>;

export const PayrollAcknowledgementCreate = NamedObject(
  'PayrollAcknowledgementCreate',
  'An answer to a question of the report',
  {
    finding: Type.Integer({ minimum: 1, description: '`number` of the question', examples: [1] }),
    reason,
  },
);
export type PayrollAcknowledgementCreate = Static<typeof PayrollAcknowledgementCreate>;

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
  payer: orNull(
    PayrollPayer,
    'Who pays an amount that a leave suspends; null: not decided, or not suspended',
  ),
  action: Values(
    'PayrollFindingAction',
    ['settings', 'employee', 'division', 'order', 'incidents', 'settlement', 'explanation', 'run'],
    'Where it is resolved',
  ),
  acknowledgement: orNull(PayrollAcknowledgement, 'Answer to the question; null: none'),
};

const PayrollFinding = NamedObject('PayrollFinding', 'A row of the report', finding);
export type PayrollFinding = Static<typeof PayrollFinding>;
export type PayrollFindingCode = PayrollFinding['code'];

const FindingOfEmployee = ClosedObject({
  ...finding,
  employeeName: nullable(
    text('Name of the employee; null without one in the scope of the user', 401, 'Petra Lang'),
  ),
  divisionId: nullable(Id()),
});
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

const ofTenant = '/organizations/{organizationId}/tenants/{id}';
const ofRun = '/organizations/{organizationId}/payroll-runs/{id}';

const reading = { ...read, tag: 'Payroll', permission: 'payroll:read' } as const;
const writing = { ...write, tag: 'Payroll', permission: 'payroll:write' } as const;

export const listPayrollRuns = platformOperation({
  ...reading,
  path: `${ofTenant}/payroll-runs`,
  summary: 'List the payroll runs of a tenant',
  description: `Lists the last ${payrollRunsMaximum} runs, the newest first.`,
  parameters: ofOrganization('Identifier of the tenant'),
  success: { status: 200, description: 'The runs', body: PayrollRunList },
});

export const createPayrollRun = platformOperation({
  ...writing,
  permission: 'payroll:run',
  path: `${ofTenant}/payroll-runs`,
  summary: 'Create a payroll run',
  description:
    'Computes in the background what is owed for a month and for earlier months that changed. Read the run until it is a `draft`. A tenant has one run at a time that is neither released nor discarded. `replaces` discards it in the same transaction.',
  parameters: ofOrganization('Identifier of the tenant'),
  body: PayrollRunCreate,
  success: { status: 201, description: 'The run, which is `computing`', body: PayrollRun },
  errors: ['VALIDATION_ERROR', 'INVALID_REFERENCE', 'DUPLICATE_RESOURCE', 'INVALID_STATE_TRANSITION'],
});

export const createPayrollReversal = platformOperation({
  ...writing,
  permission: 'payroll:run',
  path: `${ofTenant}/payroll-reversals`,
  summary: 'Create a reversal of released amounts',
  description:
    'Computes in the background a run that books released amounts anew whose personnel number, adviser or client number, wage type or cost centre was wrong: entries with the other sign under the values that were released, and entries under the present ones. Their sum is zero. It is released or discarded like another run.',
  parameters: ofOrganization('Identifier of the tenant'),
  body: PayrollReversalCreate,
  success: { status: 201, description: 'The run, which is `computing`', body: PayrollRun },
  errors: ['VALIDATION_ERROR', 'INVALID_REFERENCE', 'DUPLICATE_RESOURCE', 'INVALID_STATE_TRANSITION'],
});

export const getPayrollRun = platformOperation({
  ...reading,
  path: ofRun,
  summary: 'Get a payroll run',
  description: 'Reads a run: its state, progress, report in figures, and documents.',
  parameters: ofOrganization('Identifier of the run'),
  success: { status: 200, description: 'The run', body: PayrollRun },
});

export const listPayrollFindings = platformOperation({
  ...reading,
  path: `${ofRun}/findings`,
  summary: 'List the findings of a payroll run',
  description: `Lists the report of a run, ${payrollFindingsMaximum} findings at a time: errors, what is skipped and why, questions, corrections.`,
  parameters: ofOrganization('Identifier of the run'),
  query: PayrollFindingsQuery,
  success: { status: 200, description: 'Findings', body: PayrollFindingList },
});

export const releasePayrollRun = platformOperation({
  ...writing,
  permission: 'payroll:release',
  path: `${ofRun}/release`,
  summary: 'Release a payroll run',
  description:
    'Begins a release in the background: it computes again, stores the files and releases the entries, all or nothing. Read the run until it is `released`, or a `draft` with `failure`: the draft differs from what is owed now, or a file could not be stored. A stale draft is rejected with 409. Releasing a run again that is `releasing` or `released` changes nothing.',
  parameters: ofOrganization('Identifier of the run'),
  success: { status: 200, description: 'The run, which is `releasing`', body: PayrollRun },
  errors: ['INVALID_STATE_TRANSITION'],
});

const fileFormat = Type.Enum([...payrollFormats], {
  type: 'string',
  description: 'Format of the file',
  examples: ['csv'],
});

export const getPayrollRunCopy = platformOperation({
  ...reading,
  path: `${ofRun}/copy`,
  summary: 'Download a copy of a file of a released payroll run',
  description:
    'Renders the entries of a released run again, in the same or another format, and changes nothing but the list of downloads. The name ends in `-kopie`. A payroll system deducts twice what it imports twice.',
  parameters: ofOrganization('Identifier of the run'),
  query: ClosedObject({
    format: fileFormat,
    number: Type.Optional(
      Type.Integer({
        minimum: 1,
        description:
          'Which file of the format: a run has several where earlier months or another client have one of their own; 404 after the last',
        default: 1,
      }),
    ),
  }),
  success: {
    status: 200,
    description: 'The file',
    body: 'file',
    mediaTypes: ['text/csv', 'text/plain'],
    made: 'from-rows',
  },
  errors: ['VALIDATION_ERROR', 'INVALID_STATE_TRANSITION'],
});

export const getPayrollRunRecipe = platformOperation({
  ...reading,
  path: `${ofRun}/recipe`,
  summary: 'Download the recipe for the files of a released payroll run',
  description:
    'Renders what the payroll program must have before a file is imported: wage types, what kind each must be, signs, and the rules of the format.',
  parameters: ofOrganization('Identifier of the run'),
  query: ClosedObject({
    format: fileFormat,
    language: Type.Optional(
      Type.Enum(['en', 'de'], { type: 'string', description: 'Language', default: 'de' }),
    ),
  }),
  success: {
    status: 200,
    description: 'The text',
    body: 'file',
    mediaTypes: ['text/plain'],
    made: 'from-rows',
  },
  errors: ['INVALID_STATE_TRANSITION'],
});

export const discardPayrollRun = platformOperation({
  ...writing,
  permission: 'payroll:run',
  path: `${ofRun}/discard`,
  summary: 'Discard a payroll run',
  description: 'Discards a draft, or a run that is computing. Nothing of it counts as exported.',
  parameters: ofOrganization('Identifier of the run'),
  success: { status: 200, description: 'The discarded run', body: PayrollRun },
  errors: ['INVALID_STATE_TRANSITION'],
});

export const acknowledgePayrollFinding = platformOperation({
  ...writing,
  path: `${ofRun}/acknowledgements`,
  summary: 'Answer a question of a payroll run',
  description:
    'Records with a reason that a question of a draft was considered. Later runs do not ask it again, unless what it is about changes. Amounts stay as they are. An answer replaces an earlier one.',
  parameters: ofOrganization('Identifier of the run'),
  body: PayrollAcknowledgementCreate,
  success: { status: 200, description: 'The answer', body: PayrollAcknowledgement },
  errors: ['VALIDATION_ERROR', 'INVALID_STATE_TRANSITION'],
});

const byHr = { permission: 'HR' } as const;
const byRunner = { permission: 'PAYROLL_RUN' } as const;

export const listPortalPayrollRuns = ofPortal(listPayrollRuns, {
  ...byHr,
  query: ClosedObject({
    period: Type.Optional(Period('Only runs of this month')),
  }),
  success: { status: 200, body: PayrollRunsOfTenant },
});

/** The twelve months up to `last`, the earliest first. */
export const listPortalPayrollMonths = ofPortal(listPayrollRuns, {
  ...byHr,
  path: '/tenants/{id}/payroll-months',
  query: ClosedObject({ last: Period('Last month') }),
  success: { status: 200, body: ClosedObject({ items: Type.Array(PayrollMonth) }) },
});

export const createPortalPayrollRun = ofPortal(createPayrollRun, byRunner);

export const createPortalPayrollReversal = ofPortal(createPayrollReversal, byRunner);

export const getPortalPayrollRun = ofPortal(getPayrollRun, {
  ...byHr,
  success: { status: 200, body: PayrollRunDetails },
});

export const getPortalPayrollRunCopy = ofPortal(getPayrollRunCopy, byHr);

export const getPortalPayrollRunRecipe = ofPortal(getPayrollRunRecipe, byHr);

export const listPortalPayrollFindings = ofPortal(listPayrollFindings, {
  ...byHr,
  success: { status: 200, body: FindingsOfEmployees },
});

export const releasePortalPayrollRun = ofPortal(releasePayrollRun, { permission: 'PAYROLL_RELEASE' });

export const discardPortalPayrollRun = ofPortal(discardPayrollRun, byRunner);

export const acknowledgePortalPayrollFinding = ofPortal(acknowledgePayrollFinding, byRunner);
