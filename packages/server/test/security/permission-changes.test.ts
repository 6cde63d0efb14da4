import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import fc from 'fast-check';
import { pino } from 'pino';
import { backgroundJobs } from '../../src/app/payroll.ts';
import type { Pool } from '../../src/db/connect.ts';
import { databaseStore } from '../../src/files/database-store.ts';
import { outcome, usePortal } from '../portal/support.ts';
import { type Answer, type ApiClient, apiClient } from '../support/contract/client.ts';
import { startIssuer } from '../support/servers/issuer.ts';
import { waitForLocks } from '../support/database/locks.ts';
import { startMailServer } from '../support/servers/mail-server.ts';
import { startService } from '../support/service/service.ts';
import { testToken } from '../support/data/tokens.ts';
import { signedInUser } from '../support/data/users.ts';
import { jobsOfUsers } from './jobs-of-users.ts';
import { prepare, type Setting, type Someone, someone, writesOfUsers } from './portal-writes.ts';

/**
 * Nobody writes with permissions that they have lost: a write of the portal checks what its request was admitted with, under the lock that
 * changes of permissions take.
 */

const resources = new AsyncDisposableStack();
after(() => resources.disposeAsync());

let setting: Setting;
let platform: ApiClient;
/** The session of a user who changes permissions of others. */
let admin: string;

/** Has this done before the next transaction begins, or the one behind the next `transactionsBefore`; null: nothing. */
let beforeTransaction: (() => Promise<unknown>) | null = null;
let transactionsBefore = 0;

const fixture = usePortal(async ({ sql, service, testData }) => {
  platform = apiClient(service.managementUrl, { api: 'platform', key: await testToken(sql) });
  resources.defer(() => platform.close());
  const issuer = await startIssuer(['https://kontor.example.com/portal/sign-in/openid']);
  resources.defer(() => issuer.close());
  const { reads, writes } = sql.database;
  const mailServer = await startMailServer();
  resources.defer(() => mailServer.close());
  const raced = await startService(sql, {
    openId: issuer.settings,
    mail: mailServer.settings,
    reads: interrupted(reads),
    writes: interrupted(writes),
  });
  resources.defer(() => raced.stop());
  const portal = apiClient(raced.url, { api: 'portal' });
  resources.defer(() => portal.close());
  setting = { fixture, portal, issuer };
  const permissions = ['COMPANY_ADMIN'] as const;
  admin = (await signedInUser(sql, testData.organization, { permissions: [...permissions] })).secret;
});

