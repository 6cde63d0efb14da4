import Type, { type Static } from 'typebox';
import { auditActorTypes } from '../audit/audit.ts';
import { Money } from '../money.ts';
import { read, write } from '../operation.ts';
import { payrollFormats } from '../payroll-documents.ts';
import { ofOrganization, platformOperation } from '../platform-operation.ts';
import { ofPortal, portalOperation } from '../portal-operation.ts';
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
} from '../schema.ts';

export const payrollPartMonths = ['calendar_days', 'thirty_days', 'whole_month', 'next_month'] as const;
export type PayrollPartMonth = (typeof payrollPartMonths)[number];

export const payrollLugCorrections = ['two_years', 'any_month'] as const;

export const payrollKinds = ['salary_conversion', 'taxable_benefit', 'employer_subsidy'] as const;

const text = (description: string, maxLength: number, example: string) =>
  Text(description, example, { minLength: 1, maxLength });

export const PayrollKind = Values('PayrollKind', payrollKinds, 'Kind of an amount');

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
        pattern: '^(0[1-9]|[1-9][0-9]?)$',
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

export const payrollPayers = ['employee', 'employer', 'insurer', 'provider'] as const;

export const PayrollPayer = Values(
  'PayrollPayer',
  payrollPayers,
  'Who pays the rate while a leave suspends amounts',
);
export type PayrollPayer = Static<typeof PayrollPayer>;

const LeaveEffect = Values(
  'PayrollLeaveEffect',
  ['suspend', 'continue'],
  'Effect of a leave on amounts of a kind',
);
const effect = (kind: string) =>
  orNull(LeaveEffect, `${kind}; null: a question in the report, and the amounts continue`);

const LeaveRule = NamedObject('PayrollLeaveRule', 'What a leave does to each kind of amount', {
  salaryConversion: effect('Salary conversion'),
  taxableBenefit: effect('Taxable benefit; a bike that was given back for the leave suspends it always'),
  employerSubsidy: effect("Employer's subsidy"),
  payer: orNull(PayrollPayer, 'Who pays the rate instead: a note, nothing is computed; null: not decided'),
});
export type PayrollLeaveRule = Static<typeof LeaveRule>;

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
  leaves: NamedObject('PayrollLeaveRules', 'The rule of each type of leave', {
    longTermIllness: LeaveRule,
    maternityLeave: LeaveRule,
    parentalLeave: LeaveRule,
    unpaidLeave: LeaveRule,
  }),
  conversionBound: orNull(
    Money(2, 'Amount a month'),
    'Conversions of one person together above which the report asks (§ 107 GewO); null: no bound',
  ),
};

/** Later settings. Clients from before them leave them out. */
const later = {
  partMonth: Values(
    'PayrollPartMonth',
    payrollPartMonths,
    'How a month is computed in which a contract begins or ends: by calendar days; by days of 30; in full for each month with a day; or nothing for a first month that is not whole, and the last one in full',
  ),
  lugCorrections: Values(
    'PayrollLugCorrections',
    payrollLugCorrections,
    'Which months the files for Lohn und Gehalt correct: the current and the previous year, as LODAS does, or each released month',
  ),
  changesBySecondActor: Flag(
    'Whether settlements and settings have an effect only when another caller confirms them',
    false,
  ),
};

const input = {
  ...settings,
  partMonth: Type.Optional(later.partMonth),
  // Absent: as it is.
  lugCorrections: Type.Optional(later.lugCorrections),
  changesBySecondActor: Type.Optional(later.changesBySecondActor),
  from: Type.Optional(
    Period(
      'First month that the settings count for; they replace settings of later months. Absent: the month after the last released one, or the first month of the latest settings if it is later. The first settings begin with `firstPeriod`',
    ),
  ),
  changesReleased: Type.Optional(
    Flag('Whether `from` may be a released month. The next run then corrects what differs', false),
  ),
};

export const PayrollSettingsInput = NamedObject('PayrollSettingsInput', 'The settings as a whole', input);
export type PayrollSettingsInput = Static<typeof PayrollSettingsInput>;

const version = {
  from: Period('First month that they count for'),
  version: Type.Integer({ minimum: 1, description: 'Counts the changes', examples: [1] }),
  changedAt: Instant('When they were set'),
};

const PayrollSettingsVersion = NamedObject(
  'PayrollSettingsVersion',
  'Settings that begin in a month',
  version,
);

export const PayrollSettings = NamedObject(
  'PayrollSettings',
  'How a tenant exports to payroll: the latest settings',
  {
    tenant: Id('Tenant of the settings'),
    ...version,
    ...settings,
    ...later,
    versions: Type.Array(PayrollSettingsVersion, {
      description: 'All settings, the earliest first; each counts until the month of the next',
    }),
  },
);
export type PayrollSettings = Static<typeof PayrollSettings>;

