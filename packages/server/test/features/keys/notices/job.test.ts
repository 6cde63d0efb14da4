import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Registry } from 'prom-client';
import { KeyUse } from '../../../../src/features/keys/usage/key-use.ts';
import { parseKey } from '../../../../src/auth/api-keys.ts';
import { noRecentActivityJob, Uptime } from '../../../../src/features/keys/notices/no-recent-activity.ts';
import type { NoticedKey, Notify } from '../../../../src/features/keys/notices/notice.ts';
import { writeUses } from '../../../../src/features/keys/usage/write.ts';
import { runOnce } from '../../../jobs/support.ts';
import { outcome, usePortal } from '../../../portal/support.ts';
import { signedInUser } from '../../../support/data/users.ts';
import { testKey } from '../../../support/data/test-data.ts';

const hour = 3600;
const began = Date.now();
let session: string;
const fixture = usePortal(async ({ sql, testData }) => {
  session = (await signedInUser(sql, testData.organization)).secret;
});

const registry = new Registry();
const reported: NoticedKey[] = [];
const report: Notify = async (_write, _session, keys) => {
  reported.push(...keys);
  return new Set();
};
const job = noRecentActivityJob(registry, report, longUptime());

/** Of a process that has looked for an hour. */
function longUptime(): Uptime {
  let now = 0;
  const uptime = new Uptime(Infinity, () => now);
  uptime.record();
  now = 3_600_000;
  return uptime;
}

/** Runs the job, and returns the keys that it has reported. */
async function reportedBy(run = job): Promise<string[]> {
  reported.length = 0;
  await runOnce(fixture.sql, run);
  return reported.map(({ id }) => id);
}

async function measured(): Promise<number> {
  await runOnce(fixture.sql, job);
  const [metric] = (await registry.getMetricsAsJSON()) as { values: { value: number }[] }[];
  return metric!.values[0]!.value;
}

async function newKey(): Promise<string> {
  return parseKey(await testKey(fixture.sql, fixture.testData.organization, 'all'))!.id;
}

/** Notes a request that succeeded so many seconds ago. */
async function succeeded(id: string, secondsAgo: number): Promise<void> {
  const use = new KeyUse(id);
  use.answered({ operation: 'listEmployees', requestId: '1', rejection: null, readTo: null }, 200);
  const at = began - secondsAgo * 1000;
  Object.assign(use, { at, succeededFrom: at, succeededAt: at });
  await writeUses(fixture.sql, fixture.testData.organization, [use]);
}

const path = (id: string) => `/api-keys/${id}`;
const expects = async (id: string, seconds: number | null, query = {}) =>
  fixture.portal.request('PATCH', path(id), {
    key: session,
    raw: JSON.stringify({ expectedIntervalSeconds: seconds }),
    headers: { 'content-type': 'application/json' },
    query,
  });
const read = async (id: string) => (await fixture.portal.get(`${path(id)}/health`, { key: session })).body;
const act = (method: string, id: string, what = '') =>
  fixture.portal.request(method, path(id) + what, { key: session });
const isQuiet = async (id: string) => {
  const search = { filter: 'noRecentActivitySince IS NOT NULL', pageSize: 1000 };
  const { body } = await fixture.portal.post('/api-keys/search', search, { key: session });
  return body.items.some((key: { id: string }) => key.id === id);
};

