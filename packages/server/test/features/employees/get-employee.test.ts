import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { useFixture } from '../../support/service/fixture.ts';

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
});

describe('getEmployee 404', () => {
  test('an employee without a division is not seen by a key of divisions', async () => {
    const answer = await fixture.client.get(`/employees/${unplaced.id}`, {
      key: fixture.testData.keys.sales,
    });
    assert.equal(answer.status, 404);
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
