import type { Pool } from '../db/connect.ts';
import { OperatorError } from '../lib/operator-error.ts';
import { inSpan } from '../lib/tracing.ts';
import { databaseStore } from './database-store.ts';
import type { Files } from './download.ts';
import type { FileStore } from './file-store.ts';

/** The URL of an S3-compatible store, or null for the database; the timeout in seconds. */
interface FileSettings {
  readonly filesUrl: string | null;
  readonly fileTimeout: number;
}

/** Disposing closes the connections to S3. */
export interface ConfiguredFiles extends Files, Disposable {
  /** Removes the files of uncommitted writes, and returns their number. */
  sweep(): Promise<number>;
}

const sdkMissing =
  'FILES_URL needs the client of S3: install it with "npm install @aws-sdk/client-s3 @aws-sdk/lib-storage"';

/** Opens the configured store: S3 with `filesUrl`, otherwise the database. @throws OperatorError without the S3 client */
export async function openFiles({ filesUrl, fileTimeout }: FileSettings, db: Pool): Promise<ConfiguredFiles> {
  const timeout = fileTimeout * 1000;
  // Nothing to sweep: a rollback removes the files.
  if (filesUrl === null)
    return { store: traced(databaseStore(db)), timeout, sweep: async () => 0, [Symbol.dispose]() {} };
  // Imported only when used, because the client is large.
  const { s3Store } = await import('./s3-store.ts').catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'ERR_MODULE_NOT_FOUND' ? new OperatorError(sdkMissing, { cause: error }) : error;
  });
  const s3 = s3Store(filesUrl, timeout, db);
  return { ...s3, store: traced(s3.store), timeout };
}

function traced(store: FileStore): FileStore {
  return {
    put: (session, file) => inSpan('store file', () => store.put(session, file)),
    open: file => inSpan('open file', () => store.open(file)),
    discard: file => inSpan('remove file', () => store.discard(file)),
    list: organizationId => store.list(organizationId),
    removing: files => store.removing(files),
  };
}
