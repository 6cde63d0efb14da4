import { testDatabase } from '../../packages/server/test/support/database/database.ts';
import {
  type ServiceProcess,
  startServiceProcess,
} from '../../packages/server/test/support/service/kontor.ts';
import type { Sql } from '../../packages/server/test/support/database/sql.ts';
import { insertTestData, type TestData } from '../../packages/server/test/support/data/test-data.ts';

/** A database of its own with the organizations of the tests, which services are started on. */
export interface Target extends AsyncDisposable {
  readonly sql: Sql;
  readonly testData: TestData;
  /** Starts a service; `preload` is a module that is loaded before it. */
  start(preload?: string): Promise<ServiceProcess>;
}

export async function openTarget(): Promise<Target> {
  await using opened = new AsyncDisposableStack();
  const testing = await testDatabase();
  opened.defer(() => testing.drop());
  const { sql } = testing.database;
  const testData = await insertTestData(sql);
  const all = opened.move();
  return {
    sql,
    testData,
    async start(preload) {
      const service = await startServiceProcess({
        variables: { DATABASE_URL: testing.url },
        ...(preload && { preload }),
      });
      all.defer(() => service.end('SIGTERM'));
      return service;
    },
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  };
}
