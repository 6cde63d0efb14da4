import { fold, foldVersion, type PayrollExportDocument } from '@kontor/contract';

/** The version of the stored document, so that a later shape can be rolled out in batches. */
const payrollDocVersion = 1;

/** The columns of `payroll_export_document` beside its organization. Period and SHA-256 are their own folding. */
export function payrollDocumentRow(document: PayrollExportDocument) {
  return {
    id: document.id,
    tenant_id: document.tenant,
    division_id: document.divisionId,
    period: document.period,
    format: document.format,
    status: document.status,
    folded_file_name: folding(document.fileName),
    folded_media_type: folding(document.mediaType),
    size: document.size,
    sha256: document.sha256,
    row_count: document.rowCount,
    skipped_count: document.skippedCount,
    generated_at: document.generatedAt,
    created_at: document.createdAt,
    updated_at: document.updatedAt,
    doc_version: payrollDocVersion,
    fold_version: foldVersion,
    doc: documentOf(document),
  };
}

function folding(value: string | null): string | null {
  return value === null ? null : fold(value);
}

/** The document in the order of the contract. */
function documentOf(document: PayrollExportDocument): string {
  const ordered: PayrollExportDocument = {
    id: document.id,
    tenant: document.tenant,
    divisionId: document.divisionId,
    period: document.period,
    format: document.format,
    status: document.status,
    fileName: document.fileName,
    mediaType: document.mediaType,
    size: document.size,
    sha256: document.sha256,
    rowCount: document.rowCount,
    skippedCount: document.skippedCount,
    generatedAt: document.generatedAt,
    createdAt: document.createdAt,
    updatedAt: document.updatedAt,
  };
  return JSON.stringify(ordered);
}
