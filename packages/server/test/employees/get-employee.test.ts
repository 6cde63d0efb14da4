import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type ApiClient, apiClient } from '../support/client.ts';
import { type TestDatabase, testDatabase } from '../support/database.ts';
import { startService, type TestService } from '../support/service.ts';
import { createWorld, type World } from '../support/world.ts';

let database: TestDatabase;
let service: TestService;
let world: World;
let client: ApiClient;
let unplaced: { id: string };
let inNorth: { id: string };

before(async () => {
  database = await testDatabase();
  world = await createWorld(database.database.sql);
  service = await startService(database.database.sql);
  client = apiClient(service.url, { key: world.keys.all });
  const person = (email: string, divisionId: string | null) => ({
    email,
    firstName: 'A',
    lastName: 'B',
    divisionId,
  });
  const inA = { tenant: world.tenantA };
  unplaced = (await client.post('/employees', person('unplaced@example.com', null), inA)).body;
  inNorth = (await client.post('/employees', person('north@example.com', world.north), inA)).body;
});

after(async () => {
  client.close();
  await service.stop();
  await database.drop();
});

describe('getEmployee 200', () => {
  test('answers the stored document', async () => {
    const answer = await client.get(`/employees/${unplaced.id}`);
    assert.deepEqual([answer.status, answer.body], [200, unplaced]);
  });

  test('takes uppercase hexadecimal as the same identifier', async () => {
    const answer = await client.get(`/employees/${unplaced.id.toUpperCase()}`);
    assert.equal(answer.body.id, unplaced.id);
  });

  test('a division grant covers the subtree', async () => {
    assert.equal((await client.get(`/employees/${inNorth.id}`, { key: world.keys.sales })).status, 200);
  });
});

describe('getEmployee 400', () => {
  for (const id of ['1', 'g'.repeat(24), 'a'.repeat(25)])
    test(`the id ${id} is INVALID_REFERENCE_ID`, async () => {
      const answer = await client.get(`/employees/${id}`);
      assert.deepEqual([answer.status, answer.body.error.code], [400, 'INVALID_REFERENCE_ID']);
    });

  test('dryRun on a read is UNKNOWN_QUERY_PARAMETER', async () => {
    const answer = await client.get(`/employees/${unplaced.id}`, { query: { dryRun: true } });
    assert.deepEqual([answer.status, answer.body.error.code], [400, 'UNKNOWN_QUERY_PARAMETER']);
  });
});

describe('getEmployee 401 and 403', () => {
  test('no key is INVALID_API_KEY, also for an employee that exists', async () => {
    const answer = await client.get(`/employees/${unplaced.id}`, { key: null });
    assert.deepEqual([answer.status, answer.body.error.code], [401, 'INVALID_API_KEY']);
  });

  test('a tenant outside the scope is TENANT_NOT_IN_SCOPE', async () => {
    const outside = [world.tenantB, world.foreign.tenant, 'f'.repeat(24)];
    for (const tenant of outside) {
      const answer = await client.get(`/employees/${unplaced.id}`, { key: world.keys.tenantA, tenant });
      assert.deepEqual([answer.status, answer.body.error.code], [403, 'TENANT_NOT_IN_SCOPE']);
    }
  });
});

describe('getEmployee 404', () => {
  test('missing, out of scope, of another tenant and of another organization are one answer', async () => {
    const answers = [
      await client.get(`/employees/${'f'.repeat(24)}`),
      await client.get(`/employees/${unplaced.id}`, { key: world.keys.sales }),
      await client.get(`/employees/${unplaced.id}`, { tenant: world.tenantB }),
      await client.get(`/employees/${unplaced.id}`, { key: world.keys.foreign }),
    ];
    for (const answer of answers) {
      assert.deepEqual([answer.status, answer.body.error.code], [404, 'NOT_FOUND']);
      assert.equal(answer.body.error.message, answers[0]!.body.error.message);
    }
  });

  test('an employee without tenant is seen by a whole-organization key only, and only without X-Tenant-ID', async () => {
    const { sql } = database.database;
    const { id } = (
      await client.post(
        '/employees',
        { email: 'nowhere@example.com', firstName: 'A', lastName: 'B' },
        { tenant: world.tenantA },
      )
    ).body;
    await sql`
      UPDATE employee SET tenant_id = NULL, doc = replace(doc, ${`"tenant":"${world.tenantA}"`}, '"tenant":null')
      WHERE id = ${id}`;
    assert.equal((await client.get(`/employees/${id}`)).body.tenant, null);
    assert.equal((await client.get(`/employees/${id}`, { tenant: world.tenantA })).status, 404);
    assert.equal((await client.get(`/employees/${id}`, { key: world.keys.tenantA })).status, 404);
  });
});
