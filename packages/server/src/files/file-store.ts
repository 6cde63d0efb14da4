import type { Readable } from 'node:stream';
import type { Queryable } from '../db/session.ts';
import type { Fragment } from '../db/sql.ts';

/** A file by the organization that it belongs to and its own identifier. */
export interface FileKey {
  readonly organizationId: string;
  readonly id: string;
}

/** A file as its resource describes it. `size` is in bytes; `sha256` is lower-case hexadecimal, null where it is not known. */
export interface StoredFile extends FileKey {
  readonly size: number;
  readonly sha256: string | null;
}

/** Stores the bytes of files. Files never change, and an identifier is used once. */
export interface FileStore {
  /**
   * Stores the bytes. The database does it in the transaction of the session, other stores at once: see `keepingFile`.
   * @throws FileStoreError, FileStoreTooSlow, and the errors of the database.
   */
  put(session: Queryable, file: FileKey & { readonly bytes: Buffer }): Promise<void>;
  /**
   * Opens the file to be read in chunks, at the pace of the reader; null when its bytes are missing. The bytes are not
   * checked yet: see `openDownload`. Errors as those of `put`, also of the stream.
   */
  open(file: StoredFile): Promise<Readable | null>;
  /** Removes a file after its transaction failed. */
  discard(file: FileKey): Promise<void>;
  /**
   * Returns statements that remove files when their transaction commits. Other stores than the database are swept after the
   * commit, by any process.
   */
  removing(files: readonly FileKey[]): Fragment[];
}

/** The store failed: answered with 502 BAD_GATEWAY. */
export class FileStoreError extends Error {
  override readonly name: string = 'FileStoreError';
}

/** The store did not answer in time: answered with 504 GATEWAY_TIMEOUT. */
export class FileStoreTooSlow extends FileStoreError {
  override readonly name = 'FileStoreTooSlow';
}
