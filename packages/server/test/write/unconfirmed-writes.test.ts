import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { apis, type Operation } from '@kontor/contract';
import { pino } from 'pino';
import { backgroundJobs } from '../../src/app/payroll.ts';
import { databaseStore } from '../../src/files/database-store.ts';
import { kontorHere } from '../cli/in-process.ts';
import { jobsOfUsers } from '../security/jobs-of-users.ts';
import { prepare, type Setting, someone, writesOfUsers } from '../security/portal-writes.ts';
import { type Answer, type ApiClient, apiClient } from '../support/contract/client.ts';
import { storeEmployees } from '../support/data/employees.ts';
import { evidence, storeIncident, storeReporter } from '../support/data/incidents.ts';
import { orderInput, storeOrders } from '../support/data/orders.ts';
import { testPepper } from '../support/data/test-data.ts';
import { testToken } from '../support/data/tokens.ts';
import { startIssuer } from '../support/servers/issuer.ts';
import { startMailServer } from '../support/servers/mail-server.ts';
import { endings, startWaitingService, type WaitingService } from './waiting-service.ts';

/**
 * If the wait for a standby is cancelled or terminated, PostgreSQL reports the commit as done. Kontor must not. Tested are each write of a user
 * and of the public API, a write of each kind of the platform API, each type of background jobs, and commands.
 */

const resources = new AsyncDisposableStack();
after(() => resources.disposeAsync());

let server: WaitingService;
/** Requests go to the service whose commits wait while this is set, and to the other one otherwise. */
let isWaiting = false;
let setting: Setting;
let clients: Record<'public' | 'platform', ApiClient>;

before(async () => {
  const issuer = await startIssuer(['https://kontor.example.com/portal/sign-in/openid']);
  resources.defer(() => issuer.close());
  const mailServer = await startMailServer();
  resources.defer(() => mailServer.close());
  server = await startWaitingService({ openId: issuer.settings, mail: mailServer.settings });
  resources.use(server);
  const { fixture, waiting } = server;
  const open = (...args: Parameters<typeof apiClient>) => {
    const client = apiClient(...args);
    resources.defer(() => client.close());
    return client;
  };
  const portals = { local: fixture.portal, waiting: open(waiting.url, { api: 'portal' }) };
  const portal = new Proxy(portals.local, {
    get: (_, name) => Reflect.get(isWaiting ? portals.waiting : portals.local, name) as unknown,
  });
  setting = { fixture, issuer, portal };
  clients = {
    public: open(waiting.url, { key: fixture.testData.keys.tenantA }),
    platform: open(waiting.managementUrl, { api: 'platform', key: await testToken(fixture.sql) }),
  };
});

const endingNames = Object.keys(endings) as (keyof typeof endings)[];

/** Sends a request whose commit waits, and asserts that it is not reported as done. */
async function assertUnconfirmed(
  ending: keyof typeof endings,
  send: () => Promise<Answer<any>>,
): Promise<void> {
  isWaiting = true;
  const { outcome, waits } = await server.endWaits(ending, send()).finally(() => (isWaiting = false));
  if (outcome.status === 'rejected') throw outcome.reason;
  const { status, body } = outcome.value;
  assert.ok(waits > 0, `nothing was committed: ${JSON.stringify(body)}`);
  assert.deepEqual([status, body.error.code], [503, 'SERVICE_UNAVAILABLE']);
}

describe('a commit without its standby is answered 503: a user', () => {
  writesOfUsers.forEach((write, index) => {
    // Both endings for each would need a row of its own for each.
    const ending = endingNames[index % endingNames.length]!;
    test(`${write[0]}, ${ending}`, async () => {
      const send = await prepare(setting, await someone(setting), write);
      await assertUnconfirmed(ending, send);
    });
  });

  for (const ending of endingNames)
    test(`signs in, ${ending}`, async () => {
      const { email } = await someone(setting);
      await assertUnconfirmed(ending, () =>
        setting.portal.post('/session', { email, password: 'correct horse battery staple' }),
      );
    });
});

const writesOfPublicApi = Object.entries<Operation>(apis.public.operations)
  .filter(([, { method }]) => method !== 'GET')
  .map(([name]) => name);

