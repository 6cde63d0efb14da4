import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import { storeEmployees } from '../support/data/employees.ts';
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
});
