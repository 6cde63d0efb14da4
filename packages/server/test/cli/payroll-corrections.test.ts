import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { readLodas, readLug } from '../features/payroll/formats/readers.ts';
import { settingsInput } from '../features/payroll/support.ts';
import { type TestDatabase, testDatabase } from '../support/database/database.ts';
import { payrollCompany, storeActiveOrder } from '../support/data/payroll-company.ts';
import { insertTestData } from '../support/data/test-data.ts';
import { kontorHere } from './in-process.ts';

let database: TestDatabase;
let organization: string;
let folder: string;
before(async () => {
  database = await testDatabase();
  organization = (await insertTestData(database.database.sql)).organization;
  folder = await mkdtemp(join(tmpdir(), 'kontor-payroll-'));
});
after(async () => {
  await database.drop();
  await rm(folder, { recursive: true });
});

const payroll = (args: readonly string[]) => kontorHere(['payroll', ...args], { DATABASE_URL: database.url });

async function json(args: readonly string[], wantedCode = 0) {
  const { code, stdout, stderr } = await payroll([...args, '--json']);
  assert.equal(code, wantedCode, stderr);
  return JSON.parse(stdout);
}

async function setSettings(tenant: string, settings: object): Promise<void> {
  const file = join(folder, 'settings.json');
  await writeFile(file, JSON.stringify({ ...settingsInput, ...settings }));
  await json(['settings', file, '--tenant', tenant]);
}

/** A company with one active order from September 2026, or from `startDate`. */
async function company(settings: object = {}, startDate = '2026-09-01') {
  const { sql } = database.database;
  const tenant = await payrollCompany(sql, organization, 'Muster GmbH');
  await setSettings(tenant, settings);
  const contract = { startDate, endDate: '2029-08-31' };
  return { tenant, ...(await storeActiveOrder(sql, { organization, tenant }, { contract })) };
}

const released = (tenant: string, period: string, format: string, code = 0) =>
  json(['run', '--tenant', tenant, '--period', period, '--format', format, '--release', '--yes'], code);

const copies = async (run: string, format: string) => {
  const into = await mkdtemp(join(folder, 'copies-'));
  await json(['copy', run, '--format', format, '--folder', into]);
  const names = (await readdir(into)).toSorted();
  return Promise.all(names.map(async name => ({ name, bytes: await readFile(join(into, name)) })));
};

describe('kontor payroll reverse', () => {
  test('books a released run anew under another client number, in a file of each client', async () => {
    const { tenant } = await company();
    const { id } = await released(tenant, '2026-09', 'datev_lodas');
    await setSettings(tenant, { clientNumber: '10002' });
    const months = ['--tenant', tenant, '--period', '2026-10', '--format', 'datev_lodas'];
    const reversal = await json(['reverse', ...months, '--run', id, '--release', '--yes']);
    assert.deepEqual([reversal.kind, reversal.status, reversal.reverses.runId], ['reversal', 'released', id]);
    const files = await copies(reversal.id, 'datev_lodas');
    assert.deepEqual(
      files.map(({ bytes }) => [
        readLodas(bytes).client,
        ...readLodas(bytes).lines.map(({ cents }) => cents),
      ]),
      [
        ['10002', -8310n, 800n],
        ['10001', 8310n, -800n],
      ],
    );
  });

  test('a run or an employee with months, and nothing else', async () => {
    const { tenant, employeeId } = await company();
    const { id } = await released(tenant, '2026-09', 'csv');
    const months = ['--tenant', tenant, '--period', '2026-09', '--format', 'csv'];
    for (const wrong of [[], ['--run', id, '--employee', employeeId], ['--from', '2026-09']]) {
      const { code, stderr } = await payroll(['reverse', ...months, ...wrong]);
      assert.deepEqual([code, stderr], [1, 'error: give either --run, or --employee with --from and --to\n']);
    }
    const draft = await json(['reverse', ...months, '--employee', employeeId, '--from', '2026-09']);
    assert.deepEqual(
      [draft.status, draft.summary.entries],
      ['draft', 0],
      'nothing was booked under other values',
    );
  });
});

describe('kontor payroll copy', () => {
  test('writes each file of a released run in another format once, marked as a copy', async () => {
    const { tenant } = await company({}, '2026-08-16');
    const { id } = await released(tenant, '2026-09', 'csv', 0);
    const files = await copies(id, 'datev_lug');
    assert.deepEqual(
      files.map(({ name }) => name),
      [
        'lug-muster-gmbh-10001-2026-09-kopie.txt',
        'lug-muster-gmbh-10001-2026-09-korrektur-2026-08-kopie.txt',
      ],
    );
    assert.deepEqual(
      files.flatMap(({ bytes }) => readLug(bytes).lines.map(({ cents }) => cents)),
      [-8310n, 800n, -4289n, 800n],
    );
    const { copies: downloads } = await json(['show', id]);
    assert.equal(downloads[0].count, 2, 'the copies are in the list of downloads');
    const into = ['--format', 'csv', '--folder', folder];
    assert.equal((await payroll(['copy', id, ...into])).code, 0);
    assert.equal((await payroll(['copy', id, ...into])).code, 1, 'a file that is there stays');
  });
});

describe('kontor payroll recipe and receivables', () => {
  test('the recipe names wage types and rules; open amounts are exit code 2 until they are settled', async () => {
    const { tenant } = await company({ firstPeriod: '2024-12' }, '2024-12-01');
    assert.equal((await payroll(['receivables', '--tenant', tenant])).code, 0);
    const { id } = await released(tenant, '2026-01', 'datev_lodas', 2);
    const { stdout } = await payroll(['recipe', id, '--format', 'datev_lodas']);
    assert.match(stdout, /^- 3010 Salary conversion, sum -\d+,\d\d EUR/m);
    const open = await payroll(['receivables', '--tenant', tenant]);
    assert.equal(open.code, 2);
    assert.match(
      open.stdout,
      /Mia Fischer +1234 +2024-12 +salary conversion +83\.10 +correction_out_of_range/,
    );
    const { items } = await json(['receivables', '--tenant', tenant], 2);
    for (const { orderId, month, kind } of items) {
      const about = ['--order', orderId, '--month', month, '--kind', kind, '--meaning', 'paid_elsewhere'];
      await json(['settle', ...about, '--reason', 'Steuerbüro']);
    }
    const closed = await payroll(['receivables', '--tenant', tenant]);
    assert.deepEqual([closed.code, closed.stdout], [0, 'Every open amount is in a file or settled\n']);
  });

  test('settlements and settings need another caller where the company asks for it', async () => {
    const { tenant, orderId } = await company({ changesBySecondActor: true });
    const about = ['--order', orderId, '--month', '2026-09', '--kind', 'taxable_benefit'];
    const settled = await payroll(['settle', ...about, '--meaning', 'not_owed', '--reason', 'x']);
    assert.equal(settled.code, 1);
    assert.match(settled.stderr, /^error: Another caller must confirm/);
    await assert.rejects(setSettings(tenant, { cutOffDay: 5 }), /Another caller must confirm/);
  });
});
