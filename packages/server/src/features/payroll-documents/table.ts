import { payrollExportDocumentFields } from '@kontor/contract';
import type { CollectionTable, Column } from '../../collection/table.ts';

/** Where the public fields of payroll export documents stand in the table `payroll_export_document`. */
export const payrollDocumentTable: CollectionTable = {
  table: 'payroll_export_document',
  family: 'payroll_export_document',
  fields: payrollExportDocumentFields,
  columns: new Map<string, Column>([
    ['id', { name: 'id', indexed: ['organization', 'tenant', 'division'] }],
    ['tenant', { name: 'tenant_id', indexed: ['organization'] }],
    ['divisionId', { name: 'division_id', indexed: ['organization'] }],
    ['period', { name: 'period' }],
    ['format', { name: 'format' }],
    ['status', { name: 'status' }],
    ['fileName', { name: 'folded_file_name' }],
    ['mediaType', { name: 'folded_media_type' }],
    ['size', { name: 'size' }],
    ['sha256', { name: 'sha256' }],
    ['rowCount', { name: 'row_count' }],
    ['skippedCount', { name: 'skipped_count' }],
    ['generatedAt', { name: 'generated_at' }],
    ['createdAt', { name: 'created_at' }],
    ['updatedAt', { name: 'updated_at', indexed: ['organization'] }],
  ]),
};