describe('a key with an interval that a user has set', () => {
  test('has no recent activity when that is over since its last success, and not before', async () => {
    const id = await newKey();
    await succeeded(id, 2 * hour);
    assert.equal((await expects(id, 3 * hour)).body.noRecentActivitySince, null);
    assert.equal(await isQuiet(id), false);
    const { body } = await expects(id, hour);
    assert.equal(body.noRecentActivitySince, body.lastSuccessAt);
    assert.equal(await isQuiet(id), true);
    const health = await read(id);
    assert.equal(Date.parse(health.overdueFrom) - Date.parse(health.lastSuccessAt), hour * 1000);
    assert.equal(health.expectedIntervalSeconds, hour);
    await succeeded(id, 0);
    assert.equal(await isQuiet(id), false);
    assert.equal((await expects(id, null)).body.noRecentActivitySince, null);
    assert.equal((await read(id)).overdueFrom, null);
  });

  test('has none either when it answers with errors only, or was never used', async () => {
    const id = await newKey();
    await fixture.sql`
      UPDATE api_key SET created_at = ${new Date(Date.now() - 2 * hour * 1000)}
      WHERE organization_id = ${fixture.testData.organization} AND id = ${id}`;
    await expects(id, hour);
    assert.equal(await isQuiet(id), true);
    const use = new KeyUse(id);
    use.answered({ operation: 'listEmployees', requestId: '1', rejection: null, readTo: null }, 500);
    await writeUses(fixture.sql, fixture.testData.organization, [use]);
    assert.equal(await isQuiet(id), true);
  });

  test('is not watched while it does not work, and has a whole interval again when it is reactivated', async () => {
    const id = await newKey();
    await succeeded(id, 2 * hour);
    await expects(id, hour);
    await act('POST', id, '/deactivation');
    assert.equal(await isQuiet(id), false);
    await act('POST', id, '/reactivation');
    assert.equal(await isQuiet(id), false);
    const { overdueFrom } = await read(id);
    assert.ok(Math.abs(Date.parse(overdueFrom) - Date.now() - hour * 1000) < 60_000);
    await fixture.sql`
      UPDATE api_key SET expires_at = ${new Date(began)}
      WHERE organization_id = ${fixture.testData.organization} AND id = ${id}`;
    assert.equal((await read(id)).overdueFrom, null);
  });

  test('hands that on to the key that replaces it, which has a whole interval', async () => {
    const id = await newKey();
    await succeeded(id, 2 * hour);
    await expects(id, hour);
    const { body } = await fixture.portal.post(`${path(id)}/replacement`, {}, { key: session });
    const [old, made] = [await read(id), await read(body.id)];
    assert.deepEqual([old.replacedBy, made.replaces], [body.id, id]);
    assert.deepEqual([made.expectedIntervalSeconds, made.noRecentActivitySince], [hour, null]);
    assert.ok(made.overdueFrom !== null);
  });

  test('is not watched where the system goes on with the key that replaces it, and is when it does not', async () => {
    const id = await newKey();
    await succeeded(id, 4 * hour);
    await expects(id, hour);
    const { body: made } = await fixture.portal.post(`${path(id)}/replacement`, {}, { key: session });
    assert.equal(await isQuiet(id), true, 'neither has succeeded since');
    await succeeded(made.id, 5 * hour);
    assert.equal(await isQuiet(id), true, 'the new key was tried, and the old one used behind that');
    await succeeded(made.id, 3 * hour);
    assert.equal(await isQuiet(id), false);
    const health = await read(id);
    assert.deepEqual([health.overdueFrom, health.noRecentActivitySince], [null, null]);
    assert.ok(!(await reportedBy()).includes(id));
  });

  test('200: the change is audited, and one that is none is not', async () => {
    const id = await newKey();
    for (const seconds of [hour, hour]) assert.equal((await expects(id, seconds)).status, 200);
    const entries = await fixture.sql`
      SELECT actor_type, fields FROM audit WHERE target_id = ${id} AND action = 'key.update'`;
    assert.deepEqual(
      entries.map(entry => ({ ...entry })),
      [{ actor_type: 'user', fields: ['expectedIntervalSeconds'] }],
    );
  });

  test('200: a dry run shows it and changes nothing', async () => {
    const id = await newKey();
    await succeeded(id, 2 * hour);
    const { body } = await expects(id, hour, { dryRun: true });
    assert.equal(body.noRecentActivitySince, body.lastSuccessAt);
    assert.equal((await read(id)).expectedIntervalSeconds, null);
  });

  test('400 VALIDATION_ERROR, 409 INVALID_STATE_TRANSITION: no interval that can be, and a deleted key', async () => {
    const id = await newKey();
    for (const seconds of [299, 366 * 24 * hour + 1, 0.5])
      assert.equal(outcome(await expects(id, seconds)), '400 VALIDATION_ERROR');
    await act('DELETE', id);
    assert.equal(outcome(await expects(id, hour)), '409 INVALID_STATE_TRANSITION');
  });
});

