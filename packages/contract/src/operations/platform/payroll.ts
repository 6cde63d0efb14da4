import { read, write } from '../../operation.ts';
import {
  PayrollExplanation,
  PayrollExplanationQuery,
  PayrollFindingList,
  PayrollFindingsQuery,
  payrollFindingsMaximum,
  PayrollRun,
  PayrollRunCreate,
  PayrollRunList,
  payrollRunsMaximum,
  PayrollSettings,
  PayrollSettingsInput,
  PayrollSettlement,
  PayrollSettlementCreate,
} from '../../resources/platform/payroll.ts';
import { inOrganization, ofOrganization, type PlatformOperation } from './operation.ts';

const ofTenant = '/organizations/{organizationId}/tenants/{id}';
const ofRun = '/organizations/{organizationId}/payroll-runs/{id}';

const reading = { ...read, tag: 'Payroll', permission: 'payroll:read' } as const;
const writing = { ...write, tag: 'Payroll', permission: 'payroll:write' } as const;

export const payrollOperations = {
  getPayrollSettings: {
    ...reading,
    path: `${ofTenant}/payroll-settings`,
    summary: 'Get the payroll settings of a tenant',
    description: 'Reads how a tenant exports to payroll; 404 before they were set.',
    parameters: ofOrganization('Identifier of the tenant'),
    success: { status: 200, description: 'The settings', body: PayrollSettings },
  },
  setPayrollSettings: {
    ...writing,
    path: `${ofTenant}/payroll-settings`,
    summary: 'Set the payroll settings of a tenant',
    description:
      'Replaces the settings. They apply to the next run, also to earlier months that it corrects. `firstPeriod` is fixed once a run was released.',
    parameters: ofOrganization('Identifier of the tenant'),
    body: PayrollSettingsInput,
    success: { status: 200, description: 'The settings', body: PayrollSettings },
    errors: ['VALIDATION_ERROR', 'INVALID_STATE_TRANSITION'],
  },
  getPayrollImportDescription: {
    ...reading,
    path: `${ofTenant}/payroll-import-description`,
    summary: 'Download the import description for DATEV Lohn und Gehalt',
    description:
      'Returns the INI file that DATEV Lohn und Gehalt needs once to import the files of a tenant.',
    parameters: ofOrganization('Identifier of the tenant'),
    success: {
      status: 200,
      description: 'The INI file',
      body: 'file',
      mediaTypes: ['text/plain'],
      made: 'from-rows',
    },
  },
  listPayrollRuns: {
    ...reading,
    path: `${ofTenant}/payroll-runs`,
    summary: 'List the payroll runs of a tenant',
    description: `Lists the last ${payrollRunsMaximum} runs, the newest first.`,
    parameters: ofOrganization('Identifier of the tenant'),
    success: { status: 200, description: 'The runs', body: PayrollRunList },
  },
  createPayrollRun: {
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
  },
  getPayrollRun: {
    ...reading,
    path: ofRun,
    summary: 'Get a payroll run',
    description: 'Reads a run: its state, progress, report in figures, and documents.',
    parameters: ofOrganization('Identifier of the run'),
    success: { status: 200, description: 'The run', body: PayrollRun },
  },
  listPayrollFindings: {
    ...reading,
    path: `${ofRun}/findings`,
    summary: 'List the findings of a payroll run',
    description: `Lists the report of a run, ${payrollFindingsMaximum} findings at a time: errors, what is skipped and why, questions, corrections.`,
    parameters: ofOrganization('Identifier of the run'),
    query: PayrollFindingsQuery,
    success: { status: 200, description: 'Findings', body: PayrollFindingList },
  },
  releasePayrollRun: {
    ...writing,
    permission: 'payroll:release',
    path: `${ofRun}/release`,
    summary: 'Release a payroll run',
    description:
      'Computes again, stores the files and releases the entries, all or nothing. A draft that differs from what is owed now is rejected with 409, and `failure` of the run has the differences. A file that cannot be stored is 502; release the run again then. A large run answers with `releasing`: read it until it is `released`, or a `draft` with `failure`. Releasing a released run changes nothing.',
    parameters: ofOrganization('Identifier of the run'),
    success: { status: 200, description: 'The run, `released` or still `releasing`', body: PayrollRun },
    errors: ['INVALID_STATE_TRANSITION', 'BAD_GATEWAY'],
  },
  discardPayrollRun: {
    ...writing,
    permission: 'payroll:run',
    path: `${ofRun}/discard`,
    summary: 'Discard a payroll run',
    description: 'Discards a draft, or a run that is computing. Nothing of it counts as exported.',
    parameters: ofOrganization('Identifier of the run'),
    success: { status: 200, description: 'The discarded run', body: PayrollRun },
    errors: ['INVALID_STATE_TRANSITION'],
  },
  createPayrollSettlement: {
    ...writing,
    path: '/organizations/{organizationId}/payroll-settlements',
    summary: 'Settle an amount outside of payroll runs',
    description: 'Records that an open amount was settled outside of Kontor, so that no run exports it.',
    parameters: inOrganization,
    body: PayrollSettlementCreate,
    success: { status: 201, description: 'The settlement', body: PayrollSettlement },
    errors: ['VALIDATION_ERROR', 'INVALID_REFERENCE', 'INVALID_STATE_TRANSITION'],
  },
  explainPayroll: {
    ...reading,
    path: '/organizations/{organizationId}/employees/{id}/payroll-explanation',
    summary: 'Explain the amounts of an employee',
    description:
      'Returns a receipt for every amount of an employee in a period: contract, month, rule and days.',
    parameters: ofOrganization('Identifier of the employee'),
    query: PayrollExplanationQuery,
    success: { status: 200, description: 'The receipts', body: PayrollExplanation },
  },
} as const satisfies Record<string, PlatformOperation>;
