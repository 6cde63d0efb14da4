import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { kontorHere } from '../cli/in-process.ts';
import { type TestDatabase, testDatabase } from '../support/database/database.ts';
import { storeEmployees } from '../support/data/employees.ts';
import { contractInput, historyInput, orderInput, storeOrders } from '../support/data/orders.ts';
import { storePayrollDocument } from '../support/data/payroll-documents.ts';
import { insertTestData, type TestData } from '../support/data/test-data.ts';
import { unzip } from './zip.ts';

let testing: TestDatabase;
let folder: string;
let testData: TestData;

before(async () => {
  testing = await testDatabase();
  folder = await mkdtemp(path.join(tmpdir(), 'kontor-people-'));
  testData = await insertTestData(testing.database.sql);
});
after(async () => {
  await testing.drop();
  await rm(folder, { recursive: true });
});

const run = (...args: string[]) =>
  kontorHere(args, { DATABASE_URL: testing.url, KONTOR_DATA_DIR: folder, KONTOR_LOG_LEVEL: 'silent' });

async function json(...args: string[]): Promise<Record<string, any>> {
  const { code, stdout, stderr } = await run(...args, '--json');
  assert.equal(code, 0, stderr);
  return JSON.parse(stdout) as Record<string, any>;
}

async function leaver(endDate: string | null): Promise<string> {
  const { sql } = testing.database;
  const place = { tenant: testData.tenantB, blocked: true };
  const [employee] = await storeEmployees(sql, testData.organization, [place]);
  if (endDate === null) return employee!.id;
  const target = { organizationId: testData.organization, tenantId: testData.tenantB };
  const contract = contractInput({ startDate: '2015-01-01', endDate });
  const over = { status: 'completed', contract, hrHistory: historyInput('approved') };
  await storeOrders(sql, target, [orderInput({ employeeId: employee!.id, ...over })]);
  return employee!.id;
}

test('employee export writes a file that only its owner may read, and never over another one', async () => {
  const id = await leaver('2016-01-01');
  const file = path.join(folder, 'person.zip');
  const { file: reported, orders, damaged } = await json('employee', 'export', id, '--file', file);
  assert.deepEqual([reported, orders, damaged], [file, 1, []]);
  assert.equal((await stat(file)).mode & 0o777, 0o600);
  assert.ok(unzip(await readFile(file)).has('index.html'));
  const again = await run('employee', 'export', id, '--file', file);
  assert.equal(again.code, 1);
  assert.match(again.stderr, /exists already/);
});

test('employee export and erase of an unknown employee are one line', async () => {
  for (const command of ['export', 'erase']) {
    const { code, stderr } = await run('employee', command, '0123456789abcdef01234567');
    assert.deepEqual([code, stderr], [1, 'error: there is no employee 0123456789abcdef01234567\n']);
  }
});

test('employee erase with --dry-run reports from when it is possible, and erases without', async () => {
  const year = new Date().getUTCFullYear();
  const kept = await leaver(`${year - 1}-05-05`);
  const { possible, from, holds } = await json('employee', 'erase', kept, '--dry-run');
  assert.deepEqual([possible, from, holds.length], [false, `${year + 6}-01-01`, 1]);
  const rejected = await run('employee', 'erase', kept, '--yes');
  assert.equal(rejected.code, 1);
  assert.match(
    rejected.stderr,
    new RegExp(`^error: Employee ${kept} cannot be erased now, it can be from ${year + 6}-01-01: `),
  );
  const due = await leaver('2016-01-01');
  assert.equal((await json('employee', 'erase', due, '--dry-run')).possible, true);
  const { orders, filesRemoved } = await json('employee', 'erase', due, '--yes');
  assert.deepEqual([orders, filesRemoved], [1, true]);
  assert.equal((await json('employee', 'show', due)).email, `${due}@erased.invalid`);
});

test('tenant retention shows who has left and may be erased, and stores a new setting', async () => {
  const { sql } = testing.database;
  await sql`UPDATE employee SET erased_at = now() WHERE blocked`;
  const year = new Date().getUTCFullYear();
  const [due, nothing, kept] = [
    await leaver('2016-01-01'),
    await leaver(null),
    await leaver(`${year}-01-01`),
  ];
  await storeEmployees(sql, testData.organization, [{ tenant: testData.tenantB }]);
  for (const period of ['2015-03', '2019-12', `${year}-01`])
    await storePayrollDocument(sql, testData.organization, { tenant: testData.tenantB, period });
  const shown = await json('tenant', 'retention', testData.tenantB);
  assert.deepEqual([shown.voucherYears, shown.otherDays], [6, 0]);
  assert.deepEqual(shown.due, { count: 2, employees: [due, nothing].sort() });
  assert.deepEqual([shown.later, shown.next], [1, `${year + 7}-01-01`]);
  assert.deepEqual(shown.documents, { count: 2, first: '2015-03', last: '2019-12' });
  const longer = await json('tenant', 'retention', testData.tenantB, '--voucher-years', '40');
  assert.deepEqual(longer.due, { count: 1, employees: [nothing] });
  const { stdout } = await run('tenant', 'retention', testData.tenantB);
  assert.match(
    stdout,
    /kept for 40 years after the year, other orders and incidents for 0 days\n1 who have left/,
  );
  await json('employee', 'erase', nothing, '--yes');
  assert.equal((await json('tenant', 'retention', testData.tenantB, '--voucher-years', '6')).due.count, 1);
  assert.ok(kept);
});
