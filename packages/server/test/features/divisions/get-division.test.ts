import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { ApiClient } from '../../support/contract/client.ts';
import { useFixture } from '../../support/service/fixture.ts';
import type { TestData } from '../../support/data/test-data.ts';

let testData: TestData;
let client: ApiClient;

useFixture(async fixture => {
  ({ testData, client } = fixture);
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
