import assert from 'node:assert/strict';
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { connect } from '../../src/database/connect.ts';
import { migrate, migrationsDirectory } from '../../src/database/migrate.ts';
import { emptyDatabase, testDatabase, type TestDatabase } from '../support/database.ts';

let folder: string;
let empty: TestDatabase;

before(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'kontor-migrations-'));
  empty = await emptyDatabase();
});

after(async () => {
  await empty.drop();
  await rm(folder, { recursive: true });
});

/** The migrations of this version, and more. */
async function migrationsWith(name: string, more: Record<string, string>): Promise<string> {
  const directory = path.join(folder, name);
  await cp(migrationsDirectory, directory, { recursive: true });
  for (const [file, text] of Object.entries(more)) await writeFile(path.join(directory, file), text);
  return directory;
}

test('processes that migrate at once apply every migration once', async () => {
  const others = [1, 2, 3].map(() => connect({ url: empty.url }, { poolSize: 1 }));
  const applied = await Promise.all([empty.database, ...others].map(({ writes }) => migrate(writes)));
  await Promise.all(others.map(other => other.close()));
  const rows = await empty.database.sql`SELECT name FROM migration ORDER BY name`;
  assert.deepEqual(
    applied.flat().sort(),
    rows.map(row => row.name),
  );
  assert.equal(rows[0]!.name, '0001_foundation');
});

test('a database that is up to date is left alone', async () => {
  const { database, drop } = await testDatabase();
  assert.deepEqual(await migrate(database.sql), []);
  await drop();
});

test('a later migration is applied to a database that has the earlier ones', async () => {
  const { database, drop } = await testDatabase();
  const directory = await migrationsWith('later', { '9001_later.sql': 'CREATE TABLE later (); SELECT 1;' });
  assert.deepEqual(await migrate(database.sql, directory), ['9001_later']);
  await database.sql`SELECT FROM later`;
  await drop();
});

test('a database that is newer than the code is refused by name', async () => {
  const { database, drop } = await testDatabase();
  const directory = await migrationsWith('newer', { '9001_newer.sql': 'SELECT 1' });
  await migrate(database.sql, directory);
  await assert.rejects(migrate(database.sql), /newer than this version.*9001_newer: update Kontor/);
  await drop();
});

test('a migration that was edited after it had been applied is refused', async () => {
  const { database, drop } = await testDatabase();
  const directory = await migrationsWith('edited', { '9001_edited.sql': 'SELECT 1' });
  await migrate(database.sql, directory);
  await writeFile(path.join(directory, '9001_edited.sql'), 'SELECT 2');
  await assert.rejects(migrate(database.sql, directory), /9001_edited was edited/);
  await drop();
});

test('a migration that fails leaves nothing behind and names itself', async () => {
  const { database, drop } = await testDatabase();
  const directory = await migrationsWith('failing', {
    '9001_failing.sql': 'CREATE TABLE half (); SELECT * FROM missing;',
  });
  await assert.rejects(
    migrate(database.sql, directory),
    /9001_failing failed: relation "missing" does not exist/,
  );
  const [row] = await database.sql`SELECT to_regclass('half') AS half`;
  assert.equal(row!.half, null);
  await drop();
});

test('a database with another encoding than UTF8 is refused', async () => {
  const latin = await emptyDatabase(`ENCODING 'LATIN1' LOCALE_PROVIDER libc LOCALE 'C'`);
  await assert.rejects(migrate(latin.database.sql), /encoding UTF8, this one has LATIN1/);
  await latin.drop();
});
