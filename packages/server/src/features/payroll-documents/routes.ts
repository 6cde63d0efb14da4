import {
  ApiError,
  downloadPayrollExportDocument,
  downloadPortalPayrollFile,
  getPayrollExportDocument,
  listPayrollExportDocuments,
  type PayrollExportDocument,
} from '@kontor/contract';
import type { Pool } from '../../db/connect.ts';
import { type Files, openDownload } from '../../files/download.ts';
import { implement } from '../../http/implement.ts';
import { readResource, type ResourceCall } from '../../http/read-resource.ts';
import { type FileAnswer, ok, type Route } from '../../http/route.ts';
import type { Collection } from '../../query/page.ts';
import type { Actor } from '../../write/writes.ts';
import { payrollDocumentResource } from './mapping.ts';

export interface DownloadParts {
  readonly reads: Pool;
  readonly files: Files;
  /** Records who downloads a file. */
  readonly recordDownload: (document: { organizationId: string; id: string }, actor: Actor) => Promise<void>;
}

export function payrollDocumentRoutes(parts: DownloadParts & { collection: Collection }): Route[] {
  return [
    implement(listPayrollExportDocuments, async call => ok(await parts.collection.page(call))),
    implement(getPayrollExportDocument, call => read(parts, call)),
    implement(downloadPayrollExportDocument, call => downloadDocument(parts, call)),
  ];
}

/** Files of payroll in the scope of the user's permission HR. Each download is recorded, as with the public API. */
export function portalPayrollDocumentRoutes(parts: DownloadParts): Route[] {
  return [implement(downloadPortalPayrollFile, call => downloadDocument(parts, call))];
}

function read({ reads }: Pick<DownloadParts, 'reads'>, call: ResourceCall) {
  return readResource(reads, payrollDocumentResource, call);
}

/** The file of a document in scope. @throws ApiError NOT_FOUND, FILE_NOT_FOUND */
async function downloadDocument(parts: DownloadParts, call: ResourceCall): Promise<FileAnswer> {
  const { organizationId } = call.scope;
  const answer = await download(parts.files, organizationId, (await read(parts, call)).body);
  await parts.recordDownload({ organizationId, id: call.parameters.id }, call.caller.actor);
  return answer;
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
