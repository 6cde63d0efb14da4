import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { useFixture } from '../../support/fixture.ts';

let unplaced: { id: string };
let inNorth: { id: string };

const fixture = useFixture(async ({ client, testData }) => {
  const person = (email: string, divisionId: string | null) => ({
    email,
    firstName: 'A',
    lastName: 'B',
    divisionId,
  });
  const inA = { tenant: testData.tenantA };
  unplaced = (await client.post('/employees', person('unplaced@example.com', null), inA)).body;
  inNorth = (await client.post('/employees', person('north@example.com', testData.north), inA)).body;
});

describe('getEmployee 200', () => {
  test('answers the stored document', async () => {
    const answer = await fixture.client.get(`/employees/${unplaced.id}`);
    assert.deepEqual([answer.status, answer.body], [200, unplaced]);
  });

  test('takes uppercase hexadecimal as the same identifier', async () => {
    const answer = await fixture.client.get(`/employees/${unplaced.id.toUpperCase()}`);
    assert.equal(answer.body.id, unplaced.id);
  });

  test('a division grant covers the subtree', async () => {
    assert.equal(
      (await fixture.client.get(`/employees/${inNorth.id}`, { key: fixture.testData.keys.sales })).status,
      200,
    );
  });
});

describe('getEmployee 400', () => {
  for (const id of ['1', 'g'.repeat(24), 'a'.repeat(25)])
    test(`the id ${id} is INVALID_REFERENCE_ID`, async () => {
      const answer = await fixture.client.get(`/employees/${id}`);
      assert.deepEqual([answer.status, answer.body.error.code], [400, 'INVALID_REFERENCE_ID']);
    });

  test('dryRun on a read is UNKNOWN_QUERY_PARAMETER', async () => {
    const answer = await fixture.client.get(`/employees/${unplaced.id}`, { query: { dryRun: true } });
    assert.deepEqual([answer.status, answer.body.error.code], [400, 'UNKNOWN_QUERY_PARAMETER']);
  });
});

describe('getEmployee 401 and 403', () => {
  test('no key is INVALID_API_KEY, also for an employee that exists', async () => {
    const answer = await fixture.client.get(`/employees/${unplaced.id}`, { key: null });
    assert.deepEqual([answer.status, answer.body.error.code], [401, 'INVALID_API_KEY']);
  });

  test('a tenant outside the scope is TENANT_NOT_IN_SCOPE', async () => {
    const outside = [fixture.testData.tenantB, fixture.testData.foreign.tenant, 'f'.repeat(24)];
    for (const tenant of outside) {
      const answer = await fixture.client.get(`/employees/${unplaced.id}`, {
        key: fixture.testData.keys.tenantA,
        tenant,
      });
      assert.deepEqual([answer.status, answer.body.error.code], [403, 'TENANT_NOT_IN_SCOPE']);
    }
  });
});

describe('getEmployee 404', () => {
  test('missing, out of scope, of another tenant and of another organization are one answer', async () => {
    const answers = [
      await fixture.client.get(`/employees/${'f'.repeat(24)}`),
      await fixture.client.get(`/employees/${unplaced.id}`, { key: fixture.testData.keys.sales }),
      await fixture.client.get(`/employees/${unplaced.id}`, { tenant: fixture.testData.tenantB }),
      await fixture.client.get(`/employees/${unplaced.id}`, { key: fixture.testData.keys.foreign }),
    ];
    for (const answer of answers) {
      assert.deepEqual([answer.status, answer.body.error.code], [404, 'NOT_FOUND']);
      assert.equal(answer.body.error.message, answers[0]!.body.error.message);
    }
  });

  test('an employee without tenant is seen by a whole-organization key only, and only without X-Tenant-ID', async () => {
    const { sql } = fixture;
    const { id } = (
      await fixture.client.post(
        '/employees',
        { email: 'nowhere@example.com', firstName: 'A', lastName: 'B' },
        { tenant: fixture.testData.tenantA },
      )
    ).body;
    await sql`
      UPDATE employee SET tenant_id = NULL, doc = replace(doc, ${`"tenant":"${fixture.testData.tenantA}"`}, '"tenant":null')
      WHERE id = ${id}`;
    assert.equal((await fixture.client.get(`/employees/${id}`)).body.tenant, null);
    assert.equal(
      (await fixture.client.get(`/employees/${id}`, { tenant: fixture.testData.tenantA })).status,
      404,
    );
    assert.equal(
      (await fixture.client.get(`/employees/${id}`, { key: fixture.testData.keys.tenantA })).status,
      404,
    );
  });
});
