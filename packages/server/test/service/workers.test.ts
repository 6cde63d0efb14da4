import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { after, before, describe, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { openPepper } from '../../src/features/keys/pepper.ts';
import { kontor } from '../cli/kontor.ts';
import { apiClient } from '../support/contract/client.ts';
import { deactivateKey } from '../support/data/keys.ts';
import { testDatabase, type TestDatabase } from '../support/database/database.ts';
import { startServiceProcess, type ServiceProcess } from '../support/service/kontor.ts';
import { loneRequest } from '../support/service/lone-request.ts';
import { isLong } from '../support/service/scale.ts';
import { testToken } from '../support/data/tokens.ts';
import { invitedUser, secretOf } from '../support/data/users.ts';
import { insertTestData, testKey, testPepper, type TestData } from '../support/data/test-data.ts';

let testing: TestDatabase;
let testData: TestData;
before(async () => {
  testing = await testDatabase();
  testData = await insertTestData(testing.database.sql);
});
after(() => testing.drop());

for (const count of isLong ? [2, 4] : [4])
  describe(`${count} worker processes`, { timeout: 60_000 }, () => {
    let service: ServiceProcess;
    before(async () => {
      const variables = { DATABASE_URL: testing.url, KONTOR_WORKERS: String(count), KONTOR_POOL_SIZE: '3' };
      service = await startServiceProcess({ variables });
    });
    after(() => service.end('SIGKILL'));

    const get = (path: string, key = testData.keys.all) => loneRequest(`${service.url}/v1${path}`, { key });
    const create = (email: string) =>
      loneRequest(`${service.url}/v1/employees`, {
        key: testData.keys.all,
        method: 'POST',
        body: { email, firstName: 'A', lastName: 'B', divisionId: testData.north },
      });

    test('a poller misses nothing, whichever of them writes and whichever answers it', async () => {
      const created: string[] = [];
      let writing = true;
      const write = async (writer: number) => {
        for (let n = 0; n < 25; n++) {
          const { status, body } = await create(`${count}.${writer}.${n}@example.com`);
          assert.equal(status, 201);
          created.push(body.id as string);
        }
      };
      const writers = Promise.all([1, 2, 3, 4].map(write)).finally(() => (writing = false));
      const seen = await poll(get, () => writing);
      await writers;
      assert.equal(new Set(seen).size, seen.length);
      for (const id of created) assert.ok(seen.includes(id));
    });

    test('each of them has answered, by the one page of metrics, where nothing stands twice', async () => {
      const metrics = await readMetrics(service);
      for (let worker = 1; worker <= count; worker++)
        assert.match(
          metrics,
          new RegExp(`^kontor_requests_total\\{operation="createEmployee",.*worker="${worker}"\\} \\d`, 'm'),
        );
      const headings = metrics.match(/^# TYPE \S+/gm)!;
      assert.equal(new Set(headings).size, headings.length);
    });

    test('the platform API is on the management port; what it writes is in line with what they write', async () => {
      const platform = apiClient(service.managementUrl, {
        api: 'platform',
        key: await testToken(testing.database.sql),
      });
      const path = `/organizations/${testData.organization}/tenants`;
      const writes = await Promise.all([
        ...Array.from({ length: 8 }, (_, n) => platform.post(path, { name: `Tenant ${count}.${n}` })),
        ...Array.from({ length: 8 }, (_, n) => create(`beside.${count}.${n}@example.com`)),
      ]);
      assert.deepEqual(new Set(writes.map(({ status }) => status)), new Set([201]));
      platform.close();
      const metrics = await readMetrics(service);
      assert.match(metrics, /^kontor_requests_total\{operation="createTenant",status="201"\} 8$/m);
      const headings = metrics.match(/^# TYPE \S+/gm)!;
      assert.equal(new Set(headings).size, headings.length);
    });

    test('a quota is one for all of them', async () => {
      const { sql } = testing.database;
      const key = await testKey(sql, testData.organization, 'all', { requests: 37, seconds: 600 });
      const answers = await Promise.all(Array.from({ length: 60 }, () => get('/employees?pageSize=1', key)));
      const statuses = answers.map(({ status }) => status);
      assert.equal(statuses.filter(status => status === 200).length, 37);
      assert.equal(statuses.filter(status => status === 429).length, 23);
    });

    test('failed sign-ins are limited over all of them, and one that succeeds forgives those before', async () => {
      const invited = await invitedUser(testing.database.sql, testData.organization);
      const headers = { 'sec-fetch-site': 'same-origin' };
      const post = (path: string, body: object) =>
        loneRequest(`${service.url}/portal/api${path}`, { method: 'POST', headers, body });
      const right = 'correct horse battery staple';
      const accepted = await post('/invitation/acceptance', { secret: secretOf(invited), password: right });
      assert.equal(accepted.status, 200);
      const signIn = async (password: string) =>
        (await post('/session', { email: invited.email, password })).status;
      const wrong = async (times: number) =>
        (await Promise.all(Array.from({ length: times }, () => signIn('a wrong password')))).sort();
      assert.deepEqual(await wrong(4), [401, 401, 401, 401]);
      assert.equal(await signIn(right), 200);
      assert.deepEqual(await wrong(8), [401, 401, 401, 401, 401, 429, 429, 429]);
      assert.equal(await signIn(right), 429);
    });

    test('a key that is deactivated is rejected by all of them 1 s later', async () => {
      const { sql } = testing.database;
      const key = await testKey(sql, testData.organization, 'all');
      const all = () =>
        Promise.all(Array.from({ length: 4 * count }, async () => (await get('/employees', key)).status));
      assert.deepEqual(new Set(await all()), new Set([200]));
      await deactivateKey(sql, testData.organization, key);
      await delay(1000);
      assert.deepEqual(new Set(await all()), new Set([401]));
    });

    test('one that is killed is replaced, and meanwhile the others serve', async () => {
      const [victim] = await childrenOf(service.pid);
      process.kill(victim!, 'SIGKILL');
      let broken = 0;
      for (let answers = 0; answers < 200 || !(await isWhole(service, count)); answers++) {
        const { status } = await get('/employees?pageSize=1');
        if (status === 0) broken++;
        else assert.equal(status, 200);
        assert.equal((await fetch(`${service.managementUrl}/readyz`)).status, 200);
      }
      // The connection that it was about to answer, at most.
      assert.ok(broken <= 1, `${broken} connections were broken`);
    });

    test('SIGTERM ends all of them', async () => {
      const workers = await childrenOf(service.pid);
      assert.equal(workers.length, count);
      await service.end('SIGTERM');
      for (const worker of workers) assert.throws(() => process.kill(worker, 0), { code: 'ESRCH' });
    });
  });

test('a failure to start is reported once, and no worker is started', async () => {
  const variables = {
    DATABASE_URL: testing.url,
    PORT: '0',
    MANAGEMENT_PORT: '0',
    KONTOR_LOG_LEVEL: 'silent',
  };
  await openPepper(testing.database.writes, { secret: testPepper.toString(), dataDirectory: tmpdir() });
  const pepper = 'another pepper than that of the database';
  const run = await kontor(['serve', '--workers', '3'], { ...variables, KONTOR_KEY_PEPPER: pepper });
  assert.equal(run.code, 1);
  const { msg } = JSON.parse(run.stderr) as { msg: string };
  assert.match(msg, /^the API keys of this database belong to another pepper/);
});

/** The identifiers of the changes in the order in which a poller sees them, until there are no more. */
async function poll(
  get: (path: string) => Promise<{ status: number; body: any }>,
  goOn: () => boolean,
): Promise<string[]> {
  const seen: string[] = [];
  let last = { updatedAt: '1970-01-01T00:00:00.000Z', id: '0'.repeat(24) };
  for (let more = true; more;) {
    const isWriting = goOn();
    const filter = `updatedAt >= ${last.updatedAt} AND (updatedAt > ${last.updatedAt} OR id > ${last.id})`;
    const query = new URLSearchParams({ filter, sort: 'updatedAt', pageSize: '20' });
    const { status, body } = await get(`/employees?${query}`);
    assert.equal(status, 200);
    const items = body.items as (typeof last)[];
    seen.push(...items.map(item => item.id));
    last = items.at(-1) ?? last;
    more = isWriting || items.length > 0;
  }
  return seen;
}

async function readMetrics({ managementUrl }: ServiceProcess): Promise<string> {
  return (await fetch(`${managementUrl}/metrics`)).text();
}

/** Whether all workers serve, and one of them has taken the place of another. */
async function isWhole(service: ServiceProcess, count: number): Promise<boolean> {
  const metrics = await readMetrics(service);
  return (
    metrics.includes(`\nkontor_workers ${count}\n`) && metrics.includes('\nkontor_workers_replaced_total 1\n')
  );
}

async function childrenOf(pid: number): Promise<number[]> {
  const text = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8');
  return text.trim().split(' ').map(Number);
}
