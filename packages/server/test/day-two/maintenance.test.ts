import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { beginMaintenance, callOf, endMaintenance, system, Writes } from '../../src/write/writes.ts';
import { inTransaction } from '../../src/db/transaction.ts';
import { checkWritable } from '../../src/write/maintenance.ts';
import { apiClient } from '../support/contract/client.ts';
import { invitedUser, secretOf } from '../support/data/users.ts';
import { testToken } from '../support/data/tokens.ts';
import { runKontor } from '../support/service/kontor.ts';
import { password, sessionOf, usePortal } from '../portal/support.ts';
import { assertServed, startLoad } from './load.ts';

const fixture = usePortal();

afterEach(() => endMaintenance(fixture.sql));

const kontor = (...args: string[]) => runKontor(args, { variables: { DATABASE_URL: fixture.databaseUrl } });

const begin = () => beginMaintenance(fixture.sql, { until: null, reason: null }, () => {});

const countEmployees = async () => {
  const [row] = await fixture.sql`SELECT count(*)::int AS n FROM employee`;
  return row!['n'] as number;
};

test('under load, no write commits after the command that begins maintenance has ended, and reads go on', async t => {
  const { service, testData } = fixture;
  const load = startLoad(service.url, testData.keys.all, testData.north);
  t.after(load.stop);
  await load.more();
  const { exitCode, json } = await kontor('maintenance', 'on', '--for', '30m', '--reason', 'A new server');
  assert.equal(exitCode, 0);
  assert.equal(json.maintenance.reason, 'A new server');
  const stored = await countEmployees();
  load.take();
  await load.more(1);
  load.take();
  await load.more();
  const during = load.take();
  assert.ok(during.reads.has(200));
  assert.deepEqual([...during.writes.keys()], [503]);
  assert.ok(during.pauses.has(300));
  assert.equal(await countEmployees(), stored);
  assert.equal((await kontor('maintenance', 'off')).exitCode, 0);
  await load.more(1);
  load.take();
  await load.more();
  assertServed(load.take());
});

test('a write that began before is waited for', async () => {
  const { sql } = fixture;
  const passed = Promise.withResolvers<void>();
  const finish = Promise.withResolvers<void>();
  const writing = inTransaction(sql, async session => {
    await checkWritable(session, system);
    passed.resolve();
    await finish.promise;
  });
  await passed.promise;
  const seen: number[] = [];
  let ended = false;
  const waiting = beginMaintenance(sql, { until: null, reason: null }, writes => {
    seen.push(writes);
    assert.equal(ended, false);
    if (seen.length === 3) {
      finish.resolve();
      void writing.then(() => (ended = true));
    }
  });
  await waiting;
  await writing;
  assert.ok(seen.length >= 3);
  assert.equal(seen[0], 1);
});

test('the APIs of platform and portal reject writes, and the summary of the portal says why', async () => {
  const { sql, service, portal } = fixture;
  const { secret } = await fixture.user();
  await kontor('maintenance', 'on', '--reason', 'A new server');
  const platform = apiClient(service.managementUrl, { api: 'platform', key: await testToken(sql) });
  const created = await platform.post('/organizations', { name: 'Neu' });
  assert.equal(created.status, 503);
  assert.equal(created.headers['retry-after'], '60');
  assert.equal((await platform.get('/organizations')).status, 200);
  platform.close();
  const settings = await portal.patch('/notification-settings', { byMail: false }, { key: secret });
  assert.equal(settings.status, 503);
  const summary = await portal.get('/summary', { key: secret });
  assert.deepEqual(summary.body.maintenance, { until: null, reason: 'A new server' });
});

test('users can still sign in, confirm their password and sign out, but not use a link', async () => {
  const { portal } = fixture;
  const { email } = await fixture.user();
  const invited = await invitedUser(fixture.sql, fixture.testData.organization);
  await begin();
  const secret = secretOf(invited);
  assert.equal((await portal.post('/invitation/acceptance', { secret, password })).status, 503);
  const signedIn = await fixture.signIn(email);
  assert.equal(signedIn.status, 200);
  const key = sessionOf(signedIn);
  const confirmed = await portal.post('/session/confirmation', { password }, { key });
  assert.ok(confirmed.status < 300, JSON.stringify(confirmed.body));
  assert.equal((await portal.request('DELETE', '/session', { key: sessionOf(confirmed) })).status, 200);
});

test('a dry run is checked as always, and commands of the operator write', async () => {
  const { client, testData } = fixture;
  await begin();
  const body = { email: 'dry@example.com', firstName: 'A', lastName: 'B', divisionId: testData.north };
  assert.equal((await client.post('/employees', body, { query: { dryRun: true } })).status, 200);
  assert.equal((await client.post('/employees', body)).status, 503);
  assert.equal((await kontor('organization', 'create', '--name', 'Neu AG')).exitCode, 0);
});

test('a job of the service cannot write', async () => {
  const { sql, testData } = fixture;
  await begin();
  const write = new Writes(sql).runWithoutClock(callOf(testData.organization, system), () => {});
  await assert.rejects(write, { code: 'SERVICE_UNAVAILABLE' });
});

test('the command shows maintenance, and cannot end it where there is none', async () => {
  assert.deepEqual((await kontor('maintenance', 'show')).json, { maintenance: null });
  assert.equal((await kontor('maintenance', 'off')).exitCode, 1);
  await kontor('maintenance', 'on', '--reason', 'One');
  const again = await kontor('maintenance', 'on', '--reason', 'Two');
  const shown = await kontor('maintenance', 'show');
  assert.deepEqual(shown.json, again.json);
  assert.equal(shown.json.maintenance.reason, 'Two');
});
