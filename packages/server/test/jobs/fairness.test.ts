import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { pino } from 'pino';
import { newId } from '../../src/db/ids.ts';
import { BackgroundJobs, type BackgroundWork } from '../../src/jobs/background.ts';
import { useFixture } from '../support/service/fixture.ts';

/** Queued jobs of all organizations run by turns, whatever one organization queues. */

const fixture = useFixture();

/** A work that writes nothing. */
const work = (more: Pick<BackgroundWork, 'run'> & Partial<BackgroundWork>): BackgroundWork => ({
  type: 'import',
  queue: 'bulk',
  permission: 'HR',
  findTenant: async () => newId(),
  failed: async () => {},
  ...more,
});

const jobsOf = (...works: BackgroundWork[]) =>
  new BackgroundJobs({
    pools: fixture.sql.database,
    logger: pino({ level: 'silent' }),
    works,
    hasPermission: async () => false,
  });

/** Queues so many jobs of an organization, behind those that are queued. */
const queue = (organizationId: string, count = 1, type = 'import') => fixture.sql`
  INSERT INTO background_job (organization_id, id, type, input, queued_at)
  SELECT ${organizationId}, ${type} || n, ${type}, '{}', clock_timestamp() FROM generate_series(1, ${count}::int) AS n`;

const queued = async () =>
  (await fixture.sql<{ id: string }[]>`SELECT organization_id AS id FROM background_job`).map(({ id }) => id);

/** Starts the jobs, and stops them when `work` has resolved. */
async function running(jobs: readonly BackgroundJobs[], until: Promise<unknown>): Promise<void> {
  const started = jobs.map(job => job.start(60_000));
  await until;
  await Promise.all(started.map(({ stop }) => stop()));
  await fixture.sql`DELETE FROM background_job`;
}

describe('an organization', () => {
  test('with a thousand queued jobs delays the job of another one by one part', async () => {
    const [many, one] = [newId(), newId()];
    await queue(many, 1000);
    await queue(one);
    const done: string[] = [];
    const { promise: isDone, resolve } = Promise.withResolvers<void>();
    const jobs = jobsOf(
      work({
        async run(_session, { organizationId, authorize }) {
          await authorize();
          done.push(organizationId);
          if (organizationId === one) resolve();
        },
      }),
    );
    await running([jobs], isDone);
    assert.ok(done.indexOf(one) <= 1, `${done.indexOf(one)} jobs of the other organization came first`);
  });

  test('with a job in parts lets the others run after each part', async () => {
    const [long, other, third] = [newId(), newId(), newId()];
    const parts: string[] = [];
    const left = new Map([
      [long, 4],
      [other, 2],
      [third, 1],
    ]);
    for (const id of left.keys()) await queue(id);
    const { promise: isDone, resolve } = Promise.withResolvers<void>();
    const jobs = jobsOf(
      work({
        async run(_session, { organizationId, authorize }) {
          await authorize();
          parts.push(organizationId);
          left.set(organizationId, left.get(organizationId)! - 1);
          if (left.get(organizationId)! > 0) return 'more';
          if ([...left.values()].every(count => count === 0)) resolve();
          return undefined;
        },
      }),
    );
    await running([jobs], isDone);
    assert.deepEqual(parts, [long, other, third, long, other, long, long]);
  });

  test('with two kinds of jobs has both run: imports take no place of payroll', async () => {
    const organization = newId();
    for (const id of [organization, newId(), newId()]) await queue(id);
    const { promise: isHeld, resolve: letGo } = Promise.withResolvers<void>();
    const { promise: isPaid, resolve: pay } = Promise.withResolvers<void>();
    const jobs = jobsOf(
      work({
        async run(_session, { authorize }) {
          await authorize();
          await isHeld;
        },
      }),
      work({
        type: 'payroll',
        queue: 'interactive',
        async run(_session, { authorize }) {
          await authorize();
          pay();
        },
      }),
    );
    await queue(organization, 1, 'payroll');
    await running([jobs], isPaid.then(letGo));
  });
});

test('jobs of several processes run once each, and organizations have their turns in each of them', async () => {
  const organizations = Array.from({ length: 3 }, () => newId());
  for (const [index, id] of organizations.entries()) await queue(id, [60, 10, 10][index]);
  const done: string[] = [];
  const { promise: isDone, resolve } = Promise.withResolvers<void>();
  const counted = work({
    async run(_session, { organizationId, id, authorize }) {
      await authorize();
      done.push(`${organizationId} ${id}`);
      if (done.length === 80) resolve();
    },
  });
  await running([jobsOf(counted), jobsOf(counted), jobsOf(counted)], isDone);
  assert.equal(new Set(done).size, 80);
  // Three processes have at most three jobs of the first organization between two of another one.
  for (const id of organizations.slice(1)) {
    const last = done.findLastIndex(key => key.startsWith(id));
    const before = done.slice(0, last).filter(key => key.startsWith(organizations[0]!)).length;
    assert.ok(before <= 3 * 10 + 3, `${before}`);
  }
});

test('a job that another process holds is set aside, and the next one of its organization runs', async () => {
  const organization = newId();
  await queue(organization, 2);
  const { promise: isDone, resolve } = Promise.withResolvers<string>();
  const jobs = jobsOf(
    work({
      async run(_session, { id, authorize }) {
        await authorize();
        resolve(id);
      },
    }),
  );
  await fixture.sql.begin(async holder => {
    await holder`SELECT FROM background_job WHERE organization_id = ${organization} AND id = 'import1' FOR UPDATE`;
    const started = jobs.start(60_000);
    assert.equal(await isDone, 'import2');
    await started.stop();
  });
  assert.deepEqual(await queued(), [organization]);
  await fixture.sql`DELETE FROM background_job`;
});

test('a part whose work has not called authorize() is rolled back, and its job fails', async () => {
  const organization = newId();
  await queue(organization);
  const failures: unknown[] = [];
  const jobs = jobsOf(
    work({
      run: async () => {},
      failed: async (_session, _job, error) => void failures.push(error),
    }),
  );
  assert.equal(await jobs.run({ organizationId: organization, id: 'import1' }), 'failed');
  assert.match(String(failures), /has not called authorize/);
  assert.deepEqual(await queued(), []);
});
