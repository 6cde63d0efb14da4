import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { noOrganization } from '../../src/auth/caller.ts';
import { newId } from '../../src/db/ids.ts';
import { targetUrl } from '../support/database/target-url.ts';
import { callOf, operator, Writes } from '../../src/write/writes.ts';
import { auditRemoval, removeAuditSlice, setAuditDays } from '../../src/features/audit/retention.ts';
import { createOrganization } from '../../src/features/organizations/store.ts';
import { runOnce } from '../jobs/support.ts';
import { kontorHere } from '../cli/in-process.ts';
import { testPepper } from '../support/data/test-data.ts';
import { usePlatform } from './support.ts';

const fixture = usePlatform();

async function kontor(...args: string[]): Promise<any> {
  const variables = {
    DATABASE_URL: await targetUrl(fixture.sql.database.target),
    KONTOR_KEY_PEPPER: testPepper.toString('utf8'),
  };
  const { code, stdout, stderr } = await kontorHere([...args, '--json'], variables);
  return code === 0 ? JSON.parse(stdout) : { code, stderr };
}

/** An organization with entries that are so many days old. */
async function withEntries(days: readonly number[], organizationId?: string): Promise<string> {
  const { sql } = fixture;
  const id = organizationId ?? (await createOrganization(sql, 'Alt AG'));
  for (const [n, age] of days.entries())
    await sql`
      INSERT INTO audit (organization_id, at, target_id, action, actor, fields, id, actor_type, actor_name, folded_actor_name)
      VALUES (${id}, clock_timestamp() - ${age}::float8 * interval '1 day', ${`target ${n}`}, 'test.done', 'operator', '{}',
        ${newId()}, 'operator', 'operator', 'operator')`;
  return id;
}

const entriesOf = async (organizationId: string): Promise<string[]> =>
  (
    await fixture.sql`
      SELECT action || coalesce(' ' || n, '') AS entry FROM audit
      WHERE organization_id = ${organizationId} ORDER BY at`
  ).map(row => String(row['entry']));

describe('kontor audit retention', () => {
  test('sets for how many days the audit of an organization is kept, and audits that', async () => {
    const id = await createOrganization(fixture.sql, 'Neu AG');
    const place = ['--organization', id] as const;
    assert.deepEqual(await kontor('audit', 'retention', ...place), {
      organizationId: id,
      days: null,
    });
    assert.equal((await kontor('audit', 'retention', ...place, '--days', '400')).days, 400);
    assert.equal((await kontor('audit', 'retention', ...place, '--days', '90')).days, 90);
    assert.equal((await kontor('audit', 'retention', ...place, '--for-ever')).days, null);
    assert.deepEqual(await entriesOf(id), ['organization.create', 'audit.keep', 'audit.keep', 'audit.keep']);
  });

  test('rejects neither and both', async () => {
    const { organization } = fixture.testData;
    assert.match((await kontor('audit', 'retention')).stderr, /either --organization, or --platform/);
    const place = ['--organization', organization];
    assert.match((await kontor('audit', 'retention', ...place, '--platform')).stderr, /either/);
    assert.match((await kontor('audit', 'retention', ...place, '--days', '0')).stderr, /from 1 to/);
    assert.match(
      (await kontor('audit', 'retention', ...place, '--days', '9', '--for-ever')).stderr,
      /either/,
    );
    assert.match(
      (await kontor('audit', 'retention', '--organization', 'f'.repeat(24))).stderr,
      /there is no/,
    );
  });
});

describe('kontor audit prune', () => {
  test('removes old entries, only where a limit is set, and audits the number', async () => {
    const days = [100, 99, 91, 89, 1];
    const [kept, pruned] = [await withEntries(days), await withEntries(days)];
    await kontor('audit', 'retention', '--organization', pruned, '--days', '90');
    const before = await entriesOf(kept);
    const { removed } = await kontor('audit', 'prune');
    assert.deepEqual(removed, [{ organizationId: pruned, removed: 3 }]);
    assert.deepEqual(await entriesOf(kept), before);
    assert.deepEqual(await entriesOf(pruned), [
      'test.done',
      'test.done',
      'organization.create',
      'audit.keep',
      'audit.remove 3',
    ]);
    const again = await kontor('audit', 'prune', '--organization', pruned);
    assert.deepEqual(again.removed, [{ organizationId: pruned, removed: 0 }]);
    assert.equal((await entriesOf(pruned)).length, 5);
    const { items } = (
      await fixture.platform.get(`/organizations/${pruned}/audit-entries`, {
        query: { filter: "action = 'audit.remove'" },
      })
    ).body;
    assert.partialDeepStrictEqual(items, [
      { actorType: 'operator', targetId: pruned, outcome: 'done', count: 3 },
    ]);
    await kontor('audit', 'retention', '--organization', pruned, '--for-ever');
  });

  test('of what belongs to no organization, too', async () => {
    await withEntries([10, 9], noOrganization);
    await kontor('audit', 'retention', '--platform', '--days', '5');
    assert.deepEqual((await kontor('audit', 'prune', '--platform')).removed, [
      { organizationId: null, removed: 2 },
    ]);
    assert.equal((await entriesOf(noOrganization)).at(-1), 'audit.remove 2');
    await kontor('audit', 'retention', '--platform', '--for-ever');
  });

  test('rejects one that is kept for ever', async () => {
    const { stderr } = await kontor('audit', 'prune', '--organization', fixture.testData.organization);
    assert.match(stderr, /kept for ever/);
  });
});

