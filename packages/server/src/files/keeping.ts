import { empty, type Fragment, sql } from '../db/sql.ts';
import type { StagedFile } from '../write/writes.ts';
import { storeFailure } from './download.ts';
import type { FileKey, FileStore } from './file-store.ts';

/** The file of a decision. Its errors are BAD_GATEWAY and GATEWAY_TIMEOUT for a failing store. */
export function stagedFile(files: FileStore, file: FileKey & { readonly bytes: Buffer }): StagedFile {
  return {
    put: session =>
      files.put(session, file).catch((error: unknown) => {
        throw storeFailure(error);
      }),
    // Its error must not replace the error of the write.
    discard: () => files.discard(file).catch(() => {}),
  };
}

/** A new attachment and the SHA-256 of its bytes. */
export interface Attached {
  readonly id: string;
  readonly sha256: string;
}

/** The assignment, of an UPDATE, that adds the SHA-256 of a new attachment. Empty without one. */
export function digestAssignment(attached: Attached | undefined): Fragment {
  if (attached === undefined) return empty;
  return sql`, attachment_sha256 = attachment_sha256 || jsonb_build_object(${attached.id}::text, ${attached.sha256}::text)`;
}

/** The assignment, of an UPDATE, that removes the SHA-256 of an attachment. Empty without one. */
export function digestRemoval(id: string | undefined): Fragment {
  return id === undefined ? empty : sql`, attachment_sha256 = attachment_sha256 - ${id}::text`;
}