export const PayrollSettingsPreview = NamedObject(
  'PayrollSettingsPreview',
  'What settings would change in released months',
  {
    from: Period('First month that the settings would count for'),
    released: nullable(Period('Last released month; null before a release')),
    differences: Type.Array(
      NamedObject('PayrollMonthDifference', 'What the next run would correct', {
        month: Period('Released month'),
        kind: PayrollKind,
        persons: Count('Persons whose amounts differ', 3),
        difference: Money(2, 'Sum of the differences, with the sign of the settings'),
      }),
      { description: 'By month and kind; empty: no released month changes' },
    ),
  },
);
export type PayrollSettingsPreview = Static<typeof PayrollSettingsPreview>;

const ofTenant = '/organizations/{organizationId}/tenants/{id}';

const reading = { ...read, tag: 'Payroll', permission: 'payroll:read' } as const;
const writing = { ...write, tag: 'Payroll', permission: 'payroll:write' } as const;

export const getPayrollSettings = platformOperation({
  ...reading,
  path: `${ofTenant}/payroll-settings`,
  summary: 'Get the payroll settings of a tenant',
  description: 'Reads how a tenant exports to payroll; 404 before they were set.',
  parameters: ofOrganization('Identifier of the tenant'),
  success: { status: 200, description: 'The settings', body: PayrollSettings },
});

export const setPayrollSettings = platformOperation({
  ...writing,
  path: `${ofTenant}/payroll-settings`,
  summary: 'Set the payroll settings of a tenant',
  description:
    'Sets the settings from a month on. The rules of a month (exported kinds, leaves, part months) come from its settings; wage types, numbers and the cut-off day come from the month of the run. A released month changes only with `changesReleased`. `firstPeriod` is fixed once a run was released.',
  parameters: ofOrganization('Identifier of the tenant'),
  body: PayrollSettingsInput,
  success: { status: 200, description: 'The settings', body: PayrollSettings },
  errors: ['VALIDATION_ERROR', 'INVALID_STATE_TRANSITION'],
});

export const previewPayrollSettings = platformOperation({
  ...reading,
  method: 'POST',
  changesNothing: true,
  path: `${ofTenant}/payroll-settings/preview`,
  summary: 'Preview payroll settings',
  description: 'Computes what settings would change in released months. Nothing is stored.',
  parameters: ofOrganization('Identifier of the tenant'),
  body: PayrollSettingsInput,
  success: { status: 200, description: 'The differences', body: PayrollSettingsPreview },
  errors: ['VALIDATION_ERROR'],
});

export const getPayrollImportDescription = platformOperation({
  ...reading,
  path: `${ofTenant}/payroll-import-description`,
  summary: 'Download the import description for DATEV Lohn und Gehalt',
  description: 'Returns the INI file that DATEV Lohn und Gehalt needs once to import the files of a tenant.',
  parameters: ofOrganization('Identifier of the tenant'),
  success: {
    status: 200,
    description: 'The INI file',
    body: 'file',
    mediaTypes: ['text/plain'],
    made: 'from-rows',
  },
});

export const PayrollSettingsChange = ClosedObject({
  ...input,
  expectedVersion: Type.Optional(Type.Integer({ minimum: 0 })),
});
export type PayrollSettingsChange = Static<typeof PayrollSettingsChange>;

export const PayrollTestFileInput = ClosedObject({
  settings: PayrollSettingsInput,
  format: Values('PayrollExportFormat', payrollFormats),
  period: Period(),
  personnelNumber: Type.String({ minLength: 1, maxLength: 64, examples: ['99999'] }),
  costCenter: nullable(Type.String({ minLength: 1, maxLength: 36, examples: ['4711'] })),
  amounts: Type.Array(
    ClosedObject({
      kind: Values('PayrollKind', payrollKinds),
      amount: Money(2),
    }),
    { minItems: 1, maxItems: 10 },
  ),
});
export type PayrollTestFileInput = Static<typeof PayrollTestFileInput>;

export const getPortalPayrollSettings = ofPortal(getPayrollSettings, {});

export const setPortalPayrollSettings = ofPortal(setPayrollSettings, {
  permission: 'COMPANY_ADMIN',
  needsFreshSignIn: true,
  body: PayrollSettingsChange,
});

export const previewPortalPayrollSettings = ofPortal(previewPayrollSettings, {
  permission: 'COMPANY_ADMIN',
});

export const createPortalPayrollTestFile = portalOperation({
  ...ofPortal(getPayrollImportDescription, {
    permission: 'COMPANY_ADMIN',
    path: '/tenants/{id}/payroll-test-file',
  }),
  method: 'POST',
  changesNothing: true,
  body: PayrollTestFileInput,
  success: {
    status: 200,
    body: 'file',
    mediaTypes: ['text/csv', 'text/plain'],
    made: 'from-rows',
  },
  errors: ['VALIDATION_ERROR'],
});

export const getPortalPayrollImportDescription = ofPortal(getPayrollImportDescription, {});
