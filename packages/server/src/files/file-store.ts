import type { Readable } from 'node:stream';
import type { Queryable } from '../db/session.ts';
import type { Fragment } from '../db/sql.ts';

export interface FileKey {
  readonly organizationId: string;
  readonly id: string;
}

/** `size` is in bytes. `sha256` is lower-case hexadecimal; null when unknown. */
export interface StoredFile extends FileKey {
  readonly size: number;
  readonly sha256: string | null;
}

/** Stores the bytes of files. Files never change, and an identifier is used once. */
export interface FileStore {
  /** The database stores in the session's transaction, other stores at once. @throws FileStoreError, FileStoreTooSlow; errors of the database */
  put(session: Queryable, file: FileKey & { readonly bytes: Buffer | AsyncIterable<Buffer> }): Promise<void>;
  /** Null when the bytes are missing. They are not checked: see `openDownload`. `open` and the stream fail with the errors of `put`. */
  open(file: StoredFile): Promise<Readable | null>;
  discard(file: FileKey): Promise<void>;
  /** All files of an organization, with their sizes. */
  list(organizationId: string): AsyncIterable<Pick<StoredFile, 'id' | 'size'>>;
  /** Statements that remove files when their transaction commits. Outside the database a sweep of any process removes them after the commit. */
  removing(files: readonly FileKey[]): Fragment[];
}

/** Becomes 502 BAD_GATEWAY. */
export class FileStoreError extends Error {
  override readonly name: string = 'FileStoreError';
}

/** Becomes 504 GATEWAY_TIMEOUT. */
export class FileStoreTooSlow extends FileStoreError {
  override readonly name = 'FileStoreTooSlow';
}
