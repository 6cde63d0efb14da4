import { isUncertain } from '../db/failure.ts';
import { empty, type Fragment, sql } from '../db/sql.ts';
import type { SingleWrite, WriteRequest, Writes } from '../write/writes.ts';
import { storeFailure } from './download.ts';
import type { FileKey, FileStore } from './file-store.ts';

/**
 * Runs a write that stores this file, and removes the file when the write fails. If the commit is uncertain, the file stays: an extra
 * file is better than a missing one.
 * @throws errors of the write; BAD_GATEWAY or GATEWAY_TIMEOUT for a failing store
 */
export async function keepingFile<T>(files: FileStore, file: FileKey, write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    // An error of `discard` must not replace the error of the write.
    if (!isUncertain(error)) await files.discard(file).catch(() => {});
    throw storeFailure(error);
  }
}

/** Runs an ordered write that refers to a file, and stores the file in its transaction, see {@link keepingFile}. */
export function writeWithFile<Found, Result>(
  { writes, files }: { readonly writes: Writes; readonly files: FileStore },
  request: WriteRequest,
  file: FileKey & { readonly bytes: Buffer },
  write: Omit<SingleWrite<Found, Result>, 'stage'>,
): Promise<Result> {
  const run = () => writes.runOrdered(request, { ...write, stage: session => files.put(session, file) });
  // The file of a dry run goes with its transaction.
  return request.dryRunAt === null ? keepingFile(files, file, run) : run();
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
