import { isUncertain } from '../db/failure.ts';
import { storeFailure } from './download.ts';
import type { FileKey, FileStore } from './file-store.ts';

/**
 * Runs a write that stores this file, and removes the file when the write fails. Where the commit may have happened
 * all the same, the file stays: a superfluous file is better than a missing one. Errors are those of the write; a
 * failing store is BAD_GATEWAY or GATEWAY_TIMEOUT.
 */
export async function keepingFile<T>(files: FileStore, file: FileKey, write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    // The error of the write says more than one of the removal.
    if (!isUncertain(error)) await files.discard(file).catch(() => {});
    throw storeFailure(error);
  }
}
