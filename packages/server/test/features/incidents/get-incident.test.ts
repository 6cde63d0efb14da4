import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Incident } from '@kontor/contract';
import { incidentCounters, incidentTestData, type IncidentTestData } from './support.ts';

let context: IncidentTestData;
let inNorth: Incident;

before(async () => {
  context = await incidentTestData();
  inNorth = await context.reported({}, { divisionId: context.testData.north });
});
after(() => context.close());

describe('getIncident 200', () => {
  test('answers the stored document, also for uppercase hexadecimal', async () => {
    for (const id of [inNorth.id, inNorth.id.toUpperCase()]) {
      const answer = await context.client.get(`/incidents/${id}`);
      assert.deepEqual([answer.status, answer.body], [200, inNorth]);
    }
  });

  test('is visible exactly when its employee is, also after he has moved', async () => {
    const { client, testData, sql } = context;
    const incident = await context.reported({}, { divisionId: testData.north });
    const bySales = () => client.get(`/incidents/${incident.id}`, { key: testData.keys.sales });
    assert.equal((await bySales()).status, 200);
    const move = (divisionId: string) => client.patch(`/employees/${incident.employeeId}`, { divisionId });
    assert.equal((await move(testData.support)).status, 200);
    assert.equal((await bySales()).status, 404);
    const { body } = await client.get(`/incidents/${incident.id}`);
    assert.deepEqual(body, incident, 'without a change of its own');
    const [row] = await sql`SELECT division_id FROM incident WHERE id = ${incident.id}`;
    assert.equal(row?.['division_id'], testData.support);
    const { kept, real } = await incidentCounters(sql, testData.organization);
    assert.deepEqual(kept, real);
    assert.equal(kept[testData.support], 1);
    const totals = await client.get('/incidents', { key: testData.keys.sales });
    assert.equal(totals.body.totalElements, 1, 'the other one, in north');
    assert.equal((await move(testData.sales)).status, 200);
    assert.equal((await bySales()).status, 200);
  });

  test('of an employee without tenant is seen by a key of the whole organization only', async () => {
    const { client, testData } = context;
    const employeeId = await context.employee({ tenant: null });
    const { body } = await client.post('/incidents', { employeeId, type: 'other' });
    assert.equal((await client.get(`/incidents/${body.id}`)).status, 200);
    assert.equal((await client.get(`/incidents/${body.id}`, { tenant: testData.tenantA })).status, 404);
    assert.equal((await client.get(`/incidents/${body.id}`, { key: testData.keys.tenantA })).status, 404);
  });
});
