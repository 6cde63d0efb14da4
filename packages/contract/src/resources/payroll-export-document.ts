import Type, { type Static } from 'typebox';
import { fieldsOf } from '../fields.ts';
import { Id, Instant, NamedObject, nullable, periodPattern, Values } from '../schema.ts';
import { listOf } from './list.ts';

export const payrollFormats = ['csv', 'datev_lodas', 'datev_lug'] as const;
/** CSV, and the text formats of DATEV. */
export const payrollMediaTypes = ['text/csv', 'text/plain'] as const;
export const payrollStatuses = ['available', 'empty', 'failed'] as const;

export const PayrollExportDocument = NamedObject(
  'PayrollExportDocument',
  'Metadata of a generated payroll file',
  {
    id: Id('Unique identifier of the document'),
    tenant: Id('Tenant (company) that the document is for'),
    divisionId: nullable(Id('Division that the document is for; null when it is for the whole tenant')),
    period: Type.String({
      pattern: periodPattern,
      description: 'Payroll period, year and month',
      examples: ['2026-10'],
    }),
    format: Values('PayrollExportFormat', payrollFormats, 'Format of a payroll file'),
    status: Values('PayrollExportStatus', payrollStatuses, 'Outcome of a payroll export'),
    fileName: nullable(
      Type.String({
        description: 'Name of the file; null when none was produced',
        examples: ['lohn-2026-10.txt'],
      }),
    ),
    mediaType: nullable(Type.String({ description: 'Media type of the file', examples: ['text/plain'] })),
    size: nullable(
      Type.Integer({ minimum: 0, description: 'Size of the file in bytes', examples: [48_213] }),
    ),
    sha256: nullable(
      Type.String({
        pattern: '^[0-9a-f]{64}$',
        description: 'SHA-256 of the file',
        examples: ['0'.repeat(64)],
      }),
    ),
    rowCount: Type.Integer({ minimum: 0, description: 'Rows in the file', examples: [120] }),
    skippedCount: Type.Integer({ minimum: 0, description: 'Rows that were left out', examples: [0] }),
    generatedAt: Instant('When the export ran'),
    createdAt: Instant('When the document was created'),
    updatedAt: Instant(
      'When the document last changed; strictly increasing per organization in commit order',
    ),
  },
);
export type PayrollExportDocument = Static<typeof PayrollExportDocument>;

export const PayrollExportDocumentList = listOf(PayrollExportDocument, 'PayrollExportDocumentList');

export const payrollExportDocumentFields = fieldsOf(PayrollExportDocument);