describe('a key with a computed interval', () => {
  test('has no recent activity after half as much again, of the four weeks that were seen', async () => {
    const id = await newKey();
    const day = 24 * hour;
    for (let days = 20; days >= 2; days--) await succeeded(id, days * day);
    const health = await read(id);
    assert.deepEqual([health.computedIntervalSeconds, health.expectedIntervalSeconds], [36 * hour, null]);
    assert.equal(await isQuiet(id), true, 'two days are more than thirty-six hours');
    await succeeded(id, day);
    assert.equal(await isQuiet(id), false);
  });

  test('counts nothing of the time in which it was deactivated', async () => {
    const id = await newKey();
    await succeeded(id, 48 * hour);
    await act('POST', id, '/deactivation');
    await act('POST', id, '/reactivation');
    await succeeded(id, 0);
    const [row] = await fixture.sql<{ longest: number }[]>`
      SELECT max(longest_pause) AS longest FROM key_usage WHERE key_id = ${id}`;
    assert.ok(row!.longest < 60, `${row!.longest}`);
  });
});

describe('a key without recent activity is reported', () => {
  test('once, and again of the next one; the audit and the metric know of it', async () => {
    const id = await newKey();
    await succeeded(id, 3 * hour);
    const before = await measured();
    await expects(id, hour);
    const found = await reportedBy();
    assert.ok(found.includes(id));
    assert.equal(new Set(found).size, found.length);
    assert.deepEqual(await reportedBy(), []);
    assert.equal(await measured(), before + 1);
    // As if they had been mailed before the next success.
    await fixture.sql`
      UPDATE api_key SET no_recent_activity_reported_at = ${new Date(began - 2.5 * hour * 1000)}
      WHERE organization_id = ${fixture.testData.organization} AND id = ${id}`;
    assert.deepEqual(await reportedBy(), []);
    await succeeded(id, 2 * hour);
    assert.deepEqual(await reportedBy(), [id]);
    await succeeded(id, 0);
    assert.deepEqual(await reportedBy(), []);
    assert.equal(await measured(), before);
    const entries = await fixture.sql`
      SELECT actor FROM audit WHERE target_id = ${id} AND action = 'key.no_recent_activity'`;
    assert.deepEqual(
      entries.map(({ actor }) => actor),
      ['system', 'system'],
    );
  });

  test('not before the service was there for as long as the key may pause, or for an hour', async () => {
    const [short, long] = [await newKey(), await newKey()];
    for (const id of [short, long]) await succeeded(id, 24 * hour);
    await expects(short, 600);
    await expects(long, 2 * hour);
    let now = 0;
    const uptime = new Uptime(60_000, () => now);
    const starting = noRecentActivityJob(new Registry(), report, uptime);
    /** Looks again every minute until so many seconds. */
    const reportedAt = async (seconds: number) => {
      for (; now < seconds * 1000; now += 60_000) uptime.record();
      now = seconds * 1000;
      return reportedBy(starting);
    };
    assert.deepEqual(await reportedAt(0), []);
    assert.deepEqual(await reportedAt(599), []);
    assert.deepEqual(await reportedAt(600), [short]);
    now += 120_000;
    assert.deepEqual(await reportedBy(starting), [], 'it could not look for two minutes');
    const again = now / 1000;
    assert.deepEqual(await reportedAt(again + 3_599), []);
    assert.deepEqual(await reportedAt(again + 3_600), [long]);
  });

  test('not when the database does not answer: then the next run does', async () => {
    const id = await newKey();
    await succeeded(id, 3 * hour);
    await expects(id, hour);
    const failing = noRecentActivityJob(
      new Registry(),
      () => Promise.reject(new Error('planted')),
      longUptime(),
    );
    assert.deepEqual(await reportedBy(failing), []);
    assert.deepEqual(await reportedBy(), [id]);
  });
});
