import { isUncertain } from '../db/failure.ts';
import { storeFailure } from './download.ts';
import type { FileKey, FileStore } from './file-store.ts';

/**
 * Runs a write that stores this file, and forgets the file when the write fails. Where the commit may have happened
 * all the same, the file stays: a file too many is better than one too few. Errors are those of the write; a
 * failing store is BAD_GATEWAY or GATEWAY_TIMEOUT.
 */
export async function keepingFile<T>(files: FileStore, file: FileKey, write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    // Discarding is an attempt: what the write failed with says more.
    if (!isUncertain(error)) await files.discard(file).catch(() => {});
    throw storeFailure(error);
  }
}
