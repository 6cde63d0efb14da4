import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type ApiClient, apiClient } from '../../support/client.ts';
import { type TestDatabase, testDatabase } from '../../support/database.ts';
import { startService, type TestService } from '../../support/service.ts';
import { insertTestData, type TestData } from '../../support/test-data.ts';

let database: TestDatabase;
let service: TestService;
let testData: TestData;
let client: ApiClient;

before(async () => {
  database = await testDatabase();
  testData = await insertTestData(database.database.sql);
  service = await startService(database.database.sql);
  client = apiClient(service.url, { key: testData.keys.all });
});

after(async () => {
  client.close();
  await service.stop();
  await database.drop();
});

describe('getDivision 200', () => {
  test('answers a division that an operator created, with every field in order', async () => {
    const { status, body } = await client.get(`/divisions/${testData.north}`);
    assert.equal(status, 200);
    assert.deepEqual(Object.entries(body), [
      ['id', testData.north],
      ['tenant', testData.tenantA],
      ['name', 'North'],
      ['parentId', testData.sales],
      ['order', 1],
      ['costCenter', null],
      ['createdAt', body.createdAt],
      ['updatedAt', body.createdAt],
    ]);
  });

  test('takes uppercase hexadecimal as the same identifier', async () => {
    const answer = await client.get(`/divisions/${testData.north.toUpperCase()}`);
    assert.equal(answer.body.id, testData.north);
  });

  test('a granted division and those below it are visible', async () => {
    for (const id of [testData.sales, testData.north])
      assert.equal((await client.get(`/divisions/${id}`, { key: testData.keys.sales })).status, 200);
  });
});
