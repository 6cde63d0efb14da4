import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type ApiClient, apiClient } from '../../support/client.ts';
import { type TestDatabase, testDatabase } from '../../support/database.ts';
import { startService, type TestService } from '../../support/service.ts';
import { insertTestData, testKey, type TestData } from '../../support/test-data.ts';

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

describe('getDivision 400, 401, 403 and 406', () => {
  for (const id of ['1', 'g'.repeat(24), 'a'.repeat(25)])
    test(`the id ${id} is INVALID_REFERENCE_ID`, async () => {
      const answer = await client.get(`/divisions/${id}`);
      assert.deepEqual([answer.status, answer.body.error.code], [400, 'INVALID_REFERENCE_ID']);
    });

  test('dryRun on a read is UNKNOWN_QUERY_PARAMETER', async () => {
    const answer = await client.get(`/divisions/${testData.sales}`, { query: { dryRun: true } });
    assert.deepEqual([answer.status, answer.body.error.code], [400, 'UNKNOWN_QUERY_PARAMETER']);
  });

  test('no key is INVALID_API_KEY, also for a division that exists', async () => {
    const answer = await client.get(`/divisions/${testData.sales}`, { key: null });
    assert.deepEqual([answer.status, answer.body.error.code], [401, 'INVALID_API_KEY']);
  });

  test('a tenant outside the scope is TENANT_NOT_IN_SCOPE', async () => {
    for (const tenant of [testData.tenantB, testData.foreign.tenant, 'f'.repeat(24)]) {
      const answer = await client.get(`/divisions/${testData.sales}`, { key: testData.keys.tenantA, tenant });
      assert.deepEqual([answer.status, answer.body.error.code], [403, 'TENANT_NOT_IN_SCOPE']);
    }
  });

  test('a media type other than JSON is NOT_ACCEPTABLE', async () => {
    const answer = await client.get(`/divisions/${testData.sales}`, { headers: { accept: 'text/html' } });
    assert.deepEqual([answer.status, answer.body.error.code], [406, 'NOT_ACCEPTABLE']);
  });
});

describe('getDivision 404', () => {
  test('missing, out of scope, above the granted one, of another tenant or organization are one answer', async () => {
    const { sql } = database.database;
    const northKey = await testKey(sql, testData.organization, {
      divisions: [{ tenant: testData.tenantA, id: testData.north }],
    });
    const answers = [
      await client.get(`/divisions/${'f'.repeat(24)}`),
      await client.get(`/divisions/${testData.support}`, { key: testData.keys.sales }),
      await client.get(`/divisions/${testData.sales}`, { key: northKey }),
      await client.get(`/divisions/${testData.sales}`, { tenant: testData.tenantB }),
      await client.get(`/divisions/${testData.sales}`, { key: testData.keys.foreign }),
    ];
    for (const answer of answers) {
      assert.deepEqual([answer.status, answer.body.error.code], [404, 'NOT_FOUND']);
      assert.equal(answer.body.error.message, answers[0]!.body.error.message);
    }
  });
});
