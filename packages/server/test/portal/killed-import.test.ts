import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { createTenant } from '../../src/features/organizations/store.ts';
import { openPepper } from '../../src/features/keys/pepper.ts';
import { type ApiClient, apiClient } from '../support/contract/client.ts';
import { type TestDatabase, testDatabase } from '../support/database/database.ts';
import { importSteps } from '../support/data/employee-imports.ts';
import { storeEmployees } from '../support/data/employees.ts';
import { startServiceProcess } from '../support/service/kontor.ts';
import { atScale } from '../support/service/scale.ts';
import type { Sql } from '../support/database/sql.ts';
import { insertTestData, testPepper, type TestData } from '../support/data/test-data.ts';
import { signedInUser } from '../support/data/users.ts';

/** More than the attempts after which a job that gets nowhere is given up. */
const kills = atScale(6, 25);
const rowCount = atScale(1600, 20_000);
/** Milliseconds of work after which the process is killed at the latest. */
const killedWithin = 300;

let database: TestDatabase;
let sql: Sql;
let testData: TestData;
let key: string;

before(async () => {
  database = await testDatabase();
  sql = database.database.sql;
  await openPepper(sql, { secret: testPepper.toString('utf8'), dataDirectory: '/nowhere' });
  testData = await insertTestData(sql);
  const hr = { permissions: ['HR' as const], hrTenants: null };
  key = (await signedInUser(sql, testData.organization, hr)).secret;
});
after(() => database?.drop());

async function withService<T>(
  work: (client: ApiClient) => Promise<T>,
  signal: NodeJS.Signals = 'SIGKILL',
): Promise<T> {
  const variables = { DATABASE_URL: database.url, KONTOR_JOB_INTERVAL: '1' };
  const service = await startServiceProcess({ variables });
  const client = apiClient(service.url, { api: 'portal' });
  try {
    return await work(client);
  } finally {
    client.close();
    await service.end(signal);
  }
}

async function appliedRows(id: string): Promise<number> {
  assert.equal((await sql`SELECT FROM employee_import WHERE id = ${id} AND status = 'failed'`).length, 0);
  return (await sql`SELECT FROM employee_import_row WHERE import_id = ${id} AND outcome IS NOT NULL`).length;
}

test(
  'kill -9 of the process that plans: the next one goes on after the last part, and each row is planned once',
  { timeout: 300_000 },
  async t => {
    const { organization } = testData;
    const tenant = await createTenant(sql.database.writes, organization, 'Muster Plan GmbH');
    const total = atScale(8_000, 60_000);
    // The last rows repeat the numbers of the first ones.
    const lines = Array.from({ length: total }, (_, n) => `${n % (total - 50)};p${n}@example.com;A;B`);
    const file = ['employeeNumber;email;firstName;lastName', ...lines].join('\n');
    const planned = async (id: string) =>
      (await sql`SELECT FROM employee_import_row WHERE import_id = ${id}`).length;
    const { id, mapping } = await withService(async client => {
      const { body } = await importSteps(client, key).upload(tenant, file);
      return { id: body.id, mapping: (await importSteps(client, key).details(body.id)).mapping };
    }, 'SIGTERM');
    let killedWorking = 0;
    let before = 0;
    for (let kill = 0; kill < 4; kill++)
      await withService(async client => {
        if (kill === 0) await importSteps(client, key).post(id, 'plan', mapping);
        let now = before;
        while (now === before && now < total) now = await planned(id);
        assert.ok(now >= before, `${now} rows after ${before}`);
        before = now;
        if (now < total) killedWorking++;
      });
    const { status, counts } = await withService(client => importSteps(client, key).settled(id), 'SIGTERM');
    assert.deepEqual([status, counts?.adds, counts?.errors], ['planned', total - 100, 100]);
    assert.equal(await planned(id), total);
    t.diagnostic(`${killedWorking} of 4 processes were killed while they worked`);
    assert.ok(killedWorking > 0);
  },
);

test(
  'kill -9 of the process that applies: the next one goes on, and each row is applied once',
  { timeout: 300_000 },
  async t => {
    const { organization } = testData;
    const tenant = await createTenant(sql.database.writes, organization, 'Muster Import GmbH');
    const known = Array.from({ length: rowCount / 2 }, (_, n) => ({ tenant, employeeNumber: `K${n}` }));
    const stored = await storeEmployees(sql, organization, known);
    const lines = Array.from({ length: rowCount }, (_, n) =>
      n % 2 === 0 ? `K${n / 2};;;;Ulm` : `N${n};new.${n}@example.com;Neu;Neuer;Köln`,
    );
    const file = ['employeeNumber;email;firstName;lastName;city', ...lines].join('\n');
    const { id, counts } = await withService(
      client => importSteps(client, key).plan(tenant, file),
      'SIGTERM',
    );
    const half = rowCount / 2;
    assert.deepEqual([counts?.adds, counts?.changes], [half, half]);
    let killedWorking = 0;
    for (let kill = 0; kill < kills; kill++)
      await withService(async client => {
        await importSteps(client, key).post(id, 'apply', { confirmedChanges: half });
        const before = await appliedRows(id);
        for (let now = before; now === before && now < rowCount; now = await appliedRows(id)) await delay(5);
        await delay((Math.random() * killedWithin) / kills);
        if ((await appliedRows(id)) < rowCount) killedWorking++;
      });
    const applied = await withService(client => importSteps(client, key).settled(id), 'SIGTERM');
    assert.deepEqual(
      [applied.status, applied.counts?.applied, applied.counts?.skipped],
      ['applied', rowCount, 0],
    );
    const staff = await sql<{ id: string; changes: number; creates: number }[]>`
      SELECT e.id, count(*) FILTER (WHERE a.action = 'employee.update')::int AS changes,
        count(*) FILTER (WHERE a.action = 'employee.create' AND a.actor_type = 'user')::int AS creates
      FROM employee e JOIN audit a ON a.organization_id = e.organization_id AND a.target_id = e.id
      WHERE e.organization_id = ${organization} AND e.tenant_id = ${tenant} GROUP BY e.id`;
    const old = new Set(stored.map(({ id }) => id));
    assert.equal(staff.length, rowCount);
    for (const { id: person, changes, creates } of staff)
      assert.deepEqual([changes, creates], old.has(person) ? [1, 0] : [0, 1]);
    const [{ n }] = (await sql`
      SELECT n::int FROM counter WHERE organization_id = ${organization} AND resource_type = 'employee' AND scope = ${tenant}`) as [
      any,
    ];
    assert.equal(n, rowCount);
    assert.equal(
      (await sql`SELECT FROM background_job UNION ALL SELECT FROM background_job_progress`).length,
      0,
    );
    t.diagnostic(`${killedWorking} of ${kills} processes were killed while they worked`);
    assert.ok(killedWorking > 0);
  },
);
