import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import type { Sql } from '../support/database/sql.ts';
import { createOrganization, createTenant } from '../../src/features/organizations/store.ts';
import { testDatabase, type TestDatabase } from '../support/database/database.ts';
import { storeEmployees } from '../support/data/employees.ts';
import { stateOf } from '../support/data/test-data.ts';
import { backendGone, blockedImport, runImport } from './blocked-import.ts';

let testing: TestDatabase;
let sql: Sql;
let folder: string;
let file: string;
let organizationId: string;
let tenantId: string;

before(async () => {
  testing = await testDatabase();
  sql = testing.database.sql;
  folder = await mkdtemp(path.join(tmpdir(), 'kontor-import-'));
  file = path.join(folder, 'people.csv');
  organizationId = await createOrganization(sql, 'Muster');
  tenantId = await createTenant(sql, organizationId, 'Muster GmbH');
  await storeEmployees(sql, organizationId, [{ tenant: tenantId }]);
  const rows = Array.from({ length: 3000 }, (_, index) => `p${index}@example.com,D${index % 5}\n`);
  await writeFile(file, `email,department\n${rows.join('')}`);
});
after(async () => {
  await testing.drop();
  await rm(folder, { recursive: true });
});

const place = () => ({ organizationId, tenantId, file });
const rejectedFile = () => path.join(folder, 'people.rejected.csv');
const byDepartment = ['--division-column', 'department'];

/** The whole content that an import may change, divisions included. */
async function state(): Promise<string> {
  const divisions = await sql`SELECT * FROM division ORDER BY id`;
  return (await stateOf(sql)) + JSON.stringify(divisions);
}

test('an import that is killed after its rows were inserted leaves nothing behind, and the server notices', async () => {
  const earlier = await state();
  const blocked = await blockedImport(testing, { ...place(), inserted: true }, byDepartment);
  blocked.process.kill('SIGKILL');
  await blocked.ended;
  await backendGone(sql, blocked.backend);
  await blocked.release();
  assert.equal(await state(), earlier);
});

test('Ctrl-C ends an import with exit code 130 and leaves no row and no file behind', async () => {
  const [earlier, files] = [await state(), await readdir(folder)];
  const blocked = await blockedImport(testing, { ...place(), inserted: true }, byDepartment);
  blocked.process.kill('SIGINT');
  assert.deepEqual(await blocked.ended, { exitCode: 130, json: null });
  await backendGone(sql, blocked.backend);
  await blocked.release();
  assert.equal(await state(), earlier);
  assert.deepEqual(await readdir(folder), files);
});

test('an import whose connection is lost ends with exit code 1 and one line, and leaves nothing behind', async () => {
  const [earlier, files] = [await state(), await readdir(folder)];
  const blocked = await blockedImport(testing, { ...place(), inserted: true }, byDepartment);
  await sql`SELECT pg_terminate_backend(${blocked.backend}::int)`;
  assert.deepEqual(await blocked.ended, { exitCode: 1, json: null });
  await blocked.release();
  assert.equal(await state(), earlier);
  assert.deepEqual(await readdir(folder), files);
});

test('a write before the import is stored, and the row that collides with it is rejected', async () => {
  const blocked = await blockedImport(testing, place(), byDepartment);
  await blocked.release(transaction =>
    storeEmployees(transaction, organizationId, [{ tenant: tenantId, email: 'p7@example.com' }]),
  );
  assert.deepEqual(await blocked.ended, {
    exitCode: 2,
    json: { imported: 2999, rejected: 1, divisions: 5, emails: 0, leftOut: 0, rejectedFile: rejectedFile() },
  });
});

test('an import in which everything is rejected exits with 2, and a missing column with 1 and one line', async () => {
  const args = [file, '--tenant', tenantId];
  const again = await runImport(testing, [...args, ...byDepartment, '--json']);
  assert.deepEqual(again, {
    exitCode: 2,
    json: { imported: 0, rejected: 3000, divisions: 0, emails: 0, leftOut: 0, rejectedFile: rejectedFile() },
    errors: '',
  });
  const rejected = await runImport(testing, [...args, '--map', 'x=city']);
  assert.deepEqual([rejected.exitCode, rejected.json], [1, null]);
  assert.match(rejected.errors, /^error: the file has no column "x"\n$/);
});
