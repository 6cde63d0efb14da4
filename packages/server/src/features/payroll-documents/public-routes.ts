import { ApiError, type PayrollExportDocument } from '@kontor/contract';
import type { Collection } from '../../query/page.ts';
import type { Pool } from '../../db/connect.ts';
import { readDocument } from '../../db/find-in-scope.ts';
import { type Files, openDownload } from '../../files/download.ts';
import type { CallOf, Handlers } from '../../http/handlers.ts';
import { type FileAnswer, ok } from '../../http/route.ts';

export function payrollDocumentHandlers(parts: {
  reads: Pool;
  files: Files;
  collection: Collection;
}): Handlers<'Payroll export documents'> {
  const { reads, files, collection } = parts;
  const read = async ({ scope, tenant, parameters: { id } }: CallOf<'getPayrollExportDocument'>) =>
    (await readDocument(reads, { table: 'payroll_export_document', scope, tenant, id })) ?? notFound();
  return {
    listPayrollExportDocuments: async call => ok(await collection.page(call)),
    getPayrollExportDocument: async call => ok(await read(call)),
    downloadPayrollExportDocument: async call => download(files, call.scope.organizationId, await read(call)),
  };
}

async function download(files: Files, organizationId: string, doc: string): Promise<FileAnswer> {
  const { id, fileName, mediaType, size, sha256 } = JSON.parse(doc) as PayrollExportDocument;
  if (fileName === null || mediaType === null || size === null)
    throw new ApiError(
      'FILE_NOT_FOUND',
      'No file was produced for this document: its fileName is null; do not download it',
    );
  const stream = await openDownload(files, { organizationId, id, size, sha256 });
  return { status: 200, file: { stream, fileName, mediaType, size } };
}

function notFound(): never {
  throw new ApiError('NOT_FOUND', 'No payroll export document with this id is visible to the key');
}
