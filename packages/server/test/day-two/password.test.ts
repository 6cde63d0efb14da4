import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { raw } from '../../src/db/sql.ts';
import { findPassword } from '../../src/db/servers/password-file.ts';
import { testDatabase, type TestDatabase } from '../support/database/database.ts';
import { insertTestData, type TestData, testPepper } from '../support/data/test-data.ts';
import { openPepper } from '../../src/features/keys/pepper.ts';
import { startServiceProcess } from '../support/service/kontor.ts';
import { assertServed, startLoad } from './load.ts';

let testing: TestDatabase;
let testData: TestData;
let folder: string;
let file: string;
const role = `kontor_rotated_${process.pid}`;

before(async () => {
  testing = await testDatabase();
  const { sql } = testing.database;
  testData = await insertTestData(sql);
  folder = await mkdtemp(path.join(tmpdir(), 'kontor-password-'));
  file = path.join(folder, 'passfile');
  await openPepper(sql, { secret: testPepper.toString(), dataDirectory: folder });
  await sql.run(raw(`CREATE ROLE ${role} LOGIN SUPERUSER PASSWORD 'one'`));
});
after(async () => {
  await testing.database.sql.run(raw(`DROP ROLE ${role}`));
  await testing.drop();
  await rm(folder, { recursive: true });
});

/** The URL of the database with the role, its password in the file. */
function urlOf(): string {
  const url = new URL(testing.url);
  [url.username, url.password] = [role, ''];
  url.searchParams.set('passfile', file);
  return url.href;
}

const write = (password: string) => writeFile(file, `# Kontor\n*:*:*:${role}:${password}\n`, { mode: 0o600 });

/** Ends all sessions of the role, so that each opens anew. */
const endSessions = () =>
  testing.database.sql`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = ${role}`;

test('under load the password is rotated without a restart, and new sessions always open', async t => {
  const { sql } = testing.database;
  await write('one');
  const service = await startServiceProcess({ variables: { DATABASE_URL: urlOf() } });
  const load = startLoad(service.url, testData.keys.all, testData.north);
  t.after(load.stop);
  await load.more(2);
  // The file has the new password, and the role still the old one: new sessions use the one that worked last.
  await write('two');
  load.take();
  await endSessions();
  await load.more(3);
  await sql.run(raw(`ALTER ROLE ${role} PASSWORD 'two'`));
  await load.more(1);
  await endSessions();
  await load.more(3);
  // A request whose session was ended is answered with 503.
  assertServed(load.take());
  await load.stop();
  await service.end('SIGTERM');
});

const owner = { hosts: [{ host: 'db.example.com', port: 5432 }], database: 'kontor', user: 'kontor' };

for (const [text, password] of [
  ['db.example.com:5432:kontor:kontor:secret', 'secret'],
  ['# a comment\n\n*:*:*:kontor:secret\n', 'secret'],
  ['other:*:*:*:wrong\n*:5432:*:*:right', 'right'],
  [String.raw`*:*:*:*:a\:b\\c`, String.raw`a:b\c`],
  ['*:*:*:other:secret', null],
  ['secret', null],
] as const)
  test(`the passfile ${JSON.stringify(text)} has the password ${password}`, () => {
    assert.equal(findPassword(text, owner), password);
  });

test('a Unix socket is localhost in a passfile', () => {
  const socket = { ...owner, hosts: [{ host: '/run/postgresql', port: 5432 }] };
  assert.equal(findPassword('localhost:*:*:*:secret', socket), 'secret');
});
