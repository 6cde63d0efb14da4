import type { Config } from '../config.ts';
import type { Sql } from '../database/connect.ts';
import { databaseStore } from './database-store.ts';
import type { Files } from './download.ts';

/** The files of the configuration: in S3 when it says so, else in the database. `close` ends the connections to S3. */
export async function openFiles(
  { filesUrl, fileTimeout }: Pick<Config, 'filesUrl' | 'fileTimeout'>,
  sql: Sql,
): Promise<Files & { close(): void }> {
  const patience = fileTimeout * 1000;
  if (filesUrl === null) return { store: databaseStore(sql), patience, close() {} };
  // Loaded when it is used: the client is large.
  const { s3Store } = await import('./s3-store.ts');
  return { ...s3Store(filesUrl, patience), patience };
}
