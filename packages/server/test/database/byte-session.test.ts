import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import { stateOf } from '../../src/database/failure.ts';
import { sql } from '../../src/database/sql.ts';
import { testDatabase, type TestDatabase } from '../support/database.ts';
import { ofTest } from '../support/sent-statements.ts';

let testing: TestDatabase;

before(async () => {
  testing = await testDatabase();
});
after(() => testing.drop());

const bytesOf = (text: string) => Buffer.from(text, 'utf8').toString('latin1');

test('values come as the bytes of their text, one character each: umlauts, emoji, nulls, anything', async () => {
  const text = fc.string({ unit: 'binary' }).map(value => value.replaceAll('\0', '').toWellFormed());
  const texts = fc.array(fc.option(fc.oneof(text, fc.constantFrom('Größe', 'ß', '😀👩‍👩‍👧', ''))), {
    minLength: 1,
  });
  await fc.assert(
    fc.asyncProperty(texts, async values => {
      const rows = await testing.database.lists.arrays<string | null>(
        sql`SELECT value FROM unnest(${values}::text[]) WITH ORDINALITY AS v (value, n) ORDER BY n`,
      );
      assert.deepEqual(
        rows.map(row => row[0]),
        values.map(value => value && bytesOf(value)),
      );
    }),
  );
});

test('a value of a megabyte comes whole, in however many pieces it arrives', async () => {
  const text = 'ä€😀x'.repeat(100_000);
  const [row] = await testing.database.lists.arrays<string>(sql`SELECT ${text}::text, ${text}::text`);
  assert.equal(row![0], bytesOf(text));
  assert.equal(row![1], bytesOf(text));
});

test('values of every type come as their text', async () => {
  const [row] = await testing.database.lists.arrays(
    sql`SELECT 1, true, 1.50, '2026-03-02T08:15:30.123Z'::timestamptz, NULL, '{a,b}'::text[]`,
  );
  assert.deepEqual(row, ['1', 't', '1.50', '2026-03-02 08:15:30.123+00', null, '{a,b}']);
});

test('errors have their SQLSTATE', async () => {
  await assert.rejects(
    testing.database.lists.arrays(ofTest(sql`SELECT 1 / 0`)),
    error => stateOf(error) === '22012',
  );
});
