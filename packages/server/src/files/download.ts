import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { Readable } from 'node:stream';
import { ApiError } from '@kontor/contract';
import { FileStoreError, type FileStore, FileStoreTooSlow, type StoredFile } from './file-store.ts';

export interface Files {
  readonly store: FileStore;
  /** In milliseconds. */
  readonly timeout: number;
}

/**
 * Opens a file and waits for its first bytes. The stream fails when size or SHA-256 differ, or when the store exceeds its timeout.
 * @throws ApiError FILE_NOT_FOUND, BAD_GATEWAY, GATEWAY_TIMEOUT; errors of the database are not converted
 */
export async function openDownload({ store, timeout }: Files, file: StoredFile): Promise<Readable> {
  try {
    const source = await openInTime(store, file, timeout);
    if (!source) throw new ApiError('FILE_NOT_FOUND', 'The file of this resource is not available');
    const stream = checkedStream(source, file, timeout);
    await once(stream, 'readable');
    return stream;
  } catch (error) {
    throw storeFailure(error);
  }
}

/** The public error for a failed or slow store. Other errors are returned unchanged. */
export function storeFailure(error: unknown): unknown {
  if (error instanceof FileStoreTooSlow)
    return new ApiError('GATEWAY_TIMEOUT', 'The file store was too slow; try again later', { cause: error });
  if (error instanceof FileStoreError)
    return new ApiError('BAD_GATEWAY', 'The file store failed; try again later', { cause: error });
  return error;
}

/** `timeout` is in milliseconds. @throws FileStoreTooSlow; errors of the store */
export async function inTime<T>(timeout: number, promise: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const expired = new Promise<never>((_resolve, reject) => {
    const expire = () => reject(new FileStoreTooSlow(`the file store did not answer within ${timeout} ms`));
    timer = setTimeout(expire, timeout);
  });
  try {
    return await Promise.race([promise, expired]);
  } finally {
    clearTimeout(timer);
  }
}

/** Returns null when the bytes of the file are missing. @throws FileStoreTooSlow; errors of the store */
export function openInTime(store: FileStore, file: StoredFile, timeout: number): Promise<Readable | null> {
  const opening = store.open(file);
  return inTime(timeout, opening).catch((error: unknown) => {
    opening.then(
      late => late?.destroy(),
      () => {},
    );
    throw error;
  });
}

/** Yields the chunks of a stream with a timeout for each, and destroys the stream at the end. @throws FileStoreTooSlow */
export async function* chunksInTime(stream: Readable, timeout: number): AsyncGenerator<Buffer> {
  const chunks: AsyncIterator<Buffer> = stream[Symbol.asyncIterator]();
  try {
    for (;;) {
      const { value, done } = await inTime(timeout, chunks.next());
      if (done) return;
      yield value;
    }
  } finally {
    stream.destroy();
  }
}

/** Compares the bytes of a file with its size and SHA-256. */
export class FileCheck {
  readonly #file: Pick<StoredFile, 'size' | 'sha256'>;
  readonly #hash = createHash('sha256');
  #size = 0;

  constructor(file: Pick<StoredFile, 'size' | 'sha256'>) {
    this.#file = file;
  }

  /** Adds a chunk. Returns false when the file is longer than its size. */
  add(chunk: Uint8Array): boolean {
    this.#hash.update(chunk);
    this.#size += chunk.length;
    return this.#size <= this.#file.size;
  }

  /** The difference found after the last chunk; null without one. */
  problem(): string | null {
    const { size, sha256 } = this.#file;
    if (this.#size !== size) return `it has ${this.#size} bytes where ${size} were stored`;
    if (sha256 !== null && this.#hash.digest('hex') !== sha256)
      return 'it has another SHA-256 than when it was stored';
    return null;
  }
}

/** Readable.from would keep the source open until its next chunk after a client disconnects. */
function checkedStream(source: Readable, file: StoredFile, timeout: number): Readable {
  const chunks = checkedChunks(source, file, timeout);
  return new Readable({
    highWaterMark: 1,
    read() {
      chunks.next().then(
        ({ value, done }) => this.push(done ? null : value),
        (error: Error) => this.destroy(error),
      );
    },
    destroy(error, callback) {
      source.destroy();
      callback(error);
    },
  });
}

/** Yields the chunks of a file. The last one is held back until the check, so no client receives a complete corrupt file. */
async function* checkedChunks(source: Readable, file: StoredFile, timeout: number): AsyncGenerator<Buffer> {
  const check = new FileCheck(file);
  let held: Buffer | null = null;
  for await (const chunk of chunksInTime(source, timeout)) {
    if (!check.add(chunk)) break;
    if (held) yield held;
    held = chunk;
  }
  const problem = check.problem();
  if (problem !== null) throw new FileStoreError(`file ${file.id}: ${problem}`);
  if (held) yield held;
}