describe('the service removes what is no longer kept by itself', () => {
  test('once it is a day older, as the system, and nothing where it is kept for ever', async () => {
    const { sql } = fixture;
    const days = [100, 99, 90.5, 89];
    const [kept, fresh, due] = [
      await withEntries(days),
      await withEntries([90.5, 1]),
      await withEntries(days),
    ];
    for (const id of [fresh, due]) await kontor('audit', 'retention', '--organization', id, '--days', '90');
    const before = [await entriesOf(kept), await entriesOf(fresh)];
    const reported = await runOnce(sql, auditRemoval);
    assert.deepEqual([reported.inspections, reported.writes, reported.postponed], [[2, 0], [3], []]);
    assert.deepEqual([await entriesOf(kept), await entriesOf(fresh)], before);
    const expected = ['test.done', 'organization.create', 'audit.keep', 'audit.remove 3'];
    assert.deepEqual(await entriesOf(due), expected);
    const [entry] =
      await sql`SELECT actor_type FROM audit WHERE organization_id = ${due} AND action = 'audit.remove'`;
    assert.equal(entry!['actor_type'], 'system');
    for (const id of [fresh, due]) await kontor('audit', 'retention', '--organization', id, '--for-ever');
  });
});

describe('PATCH …/audit-retention', () => {
  test('sets the days that GET and the command show, and is audited', async () => {
    const id = await createOrganization(fixture.sql, 'Frist AG');
    const path = `/organizations/${id}/audit-retention`;
    assert.deepEqual((await fixture.platform.get(path)).body, { days: null });
    for (const days of [1, 36_500, null]) {
      const { status, body } = await fixture.platform.patch(path, { days });
      assert.deepEqual([status, body], [200, { days }]);
      assert.deepEqual((await fixture.platform.get(path)).body, { days });
      assert.equal((await kontor('audit', 'retention', '--organization', id)).days, days);
    }
    assert.deepEqual((await entriesOf(id)).slice(1), ['audit.keep', 'audit.keep', 'audit.keep']);
  });

  test('rejects days that are none', async () => {
    const path = `/organizations/${fixture.testData.organization}/audit-retention`;
    for (const body of [{ days: 0 }, { days: 36_501 }, { days: 1.5 }, { days: '1' }, {}])
      assert.equal((await fixture.platform.patch(path, body)).status, 400, JSON.stringify(body));
  });
});

test('entries are removed in slices, oldest first, and each transaction records what it removed', async () => {
  const { sql } = fixture;
  const id = await withEntries([9, 8, 7, 6, 5, 1]);
  await new Writes(sql).runWithoutClock(callOf(id, operator), (write, db) => setAuditDays(write, db, 4));
  const slice = () =>
    new Writes(sql).runWithoutClock(callOf(id, operator), (write, session) =>
      removeAuditSlice(write, session, 2),
    );
  assert.equal(await slice(), 2);
  const failed = new Writes(sql).runWithoutClock(callOf(id, operator), async (write, session) => {
    await removeAuditSlice(write, session, 2);
    throw new Error('killed');
  });
  await assert.rejects(failed, /killed/);
  assert.deepEqual([await slice(), await slice(), await slice()], [2, 1, 0]);
  const removals = (await entriesOf(id)).filter(entry => entry.startsWith('audit.remove'));
  assert.deepEqual(removals, ['audit.remove 2', 'audit.remove 2', 'audit.remove 1']);
});

test('a slice removes no more than its part of many entries of one instant', async () => {
  const { sql } = fixture;
  const id = await createOrganization(sql, 'Gleich AG');
  await new Writes(sql).runWithoutClock(callOf(id, operator), (write, db) => setAuditDays(write, db, 4));
  await sql`
    INSERT INTO audit (organization_id, at, target_id, action, actor, fields, id, actor_type, actor_name, folded_actor_name)
    SELECT ${id}, '2020-01-01T00:00:00Z', n::text, 'test.done', 'operator', '{}', ${newId()}::text, 'operator', 'operator', 'operator' FROM generate_series(1, 7) AS n`;
  const slice = () =>
    new Writes(sql).runWithoutClock(callOf(id, operator), (write, session) =>
      removeAuditSlice(write, session, 3),
    );
  assert.deepEqual([await slice(), await slice(), await slice()], [3, 3, 1]);
});