describe('a commit without its standby is answered 503: the public API', () => {
  const place = () => ({
    organization: server.fixture.testData.organization,
    tenant: server.fixture.testData.tenantA,
  });
  const incident = async () => (await storeIncident(server.fixture.sql, place())).id;
  const employee = () => storeReporter(server.fixture.sql, place());
  const person = { firstName: 'A', lastName: 'B' };
  let made = 0;
  const requests: Record<string, (client: ApiClient) => Promise<() => Promise<Answer<any>>>> = {
    createEmployee: async client => () =>
      client.post('/employees', { ...person, email: `new${++made}@example.com` }),
    updateEmployee: async client => {
      const id = await employee();
      return () => client.patch(`/employees/${id}`, { city: 'Kiel' });
    },
    createDivision: async client => () => client.post('/divisions', { name: `New ${++made}` }),
    updateDivision: async client => () =>
      client.patch(`/divisions/${server.fixture.testData.north}`, { name: `North ${++made}` }),
    decideOrder: async client => {
      const target = { organizationId: place().organization, tenantId: place().tenant };
      const input = orderInput({ employeeId: await employee(), status: 'under_review' });
      const [order] = await storeOrders(server.fixture.sql, target, [input]);
      return () => client.post(`/orders/${order!.id}/decision`, { decision: 'approved' });
    },
    createIncident: async client => {
      const employeeId = await employee();
      return () => client.post('/incidents', { employeeId, type: 'loss' });
    },
    updateIncident: async client => {
      const id = await incident();
      return () => client.patch(`/incidents/${id}`, { description: 'Lenker verbogen' });
    },
    uploadIncidentAttachment: async client => {
      const id = await incident();
      return () => client.upload(`/incidents/${id}/attachments`, { bytes: evidence, fileName: 'a.pdf' });
    },
  };

  test('all of its writes are here', () =>
    assert.deepEqual(Object.keys(requests).sort(), writesOfPublicApi.sort()));

  for (const [name, request] of Object.entries(requests))
    for (const ending of endingNames)
      test(`${name}, ${ending}`, async () => assertUnconfirmed(ending, await request(clients.public)));

  test('all writes of a batch', async () => {
    const create = (email: string) => clients.public.post('/employees', { ...person, email });
    const send = () => Promise.all(Array.from({ length: 20 }, (_, n) => create(`batch${n}@example.com`)));
    const { outcome, waits } = await server.endWaits('cancelled', send());
    assert.ok(waits > 0 && waits < 20, `${waits} commits`);
    assert.equal(outcome.status, 'fulfilled');
    for (const { status } of outcome.value) assert.equal(status, 503);
  });
});

describe('a commit without its standby is answered 503: the platform API', () => {
  const requests: Record<string, () => Promise<Answer<any>>> = {
    'with the clock': () => clients.platform.post(inside('/tenants'), { name: 'New' }),
    'without the clock': () =>
      clients.platform.post(inside('/users'), {
        email: `new${++made}@example.com`,
        name: 'New',
        language: 'de',
        permissions: ['IT'],
      }),
    'of an organization': () => clients.platform.post('/organizations', { name: 'New' }),
    'of many orders': () => {
      const items = employees.map(employeeId => orderInput({ externalId: `order ${++made}`, employeeId }));
      return clients.platform.post(inside('/order-batches'), { items });
    },
  };
  let employees: string[];
  let made = 0;
  const inside = (path: string) => `/organizations/${server.fixture.testData.organization}${path}`;
  before(async () => {
    const { organization, tenantA: tenant } = server.fixture.testData;
    employees = (await storeEmployees(server.fixture.sql, organization, [{ tenant }, { tenant }])).map(
      ({ id }) => id,
    );
  });
  for (const [name, send] of Object.entries(requests))
    for (const ending of endingNames)
      test(`a write ${name}, ${ending}`, () => assertUnconfirmed(ending, send));
});

describe('a background job whose commit is without its standby stays queued:', () => {
  for (const [type, { prepare: prepareJob }] of Object.entries(jobsOfUsers))
    for (const ending of endingNames)
      test(`${type}, ${ending}`, async () => {
        const { sql } = server.fixture;
        const { send } = await prepareJob(setting, await someone(setting), await someone(setting));
        // Its own commit is not confirmed either, so nothing wakes the workers.
        await assertUnconfirmed(ending, send);
        const [key] = await sql<{ organizationId: string; id: string }[]>`
          SELECT organization_id AS "organizationId", id FROM background_job WHERE type = ${type}`;
        const { writes, reads } = server.database;
        const jobs = backgroundJobs({ reads, writes }, databaseStore(writes), pino({ level: 'silent' }));
        const { outcome, waits } = await server.endWaits(ending, jobs.run(key!));
        assert.ok(waits > 0);
        assert.deepEqual(outcome, { status: 'fulfilled', value: 'lost' });
        await sql`DELETE FROM background_job_progress`;
        await sql`DELETE FROM background_job`;
      });
});

describe('a command whose commit is without its standby fails:', () => {
  const commands: Record<string, () => string[]> = {
    'organization create': () => ['--name', 'New'],
    'tenant create': () => ['--organization', server.fixture.testData.organization, '--name', 'New'],
    'key create': () => ['--organization', server.fixture.testData.organization, '--name', 'New', '--all'],
    'audit retention': () => ['--organization', server.fixture.testData.organization, '--days', '400'],
  };
  for (const [command, args] of Object.entries(commands))
    test(command, async () => {
      const variables = { DATABASE_URL: server.url, KONTOR_KEY_PEPPER: testPepper.toString('utf8') };
      const run = kontorHere([...command.split(' '), ...args(), '--json'], variables);
      const { outcome, waits } = await server.endWaits('cancelled', run);
      assert.equal(outcome.status, 'fulfilled');
      const { code, stdout, stderr } = outcome.value;
      assert.ok(waits > 0, stderr);
      assert.notEqual(code, 0, stdout);
      assert.equal(stdout, '');
    });
});
