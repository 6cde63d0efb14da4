import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import { sql as statement } from '../../src/db/sql.ts';
import { copyFrom, copyLine, type CopyValue } from '../../src/db/copy.ts';
import { reserveSession, type Sql } from '../support/database/sql.ts';
import { isUnavailable, stateOf } from '../../src/db/failure.ts';
import { testDatabase, type TestDatabase } from '../support/database/database.ts';

let testing: TestDatabase;
let sql: Sql;
const never = new AbortController().signal;

before(async () => {
  testing = await testDatabase();
  sql = testing.database.sql;
});
after(() => testing.drop());

async function* once(text: string) {
  yield text;
}

test('COPY stores every text, number and null as it was', async () => {
  const text = fc.oneof(
    fc.string({ unit: fc.constantFrom('\\', '\n', '\r', '\t', 'N', '.', 'n', '\b', '"', 'ä', '😀') }),
    fc.string({ unit: 'binary' }).filter(value => value.isWellFormed() && !value.includes('\0')),
  );
  const row = fc.tuple(fc.option(text), fc.option(fc.integer()), fc.option(fc.boolean()));
  const session = await reserveSession(sql);
  await session`CREATE TEMPORARY TABLE copied (t text, i integer, b boolean, line serial)`;
  await fc.assert(
    fc.asyncProperty(fc.array(row, { minLength: 5 }), async rows => {
      await session`TRUNCATE copied RESTART IDENTITY`;
      const lines = rows.map(values => copyLine(values as CopyValue[])).join('');
      await copyFrom(session, statement`COPY copied (t, i, b) FROM STDIN`, once(lines), never);
      const stored = await session`SELECT t, i, b FROM copied ORDER BY line`;
      assert.deepEqual(
        stored.map(row => Object.values(row)),
        rows,
      );
    }),
    { numRuns: 40 },
  );
  session.release();
});

test('a text with a NUL character is rejected before it is sent', () => {
  assert.throws(() => copyLine(['a\0b']), RangeError);
});

test('a COPY that the server rejects fails, and the session goes on after a rollback', async () => {
  const session = await reserveSession(sql);
  await session`CREATE TEMPORARY TABLE numbers (n integer)`;
  await session`BEGIN`;
  await assert.rejects(copyFrom(session, statement`COPY numbers FROM STDIN`, once('1\nx\n'), never));
  await session`ROLLBACK`;
  assert.equal((await session`SELECT FROM numbers`).length, 0);
  session.release();
});

test('lines that fail and an abort end the COPY with their error', async () => {
  const session = await reserveSession(sql);
  await session`CREATE TEMPORARY TABLE letters (t text)`;
  async function* failing() {
    yield 'a\n';
    throw new Error('no more lines');
  }
  await assert.rejects(
    copyFrom(session, statement`COPY letters FROM STDIN`, failing(), never),
    /no more lines/,
  );
  const abort = new AbortController();
  async function* aborting() {
    yield 'a\n';
    abort.abort();
    yield 'b\n';
  }
  await assert.rejects(copyFrom(session, statement`COPY letters FROM STDIN`, aborting(), abort.signal), {
    name: 'AbortError',
  });
  assert.equal((await session`SELECT FROM letters`).length, 0);
  session.release();
});

test('a connection that is lost during a COPY is an error, not a crash', async () => {
  const lost = await testDatabase();
  const session = await reserveSession(lost.database.sql);
  await session`CREATE TEMPORARY TABLE letters (t text)`;
  const [backend] = await session<{ pid: number }[]>`SELECT pg_backend_pid() AS pid`;
  async function* lines() {
    yield 'a\n';
    await sql`SELECT pg_terminate_backend(${backend!.pid}::int, 5000)`;
    for (;;) yield 'b\n'.repeat(10_000);
  }
  await assert.rejects(
    copyFrom(session, statement`COPY letters FROM STDIN`, lines(), never),
    error => isUnavailable(error) || stateOf(error) === '57P01',
  );
  await lost.drop();
});
