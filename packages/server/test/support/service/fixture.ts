import { after, before } from 'node:test';
import type { Sql } from '../database/sql.ts';
import { type ApiClient, apiClient } from '../contract/client.ts';
import { testDatabase } from '../database/database.ts';
import { startService, type TestService } from './service.ts';
import { insertTestData, type TestData } from '../data/test-data.ts';

/** A service on a database of its own with the test data, for all tests of a file. */
export interface Fixture {
  readonly sql: Sql;
  /** The URL of the database, for processes. */
  readonly databaseUrl: string;
  readonly service: TestService;
  readonly testData: TestData;
  /** Sends the key of the whole organization by default. */
  readonly client: ApiClient;
}

/**
 * Sets the fixture up before the tests of the file, `prepare` included, and takes it down after them, also when it came up
 * only in part.
 */
export function useFixture(prepare: (fixture: Fixture) => Promise<void> = async () => {}): Fixture {
  const resources = new AsyncDisposableStack();
  const fixture = {} as { -readonly [Name in keyof Fixture]: Fixture[Name] };
  before(async () => {
    const { database, url, drop } = await testDatabase();
    resources.defer(drop);
    fixture.sql = database.sql;
    fixture.databaseUrl = url;
    fixture.testData = await insertTestData(database.sql);
    const service = await startService(database.sql);
    resources.defer(() => service.stop());
    fixture.service = service;
    fixture.client = apiClient(service.url, { key: fixture.testData.keys.all });
    resources.defer(() => fixture.client.close());
    await prepare(fixture);
  });
  after(() => resources.disposeAsync());
  return fixture;
}
