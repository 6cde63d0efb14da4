import type { Config } from '../config.ts';
import type { Pool } from '../db/connect.ts';
import { OperatorError } from '../lib/operator-error.ts';
import { databaseStore } from './database-store.ts';
import type { Files } from './download.ts';

/** The files of a configuration. Disposing of them ends the connections to S3. */
export interface ConfiguredFiles extends Files, Disposable {
  /** Removes the files of writes that did not commit, and returns how many. */
  sweep(): Promise<number>;
}

const sdkMissing = 'FILES_URL needs the client of S3: install it with "npm install @aws-sdk/client-s3"';

/** Opens the files of the configuration: in S3 when it says so, else in the database. @throws OperatorError without the client of S3. */
export async function openFiles(
  { filesUrl, fileTimeout }: Pick<Config, 'filesUrl' | 'fileTimeout'>,
  db: Pool,
): Promise<ConfiguredFiles> {
  const timeout = fileTimeout * 1000;
  // Nothing to sweep: a transaction that fails leaves no file in the database.
  if (filesUrl === null)
    return { store: databaseStore(db), timeout, sweep: async () => 0, [Symbol.dispose]() {} };
  // Loaded when it is used: the client is large.
  const { s3Store } = await import('./s3-store.ts').catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'ERR_MODULE_NOT_FOUND' ? new OperatorError(sdkMissing, { cause: error }) : error;
  });
  return { ...s3Store(filesUrl, timeout, db), timeout };
}
