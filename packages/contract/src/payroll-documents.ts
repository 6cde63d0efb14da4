import type { Static } from 'typebox';
import { fieldsOf } from './fields.ts';
import { listOf } from './list.ts';
import { idParameter, list, publicOperation, read } from './operation.ts';
import { ofHr } from './portal-operation.ts';
import {
  Count,
  Id,
  Instant,
  NamedObject,
  nullable,
  periodPattern,
  Text,
  timestamps,
  Values,
} from './schema.ts';

const tag = 'Payroll export documents';
const parameters = idParameter('Identifier of the payroll export document');

export const payrollFormats = ['csv', 'datev_lodas', 'datev_lug'] as const;

export const payrollStatuses = ['available', 'empty', 'failed'] as const;

export const PayrollExportDocument = NamedObject(
  'PayrollExportDocument',
  'Metadata of a generated payroll file',
  {
    id: Id('Unique identifier of the document'),
    tenant: Id('Tenant (company) that the document is for'),
    divisionId: nullable(Id('Division that the document is for; null when it is for the whole tenant')),
    period: Text('Payroll period, year and month', '2026-10', { pattern: periodPattern }),
    format: Values('PayrollExportFormat', payrollFormats, 'Format of a payroll file'),
    status: Values('PayrollExportStatus', payrollStatuses, 'Outcome of a payroll export'),
    fileName: nullable(Text('Name of the file; null when none was produced', 'lohn-2026-10.txt')),
    mediaType: nullable(Text('Media type of the file', 'text/plain')),
    size: nullable(Count('Size of the file in bytes', 48_213)),
    sha256: nullable(Text('SHA-256 of the file', '0'.repeat(64), { pattern: '^[0-9a-f]{64}$' })),
    rowCount: Count('Rows in the file', 120),
    skippedCount: Count('Rows that were left out', 0),
    generatedAt: Instant('When the export ran'),
    ...timestamps('document'),
  },
);
export type PayrollExportDocument = Static<typeof PayrollExportDocument>;

export const PayrollExportDocumentList = listOf(PayrollExportDocument, 'PayrollExportDocumentList');

export const payrollExportDocumentFields = fieldsOf(PayrollExportDocument);

export const listPayrollExportDocuments = publicOperation({
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
});

export const getPayrollExportDocument = publicOperation({
  ...read,
  path: '/payroll-export-documents/{id}',
  tag,
  summary: 'Get a payroll export document',
  description:
    'Reads the metadata of one payroll file. `fileName` is null when no file was produced: then there is nothing to download.',
  parameters,
  success: { status: 200, description: 'The payroll export document', body: PayrollExportDocument },
});

/** CSV, and the text formats of DATEV. */
export const payrollMediaTypes = ['text/csv', 'text/plain'] as const;

export const downloadPayrollExportDocument = publicOperation({
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
});

export const downloadPortalPayrollFile = ofHr(downloadPayrollExportDocument, {});
