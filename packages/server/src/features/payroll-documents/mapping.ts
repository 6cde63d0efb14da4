import { PayrollExportDocument, payrollExportDocumentFields } from '@kontor/contract';
import { defineResource, everywhere, folded, plain } from '../../query/resource.ts';

/** Period and SHA-256 need no folding. */
export const payrollDocumentResource = defineResource({
  table: 'payroll_export_document',
  resourceType: 'payroll_export_document',
  schema: PayrollExportDocument,
  fields: payrollExportDocumentFields,
  stored: {
    id: plain('id', 'text', ...everywhere),
    tenant: plain('tenant_id', 'text', 'organization'),
    divisionId: plain('division_id', 'text', 'organization'),
    period: plain('period'),
    format: plain('format'),
    status: plain('status'),
    fileName: folded('folded_file_name'),
    mediaType: folded('folded_media_type'),
    size: plain('size', 'bigint'),
    sha256: plain('sha256'),
    rowCount: plain('row_count', 'integer'),
    skippedCount: plain('skipped_count', 'integer'),
    generatedAt: plain('generated_at', 'timestamptz'),
    createdAt: plain('created_at', 'timestamptz'),
    updatedAt: plain('updated_at', 'timestamptz', 'organization'),
  },
});
