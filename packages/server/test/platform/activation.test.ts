import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import { storeEmployees } from '../support/employees.ts';
import { stateOf } from '../support/test-data.ts';
import { usePlatform } from './support.ts';

const fixture = usePlatform();
let id: string;
let path: string;
beforeEach(async () => {
  const { sql, testData } = fixture;
  const person = { tenant: testData.tenantA, divisionId: testData.sales };
  const [employee] = await storeEmployees(sql, testData.organization, [person]);
  id = employee!.id;
  path = `/organizations/${testData.organization}/employees/${id}/activation`;
});

const report = () => fixture.client.post('/incidents', { employeeId: id, type: 'loss' });

describe('the activation of an employee', () => {
  test('POST 200: who is activated can report an incident, and updatedAt stays', async () => {
    const { own, client } = fixture;
    const before = (await client.get(`/employees/${id}`)).body;
    assert.deepEqual((await own.get(path)).body, { employeeId: id, activated: false, activatedAt: null });
    assert.equal((await report()).body.error.code, 'EMPLOYEE_NOT_ACTIVATED');
    const { status, body } = await own.post(path, undefined);
    assert.deepEqual([status, body.activated], [200, true]);
    assert.ok(Math.abs(Date.parse(body.activatedAt) - Date.now()) < 60_000);
    assert.deepEqual((await own.get(path)).body, body);
    assert.equal((await report()).status, 201);
    assert.deepEqual((await client.get(`/employees/${id}`)).body, before);
  });

  test('POST 200: again, it stays as it is and is audited once', async () => {
    const { own, sql } = fixture;
    const first = (await own.post(path, undefined)).body;
    assert.deepEqual((await own.post(path, undefined)).body, first);
    const audited =
      await sql`SELECT action, fields, request_id FROM audit WHERE target_id = ${id} AND actor <> 'test'`;
    assert.deepEqual(
      audited.map(({ action, fields }) => ({ action, fields })),
      [{ action: 'employee.activate', fields: ['activatedAt'] }],
    );
    assert.ok(audited[0]!['request_id']);
  });

  test('POST 200: a dry run shows it and stores nothing', async () => {
    const { own, sql } = fixture;
    const before = await stateOf(sql);
    const { status, body } = await own.request('POST', path, { query: { dryRun: true } });
    assert.deepEqual([status, body.activated], [200, true]);
    assert.equal(await stateOf(sql), before);
  });

  test('404 NOT_FOUND: the employee under another organization', async () => {
    const { platform, sql, testData } = fixture;
    const before = await stateOf(sql);
    const strange = path.replace(testData.organization, testData.foreign.organization);
    assert.equal((await platform.get(strange)).status, 404);
    assert.equal((await platform.post(strange, undefined)).status, 404);
    assert.equal(await stateOf(sql), before);
  });
});
