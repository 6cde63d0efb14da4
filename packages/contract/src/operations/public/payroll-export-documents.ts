import { idParameter, list, type Operation, read } from '../../operation.ts';
import {
  PayrollExportDocument,
  PayrollExportDocumentList,
  payrollExportDocumentFields,
  payrollMediaTypes,
} from '../../resources/public/payroll-export-document.ts';

const tag = 'Payroll export documents';
const parameters = idParameter('Identifier of the payroll export document');

export const payrollExportDocumentOperations = {
  listPayrollExportDocuments: {
    ...list,
    path: '/payroll-export-documents',
    tag,
    summary: 'List payroll export documents',
    description: 'Lists the metadata of generated payroll files in the scope of the key.',
    success: {
      status: 200,
      description: 'A page of payroll export documents',
      body: PayrollExportDocumentList,
    },
    fields: payrollExportDocumentFields,
  },
  getPayrollExportDocument: {
    ...read,
    path: '/payroll-export-documents/{id}',
    tag,
    summary: 'Get a payroll export document',
    description:
      'Reads the metadata of one payroll file. `fileName` is null when no file was produced: then there is nothing to download.',
    parameters,
    success: { status: 200, description: 'The payroll export document', body: PayrollExportDocument },
  },
  downloadPayrollExportDocument: {
    ...read,
    path: '/payroll-export-documents/{id}/download',
    tag,
    summary: 'Download a payroll file',
    description:
      'Streams the file of a payroll export document. Discard a download that breaks off before `Content-Length` bytes; compare the file with `sha256` of the document.',
    parameters,
    success: {
      status: 200,
      description: 'The bytes of the file',
      body: 'file',
      mediaTypes: payrollMediaTypes,
    },
  },
} as const satisfies Record<string, Operation>;
