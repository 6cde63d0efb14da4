import type { Readable } from 'node:stream';
import type { Queryable } from '../db/session.ts';
import type { Fragment } from '../db/sql.ts';

/** A file by the organization that it belongs to and its own identifier. */
export interface FileKey {
  readonly organizationId: string;
  readonly id: string;
}

/** What a resource knows of its file. `size` is in bytes; `sha256` is lower-case hexadecimal, null where it is not known. */
export interface StoredFile extends FileKey {
  readonly size: number;
  readonly sha256: string | null;
}

/** Where the bytes of files are. Files never change; nothing is ever stored under an identifier a second time. */
export interface FileStore {
  /**
   * Stores the bytes. The database does it in the transaction of the session, other stores at once: see `keepingFile`.
   * @throws FileStoreError, FileStoreTooSlow, and the errors of the database.
   */
  put(session: Queryable, file: FileKey & { readonly bytes: Buffer }): Promise<void>;
  /**
   * Opens the file to be read piece by piece, as slowly as the reader likes; null when its bytes are not there. What is
   * read is not checked yet: see `openDownload`. Errors as those of `put`, also of the stream.
   */
  open(file: StoredFile): Promise<Readable | null>;
  /** Forgets a file whose transaction failed. */
  discard(file: FileKey): Promise<void>;
  /**
   * What removes files with the transaction that these are run in. The database does it in it; other stores have them swept once it
   * is committed, also when this process dies then.
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