/** The same pool; before a transaction begins it waits for what a test wants done by then. */
function interrupted(pool: Pool): Pool {
  let interruption: Promise<unknown> | null = null;
  const use: Pool['use'] = async work => {
    if (beforeTransaction !== null && transactionsBefore-- <= 0) {
      transactionsBefore = 0;
      interruption = beforeTransaction();
      beforeTransaction = null;
    }
    await interruption;
    return pool.use(work);
  };
  return new Proxy(pool, {
    get(target, name) {
      if (name === 'use') return use;
      const value = Reflect.get(target, name, target) as unknown;
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
}

const inside = (path: string) => `/organizations/${fixture.testData.organization}${path}`;
const patchUser = ({ userId }: Someone, body: object) =>
  fixture.portal.patch(`/users/${userId}`, body, { key: admin });

interface Change {
  readonly make: (who: Someone) => Promise<Answer<any>>;
  /** What a write is answered that was admitted before. */
  readonly answer: string;
  readonly action: string;
}

/** What may happen to a user between the admission of a request and its write. */
const changes: Readonly<Record<string, Change>> = {
  'lost a permission': {
    make: who => patchUser(who, { permissions: ['HR', 'COMPANY_ADMIN', 'PAYROLL_RUN'] }),
    answer: '403 PERMISSION_DENIED',
    action: 'user.update',
  },
  'lost a company': {
    make: ({ userId }) =>
      platform.patch(inside(`/users/${userId}`), { hrTenants: [fixture.testData.tenantA] }),
    answer: '403 PERMISSION_DENIED',
    action: 'user.update',
  },
  'was deactivated': {
    make: ({ userId }) => platform.request('POST', inside(`/users/${userId}/deactivation`)),
    answer: '401 INVALID_SESSION',
    action: 'user.deactivate',
  },
  'was deleted': {
    make: ({ userId }) => fixture.portal.request('DELETE', `/users/${userId}`, { key: admin }),
    answer: '401 INVALID_SESSION',
    action: 'user.delete',
  },
  'ended the session on another device': {
    async make({ otherKey: key }) {
      const answer = await fixture.portal.get('/sessions', { key });
      for (const { id, current } of answer.body.items as { id: string; current: boolean }[])
        if (!current) await fixture.portal.request('DELETE', `/sessions/${id}`, { key });
      return answer;
    },
    answer: '401 INVALID_SESSION',
    action: 'session.end',
  },
};

/** The rows that no table may gain by a rejected write, without what changes of users and every request write. */
async function stored(): Promise<Set<string>> {
  const { sql } = fixture;
  const left = [
    'audit',
    'portal_challenge',
    'key_usage',
    'key_hour',
    'key_operation',
    'key_error',
    'key_poll',
  ];
  const columns = [
    'permissions',
    'payroll_permissions',
    'is_auditor',
    'hr_tenants',
    'deactivated_at',
    'last_used_at',
    'last_seen_at',
  ];
  const without = columns.map(name => `- '${name}'`).join(' ');
  const tables = await sql<{ name: string }[]>`
    SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' AND tablename <> ALL(${left})`;
  const rows = await sql.unsafe<{ row: string }>(
    tables
      .map(({ name }) => `SELECT '${name} ' || (to_jsonb(t) ${without})::text AS row FROM "${name}" t`)
      .join(' UNION ALL '),
  );
  return new Set(rows.map(({ row }) => row));
}

/** What has been done, as the audit has it, in its order. */
const audited = () =>
  fixture.sql<{ id: string; action: string; actor: string; at: Date }[]>`
    SELECT id, action, actor, at FROM audit WHERE outcome = 'done' ORDER BY at`;

describe('a write is rejected when, since its request was admitted, the user', () => {
  for (const [name, { make, answer, action }] of Object.entries(changes))
    describe(name, () => {
      for (const write of writesOfUsers)
        test(write[0], async () => {
          const who = await someone(setting);
          const send = await prepare(setting, who, write);
          const [rows, entries] = [await stored(), await audited()];
          beforeTransaction = async () => assert.equal(outcome(await make(who)), '200');
          assert.equal(outcome(await send()), answer);
          assert.equal(beforeTransaction, null, 'the change was made');
          const more = [...(await stored())].filter(row => !rows.has(row));
          assert.deepEqual(more, []);
          const known = new Set(entries.map(({ id }) => id));
          const actions = (await audited()).filter(({ id }) => !known.has(id)).map(entry => entry.action);
          assert.deepEqual([...new Set(actions)], [action]);
        });
    });
});

/** An employer should not learn when somebody reads. */
const unaudited: readonly string[] = ['readNotifications'];

describe('a write is accepted, and audited, when since then the user', () => {
  for (const write of writesOfUsers.filter(([id]) => !unaudited.includes(id)))
    test(`has another name: ${write[0]}`, async () => {
      const who = await someone(setting);
      const send = await prepare(setting, who, write);
      const before = (await audited()).length;
      beforeTransaction = async () => assert.equal(outcome(await patchUser(who, { name: 'Renamed' })), '200');
      const answer = await send();
      assert.ok(answer.status < 300, JSON.stringify(answer.body));
      // A job audits what it finishes for the request, so its entry may come later, and one of an earlier request may stand in between.
      const deadline = Date.now() + 10_000;
      for (let own: string[] = []; own.length === 0; await delay(20)) {
        const entries = (await audited()).slice(before);
        assert.ok(entries.some(({ action }) => action === 'user.update'));
        own = entries.filter(({ actor }) => actor === who.userId).map(({ action }) => action);
        assert.ok(
          own.length > 0 || Date.now() < deadline,
          `${write[0]} writes nothing: prepare it in portal-writes.ts`,
        );
      }
    });
});

describe('a dry run is rejected as well', () => {
  for (const write of writesOfUsers.filter(([, { query }]) => 'dryRun' in query.properties))
    test(write[0], async () => {
      const who = await someone(setting);
      const send = await prepare(setting, who, write);
      beforeTransaction = async () =>
        assert.equal(outcome(await patchUser(who, { permissions: ['COMPANY_ADMIN'] })), '200');
      assert.equal(outcome(await send({ dryRun: true })), '403 PERMISSION_DENIED');
    });

  test('503 SERVICE_UNAVAILABLE: it does not wait for a change that is not committed', async () => {
    const who = await someone(setting);
    const [id, operation] = writesOfUsers.find(([name]) => name === 'createPortalApiKey')!;
    const send = await prepare(setting, who, [id, operation]);
    await locked(who, async () => {
      assert.equal(outcome(await send({ dryRun: true })), '503 SERVICE_UNAVAILABLE');
    });
  });
});

/** Has work done while a transaction of the test has the lock of a user. */
const locked = ({ userId, organization }: Someone, work: () => Promise<unknown>) =>
  fixture.sql.begin(async holder => {
    await holder`
      SELECT FROM portal_user WHERE organization_id = ${organization} AND id = ${userId} FOR NO KEY UPDATE`;
    await work();
  });

/** What a user has done that is audited behind the last change of what they may do. */
const auditedBehindChange = ({ userId, organization }: Someone) =>
  fixture.sql<{ action: string; target: string }[]>`
    SELECT action, target_id AS target FROM audit WHERE organization_id = ${organization} AND actor = ${userId} AND outcome = 'done'
      AND at >= (SELECT max(at) FROM audit WHERE organization_id = ${organization}
        AND target_id = ${userId} AND action = 'user.update')`;

/** Of these what they may not do after a cut, which leaves them keys of company A. */
const auditedBeyondCut = async (who: Someone) => {
  const kept = await fixture.sql<{ id: string }[]>`
    SELECT key_id AS id FROM api_key_grant WHERE organization_id = ${who.organization}
    GROUP BY key_id HAVING every(tenant_id = ${fixture.testData.tenantA})`;
  const ids = new Set(kept.map(({ id }) => id));
  return (await auditedBehindChange(who)).filter(({ target }) => !ids.has(target));
};

/** How permissions are cut: by an administrator, and by the platform. */
const cuts: Readonly<Record<string, (who: Someone) => Promise<Answer<any>>>> = {
  portal: who => patchUser(who, { permissions: ['HR'], hrTenants: [fixture.testData.tenantA] }),
  platform: ({ userId }) =>
    platform.patch(inside(`/users/${userId}`), {
      permissions: ['HR'],
      hrTenants: [fixture.testData.tenantA],
    }),
};

/** Writes of one user that are in the database at the same time: a third of the sessions. */
const atOnce = 3;

for (const [api, cut] of Object.entries(cuts))
  describe(`keys are made while permissions are cut in the ${api} API`, () => {
    const create = ({ key }: Someone) =>
      fixture.portal.post('/api-keys', { name: 'Raced', wholeOrganization: true }, { key });

    test('the cut is first: no key is made', async () => {
      const who = await someone(setting);
      const waiting: Promise<Answer<any>>[] = [];
      await locked(who, async () => {
        waiting.push(cut(who));
        await waitForLocks(fixture.sql, waiting);
        for (let n = 0; n < atOnce; n++) waiting.push(create(who));
        await waitForLocks(fixture.sql, waiting);
      });
      const outcomes = (await Promise.all(waiting)).map(outcome);
      assert.deepEqual(outcomes, ['200', ...Array<string>(atOnce).fill('403 PERMISSION_DENIED')]);
      assert.deepEqual(await auditedBehindChange(who), []);
    });

    test('the keys are first: they are made, and audited before the cut', async () => {
      const who = await someone(setting);
      const waiting: Promise<Answer<any>>[] = [];
      await locked(who, async () => {
        for (let n = 0; n < atOnce; n++) waiting.push(create(who));
        await waitForLocks(fixture.sql, waiting);
        waiting.push(cut(who));
        await waitForLocks(fixture.sql, waiting);
      });
      const statuses = (await Promise.all(waiting)).map(({ status }) => status);
      assert.deepEqual(statuses, [...Array<number>(atOnce).fill(201), 200]);
      assert.deepEqual(await auditedBehindChange(who), []);
    });

    test('whatever is sent meanwhile: behind the cut nothing is audited but keys of company A, and nothing rejected', async () => {
      const writes = writesOfUsers.filter(([, { tag }]) => tag === 'API keys' || tag === 'Users');
      const plan = fc.record({
        sent: fc.array(fc.constantFrom(...writes), { minLength: 4, maxLength: 8 }),
        cutAfter: fc.nat(3),
      });
      const property = fc.asyncProperty(plan, async ({ sent, cutAfter }) => {
        const who = await someone(setting);
        const sends = await Promise.all(sent.map(write => prepare(setting, who, write)));
        const known = new Set((await audited()).map(({ id }) => id));
        const answers = sends.map(send => send());
        for (let n = 0; n < cutAfter; n++) await Promise.race(answers.slice(n));
        assert.equal(outcome(await cut(who)), '200');
        const statuses = (await Promise.all(answers)).map(answer => answer.status);
        assert.deepEqual(
          // 404 and 422 are for those that came behind the cut: the key, or the organization, is beyond the user's companies.
          statuses.filter(status => status >= 300 && ![403, 404, 422].includes(status)),
          [],
        );
        const own = (await audited()).filter(({ id, actor }) => actor === who.userId && !known.has(id));
        assert.ok(own.length >= statuses.filter(status => status < 300).length);
        assert.deepEqual(await auditedBeyondCut(who), []);
      });
      await fc.assert(property, { numRuns: 12 });
    });
  });

/** Changes of a user before a job that they have begun. */
const losses: Readonly<Record<string, (who: Someone) => Promise<Answer<any>>>> = {
  'lost a permission': who => patchUser(who, { permissions: ['IT', 'COMPANY_ADMIN'] }),
  'lost a company': changes['lost a company']!.make,
  'was deactivated': changes['was deactivated']!.make,
  'was deleted': changes['was deleted']!.make,
};

describe('a background job', () => {
  test('of each type acts for a user', () => {
    const { sql } = fixture;
    const { works } = backgroundJobs(sql.database, databaseStore(sql.database.writes), pino());
    // Requests of 0.2.0 alone queue this type, which has the work of `employee_import_parts`.
    const queued = [...works.keys()].filter(type => type !== 'employee_import_plan');
    assert.deepEqual(Object.keys(jobsOfUsers).sort(), queued.sort());
  });

  for (const [type, { prepare: prepareJob, done, denied }] of Object.entries(jobsOfUsers)) {
    /** Ends a job before whose transaction something happens, which the one of its request precedes. */
    const endBehind = async (happens: (who: Someone) => Promise<Answer<any>>) => {
      const [who, reader] = [await someone(setting), await someone(setting)];
      const { send, ended } = await prepareJob(setting, who, reader);
      transactionsBefore = 1;
      beforeTransaction = async () => assert.equal(outcome(await happens(who)), '200');
      await send();
      const end = await ended();
      assert.equal(beforeTransaction, null, 'the change was made');
      return { who, end };
    };

    for (const [name, lose] of Object.entries(losses))
      test(`${type} does nothing when, since it was queued, its user ${name}`, async () => {
        const { who, end } = await endBehind(lose);
        assert.deepEqual(end, [denied, 'permission']);
        assert.deepEqual(await auditedBehindChange(who), []);
      });

    test(`${type} goes on when its user has ended the session, and may do more`, async () => {
      const { end } = await endBehind(async who => {
        const answer = await changes['ended the session on another device']!.make(who);
        await patchUser(who, { name: 'Renamed' });
        return answer;
      });
      assert.deepEqual(end, [done, undefined]);
    });
  }

  test('employee_import_apply: a cut waits for the batch in progress, and the next one is not applied', async () => {
    const [who, reader] = [await someone(setting), await someone(setting)];
    const { send, ended } = await jobsOfUsers['employee_import_apply']!.prepare(setting, who, reader);
    const waiting: Promise<unknown>[] = [];
    await fixture.sql.begin(async holder => {
      await holder`SELECT FROM organization WHERE id = ${who.organization} FOR UPDATE`;
      assert.equal(outcome(await send()), '200');
      // Stands for the batch, which answers nobody.
      waiting.push(new Promise(() => {}));
      await waitForLocks(fixture.sql, waiting);
      waiting.push(losses['lost a permission']!(who));
      await waitForLocks(fixture.sql, waiting);
    });
    assert.equal(outcome((await waiting[1]) as Answer<any>), '200');
    assert.deepEqual(await ended(), ['failed', 'permission']);
    assert.deepEqual(await auditedBehindChange(who), []);
    const [first] = await fixture.sql<{ n: number }[]>`
      SELECT count(*)::int AS n FROM audit WHERE actor = ${who.userId} AND action = 'employee.update'`;
    assert.equal(first!.n, 100);
  });

  test('of any type, whenever the permission is cut: behind the cut nothing is audited', async () => {
    const plan = fc.record({
      type: fc.constantFrom(...Object.keys(jobsOfUsers)),
      readsBefore: fc.nat(12),
    });
    const property = fc.asyncProperty(plan, async ({ type, readsBefore }) => {
      const [who, reader] = [await someone(setting), await someone(setting)];
      const { prepare: prepareJob, done, denied } = jobsOfUsers[type]!;
      const { send, ended } = await prepareJob(setting, who, reader);
      const sent = send();
      for (let n = 0; n < readsBefore; n++) await fixture.portal.get('/session', { key: reader.key });
      assert.equal(outcome(await losses['lost a permission']!(who)), '200');
      const { status } = await sent;
      if (status >= 300) return;
      const [end] = await ended();
      assert.ok(end === done || end === denied, `${type} is ${end}`);
      assert.deepEqual(await auditedBehindChange(who), []);
    });
    await fc.assert(property, { numRuns: 12 });
  });
});

test('two administrators who change each other and make keys at once never wait for each other', async () => {
  for (let round = 0; round < 8; round++) {
    const [one, other] = [await someone(setting), await someone(setting)];
    const rename = (by: Someone, { userId }: Someone) =>
      fixture.portal.patch(`/users/${userId}`, { name: `Round ${round}` }, { key: by.key });
    const create = ({ key }: Someone) =>
      fixture.portal.post('/api-keys', { name: 'Raced', wholeOrganization: true }, { key });
    const answers = await Promise.all([
      rename(one, other),
      rename(other, one),
      create(one),
      rename(one, one),
      create(other),
      rename(other, one),
    ]);
    assert.deepEqual(
      answers.map(({ status }) => status),
      [200, 200, 201, 200, 201, 200],
    );
  }
});
