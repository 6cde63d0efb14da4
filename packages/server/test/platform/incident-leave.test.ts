import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type Incident, incidentStatuses } from '@kontor/contract';
import {
  advance,
  daysOutOfBounds,
  incidentTestData,
  type IncidentTestData,
} from '../features/incidents/support.ts';
import { type ApiClient, apiClient } from '../support/contract/client.ts';
import { testToken } from '../support/data/tokens.ts';

let scene: IncidentTestData;
let platform: ApiClient;
before(async () => {
  scene = await incidentTestData();
  const key = await testToken(scene.sql);
  platform = apiClient(scene.service.managementUrl, { api: 'platform', key });
});
after(async () => {
  platform?.close();
  await scene?.close();
});

async function leave(status: Incident['status'], more: object = {}): Promise<Incident> {
  const days = { effectiveFrom: '2026-09-01', ...(status === 'draft' && { description: null }) };
  const incident = await scene.reported({ type: 'parental_leave', ...days, ...more });
  if (incident.status !== status) await advance(scene.sql, incident.id, status);
  return read(incident.id);
}

const read = async (id: string): Promise<Incident> => (await scene.client.get(`/incidents/${id}`)).body;

const record = (id: string, body: object) =>
  platform.post(`/organizations/${scene.testData.organization}/incidents/${id}/leave`, body);

const errorOf = ({ status, body }: { status: number; body: any }) => [status, body.error?.code];

describe('recordIncidentLeave', () => {
  for (const status of incidentStatuses)
    test(`${status}: the end is recorded in the states in which the leave counts`, async () => {
      const before = await leave(status);
      const answer = await record(before.id, { effectiveTo: '2026-12-31' });
      const counts = ['completed', 'in_progress', 'resolved'].includes(status);
      if (!counts) return assert.deepEqual(errorOf(answer), [409, 'INVALID_STATE_TRANSITION']);
      assert.equal(answer.status, 200);
      const after = await read(before.id);
      assert.deepEqual(after, { ...before, effectiveTo: '2026-12-31', updatedAt: after.updatedAt });
      assert.ok(after.updatedAt > before.updatedAt);
      assert.deepEqual(answer.body, { incident: after, bikeReturned: null, payer: null, comment: null });
    });

  test('bike, payer and comment are not public: they move no updatedAt, and are audited by their names', async () => {
    const before = await leave('resolved');
    const body = { bikeReturned: true, payer: 'insurer', comment: 'Versicherung zahlt' };
    assert.deepEqual((await record(before.id, body)).body, { incident: before, ...body });
    assert.deepEqual(await read(before.id), before);
    const cleared = { incident: before, bikeReturned: true, payer: null, comment: 'Versicherung zahlt' };
    assert.deepEqual((await record(before.id, { payer: null })).body, cleared);
    assert.deepEqual((await record(before.id, { payer: null })).body, cleared);
    const entries = await scene.sql<{ fields: string[] }[]>`
      SELECT fields FROM audit WHERE target_id = ${before.id} AND action = 'incident.record_leave' ORDER BY at`;
    assert.deepEqual(
      entries.map(({ fields }) => fields),
      [['bikeReturned', 'payer', 'comment'], ['payer']],
    );
  });

  test('422 VALIDATION_ERROR: an end before the beginning or out of bounds, and an incident that is not a leave', async () => {
    const { id } = await leave('in_progress');
    for (const effectiveTo of ['2026-08-31', ...daysOutOfBounds()])
      assert.deepEqual(errorOf(await record(id, { effectiveTo })), [422, 'VALIDATION_ERROR'], effectiveTo);
    const damage = await scene.reported();
    assert.deepEqual(errorOf(await record(damage.id, { comment: 'x' })), [422, 'VALIDATION_ERROR']);
  });

  test('404 NOT_FOUND: an unknown incident', async () => {
    assert.deepEqual(errorOf(await record('f'.repeat(24), { comment: 'x' })), [404, 'NOT_FOUND']);
  });
});
