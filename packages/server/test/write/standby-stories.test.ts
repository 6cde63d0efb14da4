import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { apis, type Incident } from '@kontor/contract';
import { prepare, type Setting, someone } from '../security/portal-writes.ts';
import { type Answer, type ApiClient, apiClient } from '../support/contract/client.ts';
import { evidence, storeIncident, storeReporter } from '../support/data/incidents.ts';
import { startIssuer } from '../support/servers/issuer.ts';
import { setStandby } from './standby.ts';
import { startWaitingService, type WaitingService } from './waiting-service.ts';

/** While a standby stands still, no commit is answered in time. */

const resources = new AsyncDisposableStack();
after(() => resources.disposeAsync());

let server: WaitingService;
let client: ApiClient;
let portal: ApiClient;
let setting: Setting;
const place = () => ({
  organization: server.fixture.testData.organization,
  tenant: server.fixture.testData.tenantA,
});

before(async () => {
  server = resources.use(await startWaitingService({}, { deadline: 1_000 }));
  const { fixture, waiting } = server;
  client = apiClient(waiting.url, { key: fixture.testData.keys.tenantA });
  portal = apiClient(waiting.url, { api: 'portal' });
  resources.defer(() => [client, portal].forEach(one => one.close()));
  const issuer = await startIssuer(['https://kontor.example.com/portal/sign-in/openid']);
  resources.defer(() => issuer.close());
  setting = { fixture, issuer, portal: fixture.portal };
});

describe('a commit that waits too long for its standby is answered 503:', () => {
  const ofUser = async (name: keyof typeof apis.portal.operations) => {
    // The request goes to the service that waits, after it was prepared by the other one.
    let current = setting.portal;
    const who = await someone(setting);
    const either = new Proxy(portal, { get: (_, name) => Reflect.get(current, name) as unknown });
    const send = await prepare({ ...setting, portal: either }, who, [name, apis.portal.operations[name]!]);
    current = portal;
    return send;
  };
  const requests: Record<string, () => Promise<() => Promise<Answer<any>>>> = {
    'one of a batch': async () => {
      const person = { email: 'new@example.com', firstName: 'A', lastName: 'B' };
      return () => client.post('/employees', person);
    },
    'one with a file': async () => {
      const { id } = await storeIncident(server.fixture.sql, place());
      return () => client.upload(`/incidents/${id}/attachments`, { bytes: evidence, fileName: 'a.pdf' });
    },
    'one with the clock of a user': () => ofUser('createPortalDivision'),
    'one without the clock': () => ofUser('createPortalUser'),
    'one that queues a job of payroll': () => ofUser('createPortalPayrollRun'),
  };
  for (const [name, request] of Object.entries(requests))
    test(name, async () => {
      const send = await request();
      const { outcome, waits } = await server.endWaits('overdue', send());
      if (outcome.status === 'rejected') throw outcome.reason;
      assert.ok(waits > 0, JSON.stringify(outcome.value.body));
      assert.equal(outcome.value.status, 503);
    });
});

test('a report that its client repeats with the key while the standby stands still stays one incident', async () => {
  const { sql } = server.fixture;
  const employeeId = await storeReporter(sql, place());
  const body = { employeeId, type: 'damage', occurredOn: '2026-09-02', description: 'Rahmen gebrochen' };
  const report = (): Promise<Answer<any>> =>
    client.post('/incidents', body, { headers: { 'idempotency-key': 'report-1' } });
  const stored = async () =>
    (await client.get('/incidents', { query: { filter: `employeeId = ${employeeId}` } })).body
      .items as Incident[];

  assert.equal((await report()).status, 503);
  // The commit still waits: its incident is invisible, and a client that reads takes it for lost.
  assert.deepEqual(await stored(), []);
  const repeats = await Promise.all([report(), report(), report()]);
  assert.deepEqual([...new Set(repeats.map(({ status }) => status))], [503]);
  // An administrator ends the wait: the incident is visible, and not acknowledged yet.
  const { outcome } = await server.endWaits('cancelled', report());
  assert.equal((outcome as PromiseFulfilledResult<Answer<any>>).value.status, 503);
  const [incident, ...others] = await stored();
  assert.deepEqual(others, []);

  await setStandby(sql, '');
  let answer = await report();
  while (answer.status === 503) answer = await report();
  const { status, headers, body: replayed } = answer;
  assert.deepEqual([status, headers['idempotency-replayed'], replayed.id], [201, 'true', incident!.id]);
  assert.deepEqual(await stored(), [replayed]);
});
