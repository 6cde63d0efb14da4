import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import type { Sql } from '../../support/database/sql.ts';
import { createTenant } from '../../../src/features/organizations/store.ts';
import { type ApiClient, apiClient } from '../../support/contract/client.ts';
import { type TestDatabase, testDatabase } from '../../support/database/database.ts';
import { startService, type TestService } from '../../support/service/service.ts';
import { moveDivision } from '../../support/data/tree.ts';
import {
  insertTestData,
  stateOf,
  testDivision,
  testKey,
  type TestData,
} from '../../support/data/test-data.ts';

/** Creates that were placed before, after the tree has changed. */
let database: TestDatabase;
let sql: Sql;
let service: TestService;
let client: ApiClient;
let testData: TestData;

before(async () => {
  database = await testDatabase();
  sql = database.database.sql;
  service = await startService(sql);
  client = apiClient(service.url, { key: '' });
});

after(async () => {
  client.close();
  await service.stop();
  await database.drop();
});

beforeEach(async () => {
  testData = await insertTestData(sql);
});

const person = (more = {}) => ({
  email: `${crypto.randomUUID()}@example.com`,
  firstName: 'Ayşe',
  lastName: 'Yılmaz',
  ...more,
});

/** Creates an employee, and dry as well; both must have the same outcome. Answers it, or the place of the employee. */
async function create(key: string, more = {}): Promise<unknown> {
  const outcome = ({ status, body }: { status: number; body: any }) =>
    status >= 400 ? [status, body.error.code] : { tenant: body.tenant, divisionId: body.divisionId };
  const dry = outcome(await client.post('/employees', person(more), { key, query: { dryRun: true } }));
  const real = outcome(await client.post('/employees', person(more), { key }));
  assert.deepEqual(real, dry);
  return real;
}

describe('a create like one before', () => {
  test('goes to the current place in the tree', async () => {
    const root = await testDivision(
      sql,
      { organizationId: testData.organization, tenantId: testData.tenantA },
      'Root',
    );
    const key = await testKey(sql, testData.organization, {
      divisions: [root, testData.sales].map(id => ({ tenant: testData.tenantA, id })),
    });
    const move = (parentId: string | null) =>
      moveDivision(sql, testData.organization, { id: testData.sales, parentId });
    await move(root);
    assert.deepEqual(await create(key), { tenant: testData.tenantA, divisionId: root });
    await move(null);
    assert.deepEqual(await create(key), [422, 'EMPLOYEE_PLACEMENT_AMBIGUOUS']);
    await moveDivision(sql, testData.organization, { id: root, parentId: testData.sales });
    assert.deepEqual(await create(key), { tenant: testData.tenantA, divisionId: testData.sales });
  });

  test('is INVALID_REFERENCE when its division has left the scope, and changes nothing', async () => {
    const more = { divisionId: testData.north };
    const place = { tenant: testData.tenantA, divisionId: testData.north };
    assert.deepEqual(await create(testData.keys.sales, more), place);
    await moveDivision(sql, testData.organization, { id: testData.north, parentId: testData.support });
    const state = await stateOf(sql);
    assert.deepEqual(await create(testData.keys.sales, more), [422, 'INVALID_REFERENCE']);
    assert.equal(await stateOf(sql), state);
    const { email } = (
      await client.post('/employees', person(), { key: testData.keys.all, tenant: testData.tenantA })
    ).body;
    assert.deepEqual(await create(testData.keys.sales, { ...more, email }), [422, 'INVALID_REFERENCE']);
    assert.deepEqual(await create(testData.keys.salesAndSupport, more), place);
  });

  test('is TENANT_CONTEXT_AMBIGUOUS when a second tenant has come', async () => {
    const { organization, tenant } = testData.foreign;
    assert.deepEqual(await create(testData.keys.foreign), { tenant, divisionId: null });
    await createTenant(sql, organization, 'Anders Zwei AG');
    assert.deepEqual(await create(testData.keys.foreign), [422, 'TENANT_CONTEXT_AMBIGUOUS']);
  });
});
