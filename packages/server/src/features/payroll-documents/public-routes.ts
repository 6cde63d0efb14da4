import { ApiError, type PayrollExportDocument } from '@kontor/contract';
import type { Collection } from '../../query/page.ts';
import type { Pool } from '../../db/connect.ts';
import { type Files, openDownload } from '../../files/download.ts';
import type { Handlers } from '../../http/handlers.ts';
import { readResource, type ResourceCall } from '../../http/read-resource.ts';
import { type FileAnswer, ok } from '../../http/route.ts';
import type { Actor } from '../../write/writes.ts';
import { payrollDocumentResource } from './mapping.ts';

export function payrollDocumentHandlers(parts: {
  reads: Pool;
  files: Files;
  collection: Collection;
  /** Records who downloads a file. */
  recordDownload: (document: { organizationId: string; id: string }, actor: Actor) => Promise<void>;
}): Handlers<'Payroll export documents'> {
  const { reads, files, collection, recordDownload } = parts;
  const read = (call: ResourceCall) => readResource(reads, payrollDocumentResource, call);
  return {
    listPayrollExportDocuments: async call => ok(await collection.page(call)),
    getPayrollExportDocument: read,
    async downloadPayrollExportDocument(call) {
      const { organizationId } = call.scope;
      const answer = await download(files, organizationId, (await read(call)).body);
      await recordDownload({ organizationId, id: call.parameters.id }, call.caller.actor);
      return answer;
    },
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
