import { ApiError } from '@kontor/contract';
import type { Pool } from '../db/connect.ts';
import { sql } from '../db/sql.ts';
import { findInScope } from '../auth/find-in-scope.ts';
import { type Files, openDownload } from '../files/download.ts';
import { credentialOf, type ResourceCall } from './read-resource.ts';
import type { FileAnswer } from './route.ts';

interface Parts {
  readonly reads: Pool;
  readonly files: Files;
}

type AttachmentCall = Omit<ResourceCall, 'parameters'> & {
  readonly parameters: { readonly id: string; readonly attachmentId: string };
};

interface Attachment {
  readonly id: string;
  readonly fileName: string;
  readonly mediaType: string;
  readonly size: number;
}

/** An attachment that a page shows. Uploads are images and PDF files by their content, which run no script of the portal. */
export function inline({ status, file }: FileAnswer): FileAnswer {
  return { status, file: { ...file, isInline: true } };
}

/**
 * Answers with the bytes of an attachment. An unknown row and an unknown attachment get the same response. The SHA-256 may be unknown.
 * @throws ApiError NOT_FOUND
 */
export async function downloadAttachment(
  { reads, files }: Parts,
  { table, noun }: { table: string; noun: string },
  { scope, tenant, caller, parameters }: AttachmentCall,
): Promise<FileAnswer> {
  const { id, attachmentId } = parameters;
  const found = await findInScope<{ doc: string; sha256: string | null }>(
    reads,
    { table, scope, tenant, id },
    sql`doc, attachment_sha256 ->> ${attachmentId}::text AS sha256`,
  );
  const { attachments } = found
    ? (JSON.parse(found.doc) as { attachments: Attachment[] })
    : { attachments: [] };
  const attachment = attachments.find(({ id }) => id === attachmentId);
  if (!found || !attachment)
    throw new ApiError(
      'NOT_FOUND',
      `No such attachment of an ${noun} is visible to the ${credentialOf(caller)}`,
    );
  const { fileName, mediaType, size } = attachment;
  const file = { organizationId: scope.organizationId, id: attachmentId, size, sha256: found.sha256 };
  return { status: 200, file: { stream: await openDownload(files, file), fileName, mediaType, size } };
}
