import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type Incident, incidentStatuses } from '@kontor/contract';
import {
  advance,
  files,
  incidentTestData,
  type IncidentTestData,
  wholeState,
} from '../features/incidents/support.ts';
import { type Answer, type ApiClient, apiClient, type RequestOptions } from '../support/contract/client.ts';
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

type Status = Incident['status'];

/** The actions of the platform: the states that they lead from, the one that they lead to, and what they are audited as. */
const actions: Record<string, { from: Status[]; to: Status; audit: string }> = {
  processing: { from: ['completed'], to: 'in_progress', audit: 'incident.start' },
  resolution: { from: ['in_progress'], to: 'resolved', audit: 'incident.resolve' },
  rejection: { from: ['in_progress'], to: 'rejected', audit: 'incident.reject' },
  cancellation: { from: ['draft', 'completed'], to: 'cancelled', audit: 'incident.cancel' },
};

/** An incident in a state. */
async function inState(status: Status): Promise<Incident> {
  const incident = await scene.reported(status === 'draft' ? { description: null } : {});
  if (incident.status !== status) await advance(scene.sql, incident.id, status);
  return (await scene.client.get(`/incidents/${incident.id}`)).body;
}

function act(id: string, action: string, options?: RequestOptions): Promise<Answer<any>> {
  const path = `/organizations/${scene.testData.organization}/incidents/${id}/${action}`;
  return platform.post(path, undefined, options);
}

const dryRun = { query: { dryRun: true } };

/** Asserts that the request is rejected so, and that nothing has changed. */
async function rejected(send: () => Promise<Answer<any>>, expected: [number, string]): Promise<string> {
  const before = await wholeState(scene.sql);
  const answer = await send();
  assert.deepEqual([answer.status, answer.body.error?.code], expected);
  assert.equal(await wholeState(scene.sql), before);
  return answer.body.error.message;
}

for (const [action, { from, to, audit }] of Object.entries(actions))
  describe(`POST …/${action}`, () => {
    for (const status of from)
      test(`200: an incident that is ${status} becomes ${to}, which the public API shows at once`, async () => {
        const incident = await inState(status);
        const { status: answered, body, bytes } = await act(incident.id, action);
        assert.equal(answered, 200);
        assert.ok(body.updatedAt > incident.updatedAt);
        assert.deepEqual(body, { ...incident, status: to, editable: false, updatedAt: body.updatedAt });
        assert.deepEqual((await scene.client.get(`/incidents/${incident.id}`)).bytes, bytes);
        const filter = `updatedAt > ${incident.updatedAt} AND status = ${to} AND editable = false`;
        const query = { filter, sort: '-updatedAt', pageSize: 1 };
        assert.deepEqual((await scene.client.get('/incidents', { query })).body.items, [body]);
        const [entry] = await scene.sql`
          SELECT fields, actor_type FROM audit WHERE target_id = ${incident.id} AND action = ${audit}`;
        const fields = incident.editable ? ['status', 'editable'] : ['status'];
        assert.deepEqual([entry!['fields'], entry!['actor_type']], [fields, 'platform_token']);
      });

    for (const status of incidentStatuses.filter(other => !from.includes(other)))
      test(`409 INVALID_STATE_TRANSITION: an incident that is ${status}`, async () => {
        const { id } = await inState(status);
        for (const options of [{}, dryRun]) {
          const message = await rejected(() => act(id, action, options), [409, 'INVALID_STATE_TRANSITION']);
          assert.match(message, new RegExp(`is ${status} and cannot become ${to}`));
        }
      });
  });

describe('an incident that was taken into progress', () => {
  test('is not edited any more, and takes no file', async () => {
    const { id } = await inState('completed');
    await act(id, 'processing');
    const { client } = scene;
    const conflict: [number, string] = [409, 'INVALID_STATE_TRANSITION'];
    await rejected(() => client.patch(`/incidents/${id}`, { description: 'anders' }), conflict);
    const file = { bytes: files['image/png'], fileName: 'a.png' };
    await rejected(() => client.upload(`/incidents/${id}/attachments`, file), conflict);
  });

  test('is rejected for one of an update and a start at once, whichever comes later', async () => {
    const { id } = await inState('completed');
    const [started, updated] = await Promise.all([
      act(id, 'processing'),
      scene.client.patch(`/incidents/${id}`, { description: null }),
    ]);
    const { body } = await scene.client.get(`/incidents/${id}`);
    if (started.status === 200) {
      assert.equal(body.status, 'in_progress');
      assert.deepEqual([updated.status, body.description], [409, 'Rahmen gebrochen']);
    } else assert.deepEqual([started.status, updated.status, body.status], [409, 200, 'draft']);
  });
});
