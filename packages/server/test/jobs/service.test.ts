import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { useFixture } from '../support/service/fixture.ts';
import { startService, type TestService } from '../support/service/service.ts';
import { documentsOf, giveDays, store, waiting } from './support.ts';

let place: { organizationId: string; tenantId: string };
let service: TestService;
const fixture = useFixture(async ({ sql, testData }) => {
  place = { organizationId: testData.organization, tenantId: testData.tenantA };
  service = await startService(sql, { jobInterval: 1 });
});
after(() => service?.stop());

/** The metrics of the service for the job that lets orders expire, by their names without the prefix. */
async function metricsOf({ managementUrl }: TestService): Promise<Record<string, number>> {
  const text = await (await fetch(`${managementUrl}/metrics`)).text();
  const lines = text.matchAll(/^kontor_jobs_(\w+)\{scheduled_job="order_expiry"\} (\S+)$/gm);
  return Object.fromEntries(Array.from(lines, ([, name, value]) => [name!, Number(value)]));
}

test('a service does what is due as it arrives, and its metrics count it', { timeout: 60_000 }, async () => {
  const { sql } = fixture;
  const orders = await store(sql, place, [waiting(20), waiting(30), waiting(1)]);
  await giveDays(sql, place, 14);
  for (let done = 0; done < 2; done = (await metricsOf(service))['done_total'] ?? 0) await delay(20);
  let metrics = await metricsOf(service);
  // The check behind the last batch is recorded before the run has ended.
  while (metrics['due'] !== 0) metrics = await metricsOf(service);
  const { last_run_timestamp_seconds: last, ...others } = metrics;
  assert.deepEqual(others, { due: 0, overdue_seconds: 0, done_total: 2, failures_total: 0 });
  assert.ok(Math.abs(last! - Date.now() / 1000) < 60);
  const documents = await documentsOf(
    sql,
    place.organizationId,
    orders.map(({ id }) => id),
  );
  assert.deepEqual(
    documents.map(({ status }) => status),
    ['expired', 'expired', 'under_review'],
  );
  assert.ok(service.log.some(line => line.includes('"job":"order_expiry","count":2')));
});

test(
  'a job that cannot look is counted and logged, and the service serves on',
  { timeout: 60_000 },
  async () => {
    const { sql } = fixture;
    await sql`ALTER TABLE employee_order RENAME COLUMN submitted_at TO elsewhere`;
    while ((await metricsOf(service))['failures_total'] === 0) await delay(20);
    assert.ok(service.log.some(line => line.includes('a job stopped early')));
    await sql`ALTER TABLE employee_order RENAME COLUMN elsewhere TO submitted_at`;
    const [order] = await store(sql, place, [waiting(20)]);
    let [now] = await documentsOf(sql, place.organizationId, [order!.id]);
    while (now!.status !== 'expired') {
      await delay(20);
      [now] = await documentsOf(sql, place.organizationId, [order!.id]);
    }
  },
);

test('a process without an interval leaves it to others, and has no such metrics', async () => {
  assert.deepEqual(await metricsOf(fixture.service), {});
});
