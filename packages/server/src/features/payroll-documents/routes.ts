import { ApiError, operations, type PayrollExportDocument } from '@kontor/contract';
import type { Collection } from '../../collection/page.ts';
import type { Pool } from '../../database/connect.ts';
import { readDocument } from '../../database/find-in-scope.ts';
import { type Files, openDownload } from '../../files/download.ts';
import type { Answer, Call, Route } from '../../http/route.ts';

/** The operations of payroll export documents on a database, its files and its collection of them. */
export function payrollDocumentRoutes(parts: { reads: Pool; files: Files; collection: Collection }): Route[] {
  const { reads, files, collection } = parts;
  const read = async ({ scope, tenant, parameters }: Call) =>
    (await readDocument(reads, { table: 'payroll_export_document', scope, tenant, id: parameters['id']! })) ??
    notFound();
  return [
    {
      operationId: 'listPayrollExportDocuments',
      operation: operations.listPayrollExportDocuments,
      handle: async ({ scope, tenant, list, signal }) => ({
        status: 200,
        body: await collection.page({ scope, tenant, list: list!, signal }),
      }),
    },
    {
      operationId: 'getPayrollExportDocument',
      operation: operations.getPayrollExportDocument,
      handle: async call => ({ status: 200, body: await read(call) }),
    },
    {
      operationId: 'downloadPayrollExportDocument',
      operation: operations.downloadPayrollExportDocument,
      handle: async call => download(files, call.scope.organizationId, await read(call)),
    },
  ];
}

async function download(files: Files, organizationId: string, doc: string): Promise<Answer> {
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
