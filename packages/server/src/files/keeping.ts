import { isUncertain } from '../db/failure.ts';
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
