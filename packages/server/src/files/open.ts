import type { Pool } from '../db/connect.ts';
import { OperatorError } from '../lib/operator-error.ts';
import { inSpan } from '../lib/tracing.ts';
import { bothStores, databaseOnly } from './both-stores.ts';
import type { Files } from './download.ts';
import type { FileStore } from './file-store.ts';
import { checkPlace } from './place.ts';
import type { S3Files } from './s3-store.ts';

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

/**
 * Opens the configured store: S3 with `filesUrl`, otherwise the database.
 * @throws OperatorError without the S3 client, and when the files are elsewhere and no move has begun
 */
export async function openFiles({ filesUrl, fileTimeout }: FileSettings, db: Pool): Promise<ConfiguredFiles> {
  const timeout = fileTimeout * 1000;
  if (filesUrl === null) {
    await checkPlace(db, false);
    // Nothing to sweep: a rollback removes the files.
    return { store: traced(databaseOnly(db)), timeout, sweep: async () => 0, [Symbol.dispose]() {} };
  }
  // Without its client the store is not recorded.
  const s3 = await openS3({ filesUrl, fileTimeout }, db);
  await checkPlace(db, true);
  return { ...s3, store: traced(bothStores(db, s3.store)), timeout };
}

/** Opens S3 wherever the files are. @throws OperatorError without the S3 client */
export async function openS3(
  { filesUrl, fileTimeout }: FileSettings & { readonly filesUrl: string },
  db: Pool,
): Promise<S3Files> {
  // Imported only when used, because the client is large.
  const { s3Store } = await import('./s3-store.ts').catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'ERR_MODULE_NOT_FOUND' ? new OperatorError(sdkMissing, { cause: error }) : error;
  });
  return s3Store(filesUrl, fileTimeout * 1000, db);
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
