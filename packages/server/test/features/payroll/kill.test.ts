import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import type { PayrollRun } from '@kontor/contract';
import { openPepper } from '../../../src/features/keys/pepper.ts';
import { type ApiClient, apiClient } from '../../support/contract/client.ts';
import { type TestDatabase, testDatabase } from '../../support/database/database.ts';
import { storeEmployees } from '../../support/data/employees.ts';
import { startServiceProcess } from '../../support/service/kontor.ts';
import { contractInput, historyInput, orderInput, storeOrders } from '../../support/data/orders.ts';
import { atScale } from '../../support/service/scale.ts';
import type { Sql } from '../../support/database/sql.ts';
import { insertTestData, testPepper, type TestData } from '../../support/data/test-data.ts';
import { testToken } from '../../support/data/tokens.ts';
import { expectedOwed } from './oracle.ts';
import { settingsInput } from './support.ts';

const days = { startDate: '2023-01-16', endDate: '2026-01-15', termMonths: 36 };
const rates = { salaryConversion: '83.10', taxableBenefit: '0.00', employerSubsidy: '0.00' };
const rounds = atScale(4, 60);
const orderCount = 600;
/** Milliseconds after which the process is killed at the latest: a draft or a release of these orders takes less. */
const killedWithin = 250;
const timeout = 60_000 + rounds * 15_000;

let database: TestDatabase;
let sql: Sql;
let testData: TestData;
let token: string;

before(async () => {
  database = await testDatabase();
  sql = database.database.sql;
  await openPepper(sql, { secret: testPepper.toString('utf8'), dataDirectory: '/nowhere' });
  testData = await insertTestData(sql);
  token = await testToken(sql);
  const { organization, tenantA: tenant } = testData;
  const [employee] = await storeEmployees(sql, organization, [{ tenant, employeeNumber: '1234' }]);
  const contract = contractInput(days);
  const more = { employeeId: employee!.id, status: 'active', hrHistory: historyInput('approved'), contract };
  const inputs = Array.from({ length: orderCount }, () => orderInput(more));
  await storeOrders(sql, { organizationId: organization, tenantId: tenant }, inputs);
});
after(() => database?.drop());

const start = () =>
  startServiceProcess({ variables: { DATABASE_URL: database.url, KONTOR_JOB_INTERVAL: '1' } });
const at = (path: string) => `/organizations/${testData.organization}${path}`;
const ofTenant = (path: string) => at(`/tenants/${testData.tenantA}${path}`);

let killedWorking = 0;

/** Runs the work with a client of a service of its own, and kills the service then. */
async function withService<T>(work: (client: ApiClient) => Promise<T>): Promise<T> {
  const service = await start();
  const client = apiClient(service.managementUrl, { api: 'platform', key: token });
  try {
    return await work(client);
  } finally {
    client.close();
    await service.end('SIGKILL');
    if ((await sql`SELECT FROM background_job`).length > 0) killedWorking++;
  }
}

/** Sends a request and ends the work, and so the service, somewhere in the job of the request. */
async function begin(client: ApiClient, path: string, body?: object): Promise<void> {
  // The service may be killed before it answers.
  client.post(path, body).catch(() => null);
  await delay(Math.random() * killedWithin);
}

async function waitForRun(client: ApiClient, id: string): Promise<PayrollRun> {
  for (;;) {
    const { body: run } = await client.get(at(`/payroll-runs/${id}`));
    if (run.status !== 'computing' && run.status !== 'releasing') return run;
    await delay(20);
  }
}

/** The last run of the tenant. */
async function lastRun(client: ApiClient): Promise<PayrollRun | undefined> {
  return (await client.get(ofTenant('/payroll-runs'))).body.items[0];
}

/** The cents of salary conversion that an order owes up to a month. */
function owedUntil(period: string): bigint {
  let sum = 0n;
  const term = { ...days, ...rates, suspensions: [], benefitProRata: false };
  for (const [month, owed] of expectedOwed(term, 'salary_conversion')) if (month <= period) sum += owed;
  return sum;
}

