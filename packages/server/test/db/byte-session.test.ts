import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import { ByteSession } from '../../src/db/byte-session.ts';
import { stateOf } from '../../src/db/failure.ts';
import { sql } from '../../src/db/sql.ts';
import { testDatabase, type TestDatabase } from '../support/database.ts';
import { ofTest } from '../support/sent-statements.ts';

let testing: TestDatabase;

before(async () => {
  testing = await testDatabase();
});
after(() => testing.drop());

test('values come as the bytes of their text: umlauts, emoji, nulls, anything', async () => {
  const text = fc.string({ unit: 'binary' }).map(value => value.replaceAll('\0', '').toWellFormed());
  const texts = fc.array(fc.option(fc.oneof(text, fc.constantFrom('Größe', 'ß', '😀👩‍👩‍👧', ''))), {
    minLength: 1,
  });
  await fc.assert(
    fc.asyncProperty(texts, async values => {
      const rows = await testing.database.lists.arrays<Buffer | null>(
        sql`SELECT value FROM unnest(${values}::text[]) WITH ORDINALITY AS v (value, n) ORDER BY n`,
      );
      assert.deepEqual(
        rows.map(([value]) => value),
        values.map(value => (value === null ? null : Buffer.from(value))),
      );
    }),
  );
});

test('a value of a megabyte comes whole, in however many pieces it arrives', async () => {
  const text = 'ä€😀x'.repeat(100_000);
  const [row] = await testing.database.lists.arrays<Buffer>(sql`SELECT ${text}::text, ${text}::text`);
  assert.deepEqual(row!.map(String), [text, text]);
});

test('values of every type come as their text', async () => {
  const [row] = await testing.database.lists.arrays<Buffer | null>(
    sql`SELECT 1, true, 1.50, '2026-03-02T08:15:30.123Z'::timestamptz, NULL, '{a,b}'::text[]`,
  );
  assert.deepEqual(
    row!.map(value => value && String(value)),
    ['1', 't', '1.50', '2026-03-02 08:15:30.123+00', null, '{a,b}'],
  );
});

test('rows by the names of their columns have text, as what prepares a session reads them', async () => {
  const rows = await testing.database.lists.rows(
    sql`SELECT pg_is_in_recovery()::text AS recovering, 'ü' AS more`,
  );
  assert.deepEqual(rows, [{ recovering: 'false', more: 'ü' }]);
});

test('errors have their SQLSTATE', async () => {
  await assert.rejects(
    testing.database.lists.arrays(ofTest(sql`SELECT 1 / 0`)),
    error => stateOf(error) === '22012',
  );
});

test('a reply that is none ends the connection, not the process', async () => {
  const server = createServer(socket =>
    socket.once('data', () => socket.write(Buffer.from('D\0\0\0\x06\0\x09', 'latin1'))),
  );
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const session = new ByteSession({ host: '127.0.0.1', port, user: 'kontor', ssl: false });
  await assert.rejects(session.connect(), RangeError);
  assert.ok(session.isLost);
  server.close();
});
