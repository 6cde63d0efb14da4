import { PayrollSettingsChange, PayrollTestFileInput } from '../../resources/portal/payroll.ts';
import {
  FindingsOfEmployees,
  payrollFindingsMaximum,
  PayrollRunDetails,
  payrollRunsMaximum,
  PayrollRunsOfTenant,
  PayrollRunsQuery,
} from '../../resources/platform/payroll.ts';
import { payrollOperations } from '../platform/payroll.ts';
import { ofPortal } from './operation.ts';
import type { PortalOperation } from './operation.ts';

const ofHr = { permission: 'HR' } as const;
const ofRun = { permission: 'PAYROLL_RUN' } as const;

export const portalPayrollOperations = {
  getPortalPayrollSettings: ofPortal(payrollOperations.getPayrollSettings, {
    description: 'Reads how a tenant of the user exports to payroll; 404 before they were set.',
  }),
  setPortalPayrollSettings: ofPortal(payrollOperations.setPayrollSettings, {
    permission: 'COMPANY_ADMIN',
    needsFreshSignIn: true,
    description:
      'Replaces the settings. They apply to the next run, also to earlier months that it corrects. `firstPeriod` is fixed once a run was released. Takes a fresh sign-in.',
    body: PayrollSettingsChange,
  }),
  createPortalPayrollTestFile: {
    ...ofPortal(payrollOperations.getPayrollImportDescription, {
      permission: 'COMPANY_ADMIN',
      path: '/tenants/{id}/payroll-test-file',
      summary: 'Download a test file for the payroll system',
      description:
        'Renders amounts in a format by the sent settings, as a test. It stores nothing, and nothing counts as exported. The name of the file begins with `TEST`. In a CSV file, the name of the person does, too.',
    }),
    method: 'POST',
    changesNothing: true,
    body: PayrollTestFileInput,
    success: {
      status: 200,
      description: 'The test file',
      body: 'file',
      mediaTypes: ['text/csv', 'text/plain'],
      made: 'from-rows',
    },
    errors: ['VALIDATION_ERROR'],
  },
  getPortalPayrollImportDescription: ofPortal(payrollOperations.getPayrollImportDescription, {
    description:
      'Returns the INI file that DATEV Lohn und Gehalt needs once to import the files of a tenant.',
  }),
  listPortalPayrollRuns: ofPortal(payrollOperations.listPayrollRuns, {
    ...ofHr,
    description: `Lists the last ${payrollRunsMaximum} runs, or those of a month, the newest first, with the months that a new run can be for.`,
    query: PayrollRunsQuery,
    success: { status: 200, description: 'The runs', body: PayrollRunsOfTenant },
  }),
  createPortalPayrollRun: ofPortal(payrollOperations.createPayrollRun, ofRun),
  getPortalPayrollRun: ofPortal(payrollOperations.getPayrollRun, {
    ...ofHr,
    description:
      'Reads a run: its state, progress, report in figures, files, and whether the user can release it.',
    success: { status: 200, description: 'The run with its files', body: PayrollRunDetails },
  }),
  listPortalPayrollFindings: ofPortal(payrollOperations.listPayrollFindings, {
    ...ofHr,
    description: `Lists the report of a run with the names of employees, ${payrollFindingsMaximum} findings at a time.`,
    success: { status: 200, description: 'Findings', body: FindingsOfEmployees },
  }),
  releasePortalPayrollRun: ofPortal(payrollOperations.releasePayrollRun, { permission: 'PAYROLL_RELEASE' }),
  discardPortalPayrollRun: ofPortal(payrollOperations.discardPayrollRun, ofRun),
  createPortalPayrollSettlement: ofPortal(payrollOperations.createPayrollSettlement, ofRun),
  explainPortalPayroll: ofPortal(payrollOperations.explainPayroll, ofHr),
} as const satisfies Record<string, PortalOperation>;
