import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import { connect, openDatabase } from '../../src/db/connect.ts';
import { isUnavailable } from '../../src/db/failure.ts';
import { raw, sql as statement } from '../../src/db/sql.ts';
import { fakeServer } from './fake-server.ts';
import { waitForLocks } from '../support/database/locks.ts';
import { testDatabase, type TestDatabase } from '../support/database/database.ts';
import { reserveSession, testSql } from '../support/database/sql.ts';

let fresh: TestDatabase;

before(async () => {
  fresh = await testDatabase();
});

after(() => fresh.drop());

test('sessions have limits of time, look after their client, and write times in UTC and ISO 8601', async () => {
  const rows = await fresh.database.sql<{ name: string; value: string }[]>`
    SELECT name, setting AS value FROM pg_settings WHERE name IN
      ('DateStyle', 'lock_timeout', 'statement_timeout', 'idle_in_transaction_session_timeout', 'TimeZone', 'jit',
      'client_connection_check_interval') ORDER BY name`;
  assert.deepEqual(Object.fromEntries(rows.map(row => [row.name, row.value])), {
    DateStyle: 'ISO, MDY',
    TimeZone: 'UTC',
    client_connection_check_interval: '1000',
    idle_in_transaction_session_timeout: '60000',
    jit: 'off',
    lock_timeout: '5000',
    statement_timeout: '59900',
  });
});

test('a pool has no more sessions than it was given, and bears its name', async () => {
  const { writes, close } = connect({ url: fresh.url }, { poolSize: 3, applicationName: 'pool of three' });
  await Promise.all(Array.from({ length: 20 }, () => writes.run(statement`SELECT pg_sleep(0.001)`)));
  const sessions = await writes.run(
    statement`SELECT FROM pg_stat_activity WHERE application_name = 'pool of three'`,
  );
  assert.equal(sessions, 3);
  await close();
});

test('a quick statement never waits behind a slow one while a session is free', async () => {
  const { lists, close } = connect({ url: fresh.url }, { poolSize: 2, applicationName: 'lists' });
  const { sql } = fresh.database;
  const holder = await reserveSession(sql);
  await holder`SELECT pg_advisory_lock(1)`;
  let slowEnded = false;
  const slow = lists.run(statement`SELECT pg_advisory_lock_shared(1)`).then(() => (slowEnded = true));
  await waitForLocks(sql, [slow]);
  await Promise.all(Array.from({ length: 20 }, () => lists.run(statement`SELECT 1`)));
  assert.equal(slowEnded, false);
  await holder`SELECT pg_advisory_unlock(1)`;
  await slow;
  holder.release();
  await close();
});

test('times are the same whatever style the server writes dates in', async () => {
  const { sql } = fresh.database;
  const at = new Date('2026-03-02T08:15:30.123Z');
  await sql.unsafe(`ALTER DATABASE "${new URL(fresh.url).pathname.slice(1)}" SET datestyle = 'German'`);
  const database = connect({ url: fresh.url });
  const [row] = await database.writes.rows<{ at: Date }>(statement`SELECT ${at}::timestamptz AS at`);
  assert.deepEqual(row!.at, at);
  await database.close();
});

test('arrays of texts come back as they were sent', async () => {
  const { sql } = fresh.database;
  const texts = fc.array(fc.option(fc.string({ unit: 'binary' }).map(text => text.replaceAll('\0', ''))));
  await fc.assert(
    fc.asyncProperty(texts, async names => {
      const wellFormed = names.map(name => name && name.toWellFormed());
      const [row] = await sql`SELECT ${wellFormed}::text[] AS names`;
      assert.deepEqual(row!.names, wellFormed);
    }),
  );
});

test('arrays of every type that statements use are parameters', async () => {
  const { sql } = fresh.database;
  const values = {
    smallint: [1, null],
    boolean: [true, false, null],
    bigint: ['9007199254740993'],
    float8: ['-1.5', 'Infinity'],
    date: ['2026-03-02'],
    timestamptz: ['2026-03-02T08:15:30.123Z', '-infinity'],
    numeric: ['12.50'],
  };
  for (const [type, array] of Object.entries(values)) {
    const literal = `{${array.map(String).join(',')}}`;
    const [row] = await sql`SELECT ${array}::${raw(type)}[] = ${literal}::${raw(type)}[] AS same`;
    assert.equal(row!.same, true, type);
  }
});

for (const name of ['reads', 'lists', 'writes'] as const)
  test(`a server in recovery is not used by ${name}, since replicas show transactions in another order`, async () => {
    const { url, stop } = await fakeServer({ recovering: 'true' });
    const { [name]: pool, close } = connect({ url });
    await assert.rejects(
      pool.run(statement`SELECT 1`),
      error => isUnavailable(error) && /in recovery/.test((error as Error).message),
    );
    await close();
    await stop();
  });

test('a database URL is used instead of the data folder', async () => {
  const database = await openDatabase({
    databaseUrl: fresh.url,
    dataDirectory: '/nonexistent',
    owner: 'command',
  });
  const [row] = await testSql(database)`SELECT current_setting('application_name') AS name`;
  assert.equal(row!.name, 'kontor command');
  await database.close();
});

test('two test databases do not see each other', async () => {
  const other = await testDatabase();
  await fresh.database.sql`INSERT INTO setting (name, value) VALUES ('mine', '')`;
  assert.equal((await other.database.sql`SELECT FROM setting WHERE name = 'mine'`).length, 0);
  await other.drop();
});
