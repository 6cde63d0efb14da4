import { idParameter, read, write } from '../../operation.ts';
import {
  EmployeeImport,
  EmployeeImportAnswers,
  EmployeeImportApply,
  EmployeeImportDetails,
  EmployeeImportErrorsQuery,
  EmployeeImportList,
  EmployeeImportMapping,
  EmployeeImportQuery,
  EmployeeImportRows,
  EmployeeImportRowsQuery,
  importErrorsMaximum,
  importRowsMaximum,
  importsMaximum,
} from '../../resources/portal/employee-import.ts';
import type { PortalOperation } from '../../portal-operation.ts';

const reading = { ...read, tag: 'Employee imports', permission: 'HR' } as const;
const writing = { ...write, tag: 'Employee imports', permission: 'HR' } as const;

const ofImport = idParameter('Identifier of the import');
const ofTenant = idParameter('Identifier of the tenant');
const body = EmployeeImport;

export const employeeImportOperations = {
  uploadEmployeeImport: {
    ...writing,
    path: '/tenants/{id}/employee-imports',
    summary: 'Upload a CSV file of employees',
    description: `Stores a CSV file in UTF-8, UTF-16 or Windows-1252 with at most ${importRowsMaximum.toLocaleString('en')} rows. Its encoding and the character between its values are detected. Nothing changes before it is planned and applied. A tenant has one open import at a time. A file without usable columns or rows is \`failed\`, and \`failure\` says why.`,
    parameters: ofTenant,
    upload: true,
    uploadTypes: ['text/csv'],
    success: { status: 201, description: 'The import, `uploaded` or `failed`', body },
    errors: ['DUPLICATE_RESOURCE'],
  },
  listEmployeeImports: {
    ...reading,
    path: '/tenants/{id}/employee-imports',
    summary: 'List the imports of a tenant',
    description: `Lists the last ${importsMaximum} imports, the newest first.`,
    parameters: ofTenant,
    success: { status: 200, description: 'The imports', body: EmployeeImportList },
  },
  getEmployeeImport: {
    ...reading,
    path: '/employee-imports/{id}',
    summary: 'Get an import',
    description:
      'Reads an import: its state, progress, first rows and columns, and how they fill fields. With `headerRow` it proposes a mapping for this header.',
    parameters: ofImport,
    query: EmployeeImportQuery,
    success: { status: 200, description: 'The import with its columns', body: EmployeeImportDetails },
  },
  listEmployeeImportRows: {
    ...reading,
    path: '/employee-imports/{id}/rows',
    summary: 'List the rows of an import',
    description: `Lists rows with their changes, errors or questions, in the order of the file. The first ${importErrorsMaximum.toLocaleString('en')} rows with errors or questions are listed; \`counts\` has the number of all.`,
    parameters: ofImport,
    query: EmployeeImportRowsQuery,
    success: { status: 200, description: 'Rows', body: EmployeeImportRows },
  },
  planEmployeeImport: {
    ...writing,
    path: '/employee-imports/{id}/plan',
    summary: 'Plan an import',
    description:
      'Checks each row in the background, without changing an employee. Read the import until it is `planned`.',
    parameters: ofImport,
    body: EmployeeImportMapping,
    success: { status: 200, description: 'The import, which is `planning`', body },
    errors: ['VALIDATION_ERROR', 'INVALID_STATE_TRANSITION'],
  },
  answerEmployeeImport: {
    ...writing,
    path: '/employee-imports/{id}/answers',
    summary: 'Answer questions of an import',
    description:
      'Accepts rows with questions, which are then imported with their suggestions, or leaves them out. A later answer replaces an earlier one.',
    parameters: ofImport,
    body: EmployeeImportAnswers,
    success: { status: 200, description: 'The import with its counts', body },
    errors: ['VALIDATION_ERROR', 'INVALID_STATE_TRANSITION'],
  },
  applyEmployeeImport: {
    ...writing,
    path: '/employee-imports/{id}/apply',
    summary: 'Apply an import',
    description:
      'Imports the planned rows in the background, each once. A row is skipped if its employee was changed since the plan. Accepted questions are imported with their suggestions, others are left out. The mapping is saved for the next file of the tenant. Read the import until it is `applied`. Applying it again changes nothing. With `mapping` it is rejected if another user has planned it with another mapping since. It is `failed` with the reason `permission` if the user loses the permission HR meanwhile; then another user can apply the rest.',
    parameters: ofImport,
    body: EmployeeImportApply,
    success: { status: 200, description: 'The import, which is `applying`', body },
    errors: ['VALIDATION_ERROR', 'INVALID_STATE_TRANSITION', 'DUPLICATE_RESOURCE'],
  },
  discardEmployeeImport: {
    ...writing,
    path: '/employee-imports/{id}/discard',
    summary: 'Discard an import',
    description: 'Removes the file and the plan of an import that is not being applied. No employee changes.',
    parameters: ofImport,
    success: { status: 200, description: 'The discarded import', body },
    errors: ['INVALID_STATE_TRANSITION'],
  },
  downloadEmployeeImportReport: {
    ...reading,
    path: '/employee-imports/{id}/report',
    summary: 'Download the report of an import',
    description:
      'Sends a line for each change and each error. Cells that a spreadsheet would take for a formula begin with an apostrophe.',
    parameters: ofImport,
    success: {
      status: 200,
      description: 'RFC 4180 with a line of names, in the order of the file',
      body: 'file',
      mediaTypes: ['text/csv'],
      made: 'from-rows',
    },
    errors: ['INVALID_STATE_TRANSITION'],
  },
  downloadEmployeeImportErrors: {
    ...reading,
    path: '/employee-imports/{id}/rows-with-errors',
    summary: 'Download the rows with errors',
    description:
      'Sends the rows with errors and the questions that are not accepted, as the file has them, with a last column that says what is wrong. Excel opens the file; corrected, it can be uploaded.',
    parameters: ofImport,
    query: EmployeeImportErrorsQuery,
    success: {
      status: 200,
      description: 'CSV in UTF-8 with a byte order mark, `;` between values and the columns of the file',
      body: 'file',
      mediaTypes: ['text/csv'],
      made: 'from-rows',
    },
    errors: ['INVALID_STATE_TRANSITION'],
  },
} as const satisfies Record<string, PortalOperation>;
