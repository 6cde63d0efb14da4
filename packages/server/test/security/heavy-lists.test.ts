import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Answer, type ApiClient, apiClient } from '../support/contract/client.ts';
import { testDatabase, type TestDatabase } from '../support/database/database.ts';
import { storeEmployees } from '../support/data/employees.ts';
import { type ServiceProcess, startServiceProcess } from '../support/service/kontor.ts';
import { countSearches, slowDownSearch } from '../support/service/slow-search.ts';
import { insertTestData, testKey, type TestData } from '../support/data/test-data.ts';

let testing: TestDatabase;
let testData: TestData;
let service: ServiceProcess;
let client: ApiClient;

before(async () => {
  testing = await testDatabase();
  const { sql } = testing.database;
  testData = await insertTestData(sql);
  await storeEmployees(sql, testData.organization, [{ tenant: testData.tenantA, lastName: 'Heavy' }]);
  await slowDownSearch(sql);
  service = await startServiceProcess({ variables: { DATABASE_URL: testing.url } });
  client = apiClient(service.url, { key: testData.keys.all });
});
after(async () => {
  client.close();
  await service.end('SIGTERM');
  await testing.drop();
});

/** A list that no index serves; each `index` is another one, which shares nothing with the others. */
function heavyList(index: number, key = testData.keys.all): Promise<Answer<any>> {
  const filter = `lastName CONTAINS 'ea' AND lastName != 'x${index}'`;
  return client.get('/employees', { key, query: { filter } });
}

test('of 48 heavy lists of one key at once several are answered, and the others are rejected before they are run', async () => {
  const other = await testKey(testing.database.sql, testData.organization, 'all');
  assert.equal((await heavyList(0, other)).status, 200);
  const searchesOfOne = await countSearches(testing.database.sql);
  assert.ok(searchesOfOne > 0);

  const answered: Answer<any>[] = [];
  const heavy = Array.from({ length: 48 }, async (_, index) => {
    answered.push(await heavyList(index + 1));
  });
  // A heavy list and light ones of another key are answered while lists of the first one are still in progress.
  assert.equal((await heavyList(1, other)).status, 200);
  for (let n = 0; n < 20; n++) assert.equal((await client.get('/divisions', { key: other })).status, 200);
  assert.ok(answered.length < 48);
  await Promise.all(heavy);

  const statuses = answered.map(({ status }) => status);
  const succeeded = answered.filter(({ status }) => status === 200);
  assert.ok(succeeded.length >= 3, `${succeeded.length} of 48 were answered`);
  for (const { body } of succeeded) assert.equal(body.totalElements, 1);
  for (const { status, headers } of answered)
    if (status !== 200) {
      assert.equal(status, 503);
      assert.match(String(headers['retry-after']), /^[1-9][0-9]*$/);
    }
  // The first rejection does not wait until the time of a request is over, and next to nothing was searched in vain.
  assert.ok(statuses.indexOf(503) < statuses.lastIndexOf(200));
  const inVain = (await countSearches(testing.database.sql)) - searchesOfOne * (succeeded.length + 2);
  assert.ok(inVain <= 3, `${inVain} searches were in vain`);
});
