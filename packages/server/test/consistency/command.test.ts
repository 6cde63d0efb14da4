import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { createOrganization, createTenant } from '../../src/features/organizations/store.ts';
import { kontorHere } from '../cli/in-process.ts';
import { emptyDatabase, type TestDatabase } from '../support/database/database.ts';
import { storeEmployees } from '../support/data/employees.ts';

let testing: TestDatabase;
let folder: string;
let organization: string;
let employee: string;

before(async () => {
  testing = await emptyDatabase();
  folder = await mkdtemp(path.join(tmpdir(), 'kontor-verify-'));
  const { code } = await run('migrate');
  assert.equal(code, 0);
  const { sql } = testing.database;
  organization = await createOrganization(sql, 'Prüf AG');
  const tenant = await createTenant(sql, organization, 'Prüf GmbH');
  const [stored] = await storeEmployees(sql, organization, [{ tenant, lastName: 'Öztürk' }]);
  employee = stored!.id;
});
after(async () => {
  await testing.drop();
  await rm(folder, { recursive: true });
});

const run = (...args: string[]) =>
  kontorHere(args, { DATABASE_URL: testing.url, KONTOR_DATA_DIR: folder, KONTOR_LOG_LEVEL: 'silent' });

const plant = () => testing.database.sql`
  UPDATE employee SET folded_last_name = 'nobody' WHERE organization_id = ${organization}`;

test('verify reports that all data are consistent', async () => {
  assert.deepEqual(await run('verify'), {
    code: 0,
    stdout: 'The stored data of 1 organization are consistent\n',
    stderr: '',
  });
});

test('verify names problems without personal data, and ends with 2 as long as one is left', async () => {
  await plant();
  const found = await run('verify', '--organization', organization);
  assert.equal(found.code, 2);
  assert.equal(
    found.stdout,
    `repairable  employee ${employee}: folded_last_name: not the folding of the document\n` +
      '1 problem in 1 organization: 0 repaired, 1 repairable, 0 lost\n' +
      'Run kontor verify --repair to rebuild what is repairable\n',
  );
  const repaired = await run('verify', '--repair', '--json');
  assert.equal(repaired.code, 0, repaired.stderr);
  const { findings, ...counts } = JSON.parse(repaired.stdout) as Record<string, any>;
  assert.deepEqual(counts, { organizations: 1, repaired: 1, repairable: 0, lost: 0 });
  assert.deepEqual([findings.length, findings[0].target], [1, employee]);
  assert.equal((await run('verify')).code, 0);
});

test('verify looks only at what --only names', async () => {
  await plant();
  assert.equal((await run('verify', '--only', 'counters', 'ancestors', 'files')).code, 0);
  assert.equal((await run('verify', '--only', 'documents')).code, 2);
  assert.equal((await run('verify', '--only', 'documents', '--repair')).code, 0);
  assert.match((await run('verify', '--only', 'all')).stderr, /expected one of documents, files/);
});

test('verify rejects an unknown organization', async () => {
  const { code, stderr } = await run('verify', '--organization', '0123456789abcdef01234567');
  assert.deepEqual([code, stderr], [1, 'error: there is no organization 0123456789abcdef01234567\n']);
});
