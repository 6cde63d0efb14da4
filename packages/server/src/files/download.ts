import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { Readable } from 'node:stream';
import { ApiError } from '@kontor/contract';
import { FileStoreError, type FileStore, FileStoreTooSlow, type StoredFile } from './file-store.ts';
import { within } from './within.ts';

/** The files as the features use them. */
export interface Files {
  readonly store: FileStore;
  /** Longest wait for the store, in milliseconds, before it counts as too slow. */
  readonly timeout: number;
}

/**
 * Opens a file of the store and waits for its first bytes. The stream fails, and so never ends in order, when size or
 * SHA-256 are not those of the file, or when the store keeps it waiting for longer than its patience.
 * @throws ApiError FILE_NOT_FOUND, BAD_GATEWAY, GATEWAY_TIMEOUT; the errors of the database stay what they are.
 */
export async function openDownload({ store, timeout }: Files, file: StoredFile): Promise<Readable> {
  try {
    const source = await openInTime(store, file, timeout);
    if (!source) throw new ApiError('FILE_NOT_FOUND', 'The file of this resource is not available');
    const stream = checked(source, file, timeout);
    await once(stream, 'readable');
    return stream;
  } catch (error) {
    throw storeFailure(error);
  }
}

/** The public error of a store that failed or was too slow; any other error stays what it is. */
export function storeFailure(error: unknown): unknown {
  if (error instanceof FileStoreTooSlow)
    return new ApiError('GATEWAY_TIMEOUT', 'The file store was too slow; try again later', { cause: error });
  if (error instanceof FileStoreError)
    return new ApiError('BAD_GATEWAY', 'The file store failed; try again later', { cause: error });
  return error;
}

/**
 * Opens a file of the store; null when its bytes are not there.
 * @throws FileStoreTooSlow, and those of the store
 */
export function openInTime(store: FileStore, file: StoredFile, timeout: number): Promise<Readable | null> {
  const opening = store.open(file);
  return within(timeout, opening, () => {
    // Whatever comes now comes too late.
    opening.then(
      late => late?.destroy(),
      () => {},
    );
    return tooSlow(timeout);
  });
}

/**
 * The bytes of the source, checked. The last piece is held back until size and SHA-256 have turned out right, so that a
 * reader never has all bytes of a file that is not the right one.
 */
function checked(source: Readable, file: StoredFile, timeout: number): Readable {
  const chunks: AsyncIterator<Buffer> = source[Symbol.asyncIterator]();
  const hash = createHash('sha256');
  let size = 0;
  let held: Buffer | null = null;
  let ended = false;

  async function next(): Promise<Buffer | null> {
    while (!ended) {
      const { value, done } = await within(timeout, chunks.next(), () => tooSlow(timeout));
      if (done) {
        ended = true;
        check(file, size, hash.digest('hex'));
        return held;
      }
      size += value.length;
      if (size > file.size) throw new FileStoreError(`file ${file.id} is longer than when it was stored`);
      hash.update(value);
      const before = held;
      held = value;
      if (before) return before;
    }
    return null;
  }

  return new Readable({
    highWaterMark: 1,
    read() {
      next().then(
        chunk => this.push(chunk),
        (error: Error) => this.destroy(error),
      );
    },
    destroy(error, callback) {
      source.destroy();
      callback(error);
    },
  });
}

function check(file: StoredFile, size: number, sha256: string): void {
  if (size !== file.size)
    throw new FileStoreError(`file ${file.id} has ${size} bytes where ${file.size} were stored`);
  if (file.sha256 !== null && sha256 !== file.sha256)
    throw new FileStoreError(`file ${file.id} has another SHA-256 than when it was stored`);
}

/** Why a store is given up that has kept one waiting for so many milliseconds. */
export function tooSlow(timeout: number): FileStoreTooSlow {
  return new FileStoreTooSlow(`the file store did not answer within ${timeout} ms`);
}
