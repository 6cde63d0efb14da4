import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Job } from '../../src/jobs/job.ts';
import { withProcessLock } from '../../src/db/process-lock.ts';
import { useFixture } from '../support/service/fixture.ts';
import { completion, expiry, giveDays, runOnce, store, waiting } from './support.ts';

let ours: { organizationId: string; tenantId: string };
let others: typeof ours;
const fixture = useFixture(async ({ sql, testData: { organization, tenantA, foreign } }) => {
  ours = { organizationId: organization, tenantId: tenantA };
  others = { organizationId: foreign.organization, tenantId: foreign.tenant };
  for (const place of [ours, others]) await giveDays(sql, place, 14);
});

const many = (count: number) => Array.from({ length: count }, () => waiting(20));

/** A job that records the organization and the number of items before it carries them out. */
function telling(job: Job, notify: (organizationId: string, count: number) => void): Job {
  return {
    ...job,
    carryOut(writes, call, ids) {
      notify(call.scope.organizationId, ids.length);
      return job.carryOut(writes, call, ids);
    },
  };
}

describe('a run of a job', () => {
  test('takes batches of fifty at most, and reaches every organization before the second batch of one', async () => {
    const { sql } = fixture;
    await store(sql, ours, many(1250));
    await store(sql, others, many(3));
    const carried: [string, number][] = [];
    const reported = await runOnce(
      sql,
      telling(expiry, (organizationId, count) => carried.push([organizationId, count])),
    );
    assert.deepEqual(reported.inspections, [1253, 0]);
    assert.equal(
      reported.writes.reduce((sum, count) => sum + count, 0),
      1253,
    );
    assert.ok(carried.every(([, count]) => count <= 50));
    const place = carried.findIndex(([organizationId]) => organizationId === others.organizationId);
    assert.ok(place <= 10, `the other one came in the place ${place}`);
    const audited = await sql`
      SELECT count(*)::int AS entries, count(DISTINCT target_id)::int AS orders, count(DISTINCT at)::int AS instants
      FROM audit WHERE organization_id = ${ours.organizationId} AND action = 'order.expire'`;
    assert.deepEqual(audited, [{ entries: 1250, orders: 1250, instants: 25 }]);
  });

  test('leaves an organization that fails to the next one, and does the others', async () => {
    const { sql } = fixture;
    await store(sql, ours, many(2));
    await store(sql, others, many(3));
    const failing = telling(expiry, organizationId => {
      if (organizationId === ours.organizationId) throw new Error('planted');
    });
    assert.deepEqual(await runOnce(sql, failing), {
      inspections: [5, 2],
      writes: [3],
      postponed: [ours.organizationId],
    });
    assert.deepEqual(await runOnce(sql, expiry), { inspections: [2, 0], writes: [2], postponed: [] });
  });

  test('does nothing while another process is at it, and all once that is gone', async () => {
    const { sql } = fixture;
    await store(sql, ours, many(2));
    const hadLock = await withProcessLock(sql.database.target, expiry.name, async () => {
      assert.deepEqual(await runOnce(sql, expiry), { inspections: [2], writes: [], postponed: [] });
      // Another job is another work.
      assert.deepEqual(await runOnce(sql, completion), { inspections: [0], writes: [], postponed: [] });
    });
    assert.equal(hadLock, true);
    assert.deepEqual((await runOnce(sql, expiry)).writes, [2]);
  });

  test('ends when it has lost the session that makes it the only one', async () => {
    const { sql } = fixture;
    await store(sql, ours, many(150));
    const losing: Job = {
      ...expiry,
      async carryOut(...how) {
        const count = await expiry.carryOut(...how);
        const [ended] = await sql`SELECT pg_terminate_backend(pid, 5000) AS done FROM pg_stat_activity
          WHERE datname = current_database() AND application_name = 'kontor order_expiry'`;
        assert.deepEqual(ended, { done: true });
        return count;
      },
    };
    await assert.rejects(runOnce(sql, losing));
    assert.deepEqual((await runOnce(sql, expiry)).inspections, [100, 0]);
  });

  test('ends with the batch in progress when it is stopped, and the next one goes on there', async () => {
    const { sql } = fixture;
    await store(sql, ours, many(250));
    const stopping = new AbortController();
    let done = 0;
    const reported = await runOnce(sql, expiry, {
      signal: stopping.signal,
      done(count) {
        done += count;
        stopping.abort();
      },
    });
    assert.deepEqual([reported.inspections, done], [[250], 50]);
    assert.deepEqual((await runOnce(sql, expiry)).writes, [50, 50, 50, 50]);
  });
});
