import assert from 'node:assert/strict';
import path from 'node:path';
import { describe, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { createKey } from '../../src/cli/access/key.ts';
import { type SettingName } from '../../src/config.ts';
import type { Answer } from '../support/contract/client.ts';
import { IssuerVisitor } from '../support/servers/issuer.ts';
import type { ReceivedMail } from '../support/servers/mail-server.ts';
import { noRedis } from '../support/servers/redis.ts';
import { isLong } from '../support/service/scale.ts';
import { testPepper } from '../support/data/test-data.ts';
import { activeUser } from '../support/data/users.ts';
import {
  metric,
  keyClientId,
  openIdReturn,
  ownAddresses,
  publicUrl,
  type Run,
  serveWith,
  type Stage,
  stalledUpload,
  type Method,
  withStage,
} from './settings-stage.ts';

/** Milliseconds that an effect may take on a busy machine. */
const timeout = 20_000;

async function until(isTrue: () => Promise<boolean>, what: string): Promise<void> {
  for (const end = Date.now() + timeout; !(await isTrue()); await delay(20))
    assert.ok(Date.now() < end, `never came: ${what}`);
}

/** The same function; it does its work once for each process. */
function oncePerRun<T>(work: (run: Run) => Promise<T>): (run: Run) => Promise<T> {
  const results = new Map<Run, Promise<T>>();
  return run => {
    const result = results.get(run) ?? work(run);
    results.set(run, result);
    return result;
  };
}

/** Has a mail sent to a user, and answers it with user and password of the login at the mail server. */
const sentMail = oncePerRun(async ({ stage, portal }): Promise<{ mail: ReceivedMail; login: string }> => {
  const taken = stage.mail.mails.length;
  await portal.post('/password-reset', { email: await stage.user() });
  const mail = (await stage.mail.received(taken + 1))[taken]!;
  return { mail, login: stage.logins.at(-1)! };
});

/** Signs in at the issuer; answers the address that the service led to, too. */
const openIdSignIn = oncePerRun(
  async ({ stage, portal }): Promise<{ location: URL; answer: Answer<any> }> => {
    const begun = await portal.request('POST', '/session/openid-request');
    const name = await stage.person();
    const { searchParams } = await new IssuerVisitor().signIn(begun.body.location, name, openIdReturn);
    const [cookie] = begun.headers['set-cookie']!;
    const answer = await portal.post('/session/openid', Object.fromEntries(searchParams), {
      headers: { cookie: cookie!.split(';')[0]! },
    });
    return { location: new URL(begun.body.location), answer };
  },
);

// The sampler compares the combined groups of eight digits with its share.
const traceIds = { low: '1'.padStart(32, '0'), high: 'f'.repeat(8).padStart(32, '0') };

/** The traces of two requests that the collector gets: the sampler takes that of the lower number. */
const sentTraces = oncePerRun(async ({ stage, client }): Promise<string[]> => {
  const earlier = stage.otlp.spans.length;
  for (const [id, flags] of [
    [traceIds.high, '01'],
    [traceIds.low, '00'],
  ])
    await client.get('/health', { headers: { traceparent: `00-${id}-00000000000000ff-${flags}` } });
  const sent = () => stage.otlp.spans.slice(earlier).map(({ traceId }) => traceId);
  await until(async () => sent().includes(traceIds.low), 'a trace');
  return sent();
});

/** Runs `work` while no session can read employees. */
async function whileLocked({ stage }: Run, work: () => Promise<void>): Promise<void> {
  await stage.testing.database.sql.begin(async session => {
    await session.unsafe('LOCK TABLE employee IN ACCESS EXCLUSIVE MODE');
    await work();
  });
}

/** Sends lists that wait for the locked table, and resolves when so many are read and so many wait. */
async function listsAtWork(
  run: Run,
  keys: readonly string[],
  expected: { atWork: number; waiting: number },
): Promise<void> {
  let lists: Promise<unknown>[] = [];
  await whileLocked(run, async () => {
    lists = keys.map(key => run.client.get('/employees', { key }));
    await until(
      async () =>
        Number(await metric(run, 'kontor_database_sessions\\{pool="lists"\\}')) -
          Number(await metric(run, 'kontor_database_sessions_idle\\{pool="lists"\\}')) ===
          expected.atWork &&
        (await metric(run, 'kontor_database_waiting\\{pool="lists"\\}')) === expected.waiting,
      JSON.stringify(expected),
    );
  });
  await Promise.all(lists);
}

/** A trusted proxy names the client in `Forwarded`. Another header names another one. */
async function auditsForwardedClient({ client, stage }: Run): Promise<void> {
  const { body } = await client.post(
    '/employees',
    {
      email: `${Date.now()}@example.com`,
      firstName: 'A',
      lastName: 'B',
      divisionId: stage.testData.north,
    },
    { headers: { Forwarded: 'for="198.51.100.8:4711"', 'X-Forwarded-For': '198.51.100.9' } },
  );
  const rows = await stage.testing.database.sql<{ address: string }[]>`
    SELECT address FROM audit WHERE target_id = ${body.id}`;
  assert.equal(rows[0]?.address, '198.51.100.8');
}

async function rejectsConnections(url: string): Promise<void> {
  await assert.rejects(
    fetch(url),
    (error: Error) => (error.cause as { code?: string }).code === 'ECONNREFUSED',
  );
}

const mailArrives = async (run: Run) => {
  assert.match((await sentMail(run)).mail.text, /https:\/\/kontor\.example\.com\/portal\//);
};
const signsInAtIssuer = async (run: Run) => {
  assert.equal((await openIdSignIn(run)).answer.status, 200);
};

type Group = 1 | 2 | 3;

/** How it is seen that a setting has taken effect. */
interface Observation {
  /** Three processes have the settings one after the other, as some exclude others. */
  readonly group: Group;
  readonly value: (stage: Stage, addresses: Partial<Record<SettingName, string>>) => string;
  readonly observe: (run: Run) => Promise<void>;
}

/** Every setting has a row, or this does not compile. Those of group 1 from `drain` on end the process, in this order. */
const observations: Record<SettingName, Observation> = {
  port: {
    group: 1,
    value: (_, { port }) => port!,
    observe: async ({ client, port, values }) => {
      assert.equal(port, values.port);
      assert.equal((await client.get('/health')).status, 200);
    },
  },
  host: {
    group: 1,
    value: (_, { host }) => host!,
    observe: ({ port }) => rejectsConnections(`http://127.0.0.1:${port}/v1/health`),
  },
  managementPort: {
    group: 1,
    value: (_, { managementPort }) => managementPort!,
    observe: async ({ values }) =>
      assert.equal((await fetch(`http://127.0.0.3:${values.managementPort}/livez`)).status, 200),
  },
  managementHost: {
    group: 1,
    value: (_, { managementHost }) => managementHost!,
    observe: ({ values }) => rejectsConnections(`http://127.0.0.1:${values.managementPort}/livez`),
  },
  publicUrl: {
    group: 1,
    value: () => publicUrl,
    observe: async run =>
      assert.equal((await openIdSignIn(run)).location.searchParams.get('redirect_uri'), openIdReturn),
  },
  trustedProxies: {
    group: 1,
    value: () => '127.0.0.0/8',
    observe: auditsForwardedClient,
  },
  forwardedHeader: {
    group: 1,
    value: () => 'forwarded',
    observe: auditsForwardedClient,
  },
  openIdIssuer: {
    group: 1,
    value: ({ issuer }) => issuer.settings.issuer,
    observe: async run =>
      assert.equal((await openIdSignIn(run)).location.origin, run.stage.issuer.settings.issuer),
  },
  openIdClientId: {
    group: 1,
    value: ({ issuer }) => issuer.settings.clientId,
    observe: async run =>
      assert.equal((await openIdSignIn(run)).location.searchParams.get('client_id'), 'kontor'),
  },
  openIdClientSecret: {
    group: 1,
    value: ({ issuer }) => issuer.settings.clientSecret,
    observe: signsInAtIssuer,
  },
  openIdClientSecretFile: {
    group: 2,
    value: ({ folder }) => path.join(folder, 'secret'),
    observe: signsInAtIssuer,
  },
  openIdClientKeyFile: {
    group: 3,
    value: ({ folder }) => path.join(folder, 'key.pem'),
    observe: signsInAtIssuer,
  },
  // The client of the issuer takes the secret in the body only, while the metadata offer both.
  openIdClientAuthentication: { group: 1, value: () => 'client_secret_post', observe: signsInAtIssuer },
  openIdEmails: { group: 1, value: () => 'trusted', observe: signsInAtIssuer },
  openIdName: {
    group: 1,
    value: () => 'Muster-Login',
    observe: async ({ portal }) =>
      assert.equal((await portal.get('/sign-in-methods')).body.openIdName, 'Muster-Login'),
  },
  smtpHost: { group: 1, value: () => '127.0.0.1', observe: mailArrives },
  smtpPort: { group: 1, value: ({ mail }) => String(mail.port), observe: mailArrives },
  // Without it, nothing would be sent to a server that does not encrypt.
  smtpTls: { group: 1, value: () => 'none', observe: mailArrives },
  smtpUser: {
    group: 1,
    value: () => 'kontor',
    observe: async run => assert.match((await sentMail(run)).login, /^kontor /),
  },
  smtpPassword: {
    group: 1,
    value: () => 'of-the-variable',
    observe: async run => assert.match((await sentMail(run)).login, / of-the-variable$/),
  },
  smtpPasswordFile: {
    group: 2,
    value: ({ folder }) => path.join(folder, 'password'),
    observe: async run => assert.match((await sentMail(run)).login, / of-the-file$/),
  },
  mailFrom: {
    group: 1,
    value: () => 'Payroll <payroll@example.com>',
    observe: async run =>
      assert.equal((await sentMail(run)).mail.headers['from'], 'Payroll <payroll@example.com>'),
  },
  workers: {
    group: 2,
    value: () => '2',
    observe: async run => assert.equal(await metric(run, 'kontor_workers'), 2),
  },
  // Without KONTOR_KEY_PEPPER, the pepper of the keys is the file of this folder.
  dataDirectory: {
    group: 2,
    value: ({ folder }) => folder,
    observe: async ({ client }) => assert.equal((await client.get('/employees')).status, 200),
  },
  databaseUrl: {
    group: 1,
    value: ({ testing }) => testing.url,
    observe: async ({ client, stage }) =>
      assert.equal((await client.get(`/divisions/${stage.testData.north}`)).status, 200),
  },
  redisUrl: {
    group: 1,
    value: ({ redis }) => redis.url,
    async observe({ client, stage }) {
      const redis = new Redis(stage.redis.url);
      await redis.flushall();
      await client.get('/employees');
      assert.ok((await redis.keys('kontor*')).length > 0);
      redis.disconnect();
    },
  },
  pepper: {
    group: 1,
    value: () => testPepper.toString(),
    observe: async ({ client }) => assert.equal((await client.get('/employees')).status, 200),
  },
  previousPepper: {
    group: 1,
    value: () => 'the pepper of some keys, and no secret',
    async observe({ client, stage, values }) {
      const pepper = Buffer.from(values.previousPepper!);
      const { organization: organizationId } = stage.testData;
      const key = { organizationId, name: 'of the previous pepper', quota: null, grants: 'all' } as const;
      const made = await createKey(stage.testing.database.sql, pepper, key);
      assert.equal((await client.get('/employees', { key: made.key })).status, 200);
    },
  },
  quota: {
    group: 1,
    value: () => '1234/77',
    observe: async ({ client }) =>
      assert.equal((await client.get('/employees')).headers['ratelimit-policy'], '"default";q=1234;w=77'),
  },
  filesUrl: {
    group: 1,
    value: stage => stage.s3Url,
    observe: async ({ client, stage }) =>
      assert.equal((await client.get(`/payroll-export-documents/${stage.documentId}/download`)).status, 200),
  },
  fileTimeout: {
    group: 2,
    value: () => '1',
    async observe({ client, stage }) {
      const began = performance.now();
      const answer = await client.get(`/payroll-export-documents/${stage.documentId}/download`);
      assert.equal(answer.status, 504);
      assert.ok(performance.now() - began < 9000);
    },
  },
  statementTimeout: {
    group: 2,
    value: () => '1',
    observe: run =>
      whileLocked(run, async () => {
        const began = performance.now();
        assert.equal((await run.client.get('/employees')).status, 503);
        assert.ok(performance.now() - began < 4500);
      }),
  },
  requestTimeout: {
    group: 1,
    value: () => '2',
    observe: run =>
      whileLocked(run, async () => {
        const { status, body } = await run.client.get('/employees');
        assert.equal(status, 503);
        assert.match(body.error.message, /longer than 2 s/);
      }),
  },
  listsPerKey: {
    group: 1,
    value: () => '1',
    observe: run => {
      const { tenantA } = run.stage.testData.keys;
      return listsAtWork(run, [tenantA, tenantA], { atWork: 1, waiting: 1 });
    },
  },
  poolSize: {
    group: 1,
    value: () => '4',
    observe: run => {
      const { all, sales, salesAndSupport, foreign } = run.stage.testData.keys;
      return listsAtWork(run, [all, sales, salesAndSupport, foreign], { atWork: 3, waiting: 1 });
    },
  },
  jobInterval: {
    group: 1,
    value: () => '1',
    async observe(run) {
      const ran = () =>
        metric(run, 'kontor_jobs_last_run_timestamp_seconds\\{scheduled_job="order_expiry"\\}');
      const runs = new Set<number | null>();
      // By default, two of them would be a minute apart.
      await until(async () => runs.add(await ran()).size > 3, 'several runs');
    },
  },
  digestTime: {
    group: 1,
    value: () => `${new Date(Date.now() - 30 * 60_000).toISOString().slice(11, 16)} UTC`,
    // By default, the next digest after one of 40 minutes ago is due tomorrow.
    async observe({ stage: { testing, testData } }) {
      const { sql } = testing.database;
      const user = await activeUser(sql, testData.organization, { permissions: ['HR'], hrTenants: null });
      const last = new Date(Date.now() - 40 * 60_000);
      await sql`
        INSERT INTO user_notification (organization_id, user_id, digest_at)
        VALUES (${testData.organization}, ${user.id}, ${last})`;
      const isLater = async () =>
        (await sql`SELECT FROM user_notification WHERE user_id = ${user.id} AND digest_at > ${last}`).length >
        0;
      await until(isLater, 'the digest');
    },
  },
  otlpEndpoint: {
    group: 1,
    value: ({ otlp }) => otlp.url,
    observe: async run => assert.ok((await sentTraces(run)).length > 0),
  },
  // It takes the trace although its client did not.
  tracesSampler: {
    group: 1,
    value: () => 'traceidratio',
    observe: async run => assert.ok((await sentTraces(run)).includes(traceIds.low)),
  },
  tracesSamplerArg: {
    group: 1,
    value: () => '0.5',
    observe: async run => assert.ok(!(await sentTraces(run)).includes(traceIds.high)),
  },
  drain: {
    group: 1,
    value: () => '2',
    async observe(run) {
      await stalledUpload(run);
      run.running.process.kill('SIGTERM');
      const ready = async () => (await fetch(`${run.managementUrl}/readyz`)).status;
      await until(async () => (await ready()) === 503, 'the end of being ready');
      assert.equal((await run.client.get('/health')).status, 200);
    },
  },
  // The stalled upload would hold up the end for 10 s after the drain.
  shutdownGrace: {
    group: 1,
    value: () => '1',
    async observe({ running }) {
      const began = performance.now();
      assert.equal((await running.ended).code, 0);
      assert.ok(performance.now() - began < 10_000);
    },
  },
  logLevel: {
    group: 1,
    value: () => 'error',
    async observe({ running }) {
      const lines = (await running.ended).stderr.split('\n').filter(line => line !== '');
      const levels = lines.map(line => (JSON.parse(line) as { level: string }).level);
      assert.deepEqual(
        levels.filter(level => !['error', 'fatal'].includes(level)),
        [],
      );
    },
  },
};

const common = ['host', 'port', 'managementHost', 'managementPort', 'databaseUrl', 'publicUrl'] as const;
const ofIssuer = ['openIdIssuer', 'openIdClientId', 'openIdEmails'] as const;

/** Settings of group 1 that the process of another group needs. */
const needed: Readonly<Record<Group, readonly SettingName[]>> = {
  1: [],
  2: [
    ...common,
    ...ofIssuer,
    'openIdClientAuthentication',
    ...(['smtpHost', 'smtpPort', 'smtpTls', 'smtpUser', 'mailFrom', 'jobInterval'] as const),
  ],
  3: [...common, ...ofIssuer, 'dataDirectory'],
};

async function valuesOf(stage: Stage, group: Group): Promise<Partial<Record<SettingName, string>>> {
  const addresses = await ownAddresses();
  const names = Object.keys(observations) as SettingName[];
  const chosen = names.filter(name => observations[name].group === group);
  const values = [...chosen, ...needed[group]].map(
    name => [name, observations[name].value(stage, addresses)] as const,
  );
  return {
    ...(group === 2 && { filesUrl: stage.unresponsiveS3Url }),
    ...Object.fromEntries(values),
    ...(group === 3 && { openIdClientId: keyClientId, filesUrl: stage.s3Url }),
  };
}

describe('every setting, given to kontor serve, takes effect', { skip: noRedis }, () => {
  test('by variable and by option', { timeout: 180_000 }, async context => {
    await withStage(async stage => {
      // A setting without an option is given by its variable in either run.
      for (const method of (isLong ? ['variable', 'option'] : ['option']) satisfies Method[])
        for (const group of [1, 2, 3] as const) {
          const run = await serveWith(stage, method, await valuesOf(stage, group));
          try {
            for (const [name, { group: own, observe }] of Object.entries(observations))
              if (own === group) await context.test(`${name} by ${method}`, () => observe(run));
          } finally {
            run.client.close();
            run.portal.close();
            run.running.process.kill('SIGTERM');
            await run.running.ended;
          }
        }
    });
  });
});