async function assertWhole(run: PayrollRun, period: string): Promise<void> {
  const { organization } = testData;
  const [found] = await sql<(Record<string, number> & { conversion: string })[]>`
    SELECT
      (SELECT count(*)::int FROM payroll_entry WHERE organization_id = ${organization} AND run_id = ${run.id}) AS entries,
      (SELECT sum(cents)::text FROM payroll_entry WHERE organization_id = ${organization}
        AND kind = 'salary_conversion') AS conversion,
      (SELECT count(*)::int FROM payroll_draft_entry WHERE organization_id = ${organization}) AS drafts,
      (SELECT count(*)::int FROM background_job WHERE organization_id = ${organization}) AS jobs,
      (SELECT count(*)::int FROM background_job_progress WHERE organization_id = ${organization}) AS progress,
      (SELECT count(*)::int FROM (SELECT FROM payroll_entry WHERE organization_id = ${organization}
        GROUP BY order_id, month, kind HAVING count(*) > 1) AS twice) AS twice,
      (SELECT count(*)::int FROM payroll_export_document WHERE organization_id = ${organization}) AS documents,
      (SELECT count(DISTINCT file_id)::int FROM file_slice WHERE organization_id = ${organization}) AS files,
      (SELECT coalesce(sum(cardinality(document_ids)), 0)::int FROM payroll_run WHERE organization_id = ${organization}) AS named,
      (SELECT coalesce(sum(n), 0)::int FROM counter WHERE organization_id = ${organization}
        AND resource_type = 'payroll_export_document' AND scope = '') AS counted`;
  const { entries, conversion, drafts, jobs, progress, twice, ...documents } = found!;
  assert.deepEqual(
    [entries, drafts, jobs, progress, twice],
    [2 * orderCount, 0, 0, 0, 0],
    `entries, drafts, jobs, progress and repeated entries of ${period}`,
  );
  assert.equal(BigInt(conversion), BigInt(orderCount) * owedUntil(period), `the ledger up to ${period}`);
  assert.equal(new Set(Object.values(documents)).size, 1, JSON.stringify(documents));
}

/** The first 36 months of the contracts, again and again: all of them past, as a run is for the next month at the latest. */
function periodOf(round: number): string {
  const n = round % 36;
  return `${2023 + Math.floor(n / 12)}-${String((n % 12) + 1).padStart(2, '0')}`;
}

test(
  'kill -9 in a draft and in a release: the next process does the rest, and each entry is released once',
  { timeout },
  async t => {
    const beginDraft = (client: ApiClient, round: number) =>
      begin(client, ofTenant('/payroll-runs'), { period: periodOf(round), formats: ['csv'] });
    await withService(async client => {
      await client.post(ofTenant('/payroll-settings'), { ...settingsInput, firstPeriod: periodOf(0) });
      await beginDraft(client, 0);
    });
    for (let round = 0; round < rounds; round++) {
      const period = periodOf(round);
      const draft = await withService(async client => {
        let run = await lastRun(client);
        // The service was killed before the run was stored.
        if (run?.period !== period)
          run = (await client.post(ofTenant('/payroll-runs'), { period, formats: ['csv'] })).body;
        const computed = await waitForRun(client, run!.id);
        assert.deepEqual([computed.status, computed.summary?.entries], ['draft', 2 * orderCount]);
        await begin(client, at(`/payroll-runs/${computed.id}/release`));
        return computed;
      });
      await withService(async client => {
        await client.post(at(`/payroll-runs/${draft.id}/release`), undefined);
        const released = await waitForRun(client, draft.id);
        assert.equal(released.status, 'released', JSON.stringify(released.failure));
        await assertWhole(released, period);
        if (periodOf(round + 1) < period) await forgetReleases();
        await beginDraft(client, round + 1);
      });
    }
    t.diagnostic(`${killedWorking} of ${2 * rounds} processes were killed while they worked`);
    assert.ok(killedWorking > 0, 'no process was killed while it worked');
  },
);

/** Begins the ledger again. */
async function forgetReleases(): Promise<void> {
  for (const table of ['payroll_entry', 'payroll_basis', 'payroll_run', 'payroll_finding'])
    await sql.unsafe(`DELETE FROM ${table} WHERE organization_id = '${testData.organization}'`);
  await sql`DELETE FROM payroll_export_document WHERE organization_id = ${testData.organization}`;
  await sql`DELETE FROM file_slice WHERE organization_id = ${testData.organization}`;
  await sql`
    UPDATE counter SET n = 0
    WHERE organization_id = ${testData.organization} AND resource_type = 'payroll_export_document'`;
}

test('a job that ended its worker five times is given up, and its run says so', { timeout }, async () => {
  const { organization, tenantB } = testData;
  const id = 'f'.repeat(24);
  await sql`
    INSERT INTO payroll_run (organization_id, id, tenant_id, period, formats, status, created_by, created_at)
    VALUES (${organization}, ${id}, ${tenantB}, '2030-01', '{csv}', 'computing',
      '{"type":"operator","id":"operator","name":"operator"}', now())`;
  await sql`
    INSERT INTO background_job_progress (organization_id, job_id, attempts) VALUES (${organization}, ${id}, 5)`;
  await sql`
    INSERT INTO background_job (organization_id, id, type, input, queued_at)
    VALUES (${organization}, ${id}, 'payroll_draft', '{}', now())`;
  const run = await withService(client => waitForRun(client, id));
  assert.deepEqual([run.status, run.failure?.reason], ['discarded', 'internal']);
  const [left] = await sql<{ jobs: number; progress: number }[]>`
    SELECT (SELECT count(*)::int FROM background_job WHERE organization_id = ${organization} AND id = ${id}) AS jobs,
      (SELECT count(*)::int FROM background_job_progress
        WHERE organization_id = ${organization} AND job_id = ${id}) AS progress`;
  assert.deepEqual(left, { jobs: 0, progress: 0 });
});
