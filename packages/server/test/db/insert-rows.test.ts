import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import pg from 'pg';
import { insertRows } from '../../src/db/insert-rows.ts';
import { testDatabase, type TestDatabase } from '../support/database/database.ts';

let testing: TestDatabase;
/** The driver itself, since a table of this test is none that statements of Kontor may name. */
let session: pg.Client;

before(async () => {
  testing = await testDatabase();
  session = new pg.Client({ connectionString: testing.url });
  await session.connect();
  await session.query(
    'CREATE TEMPORARY TABLE kept (common text, word text, n int8, yes boolean, names text[], place integer)',
  );
});
after(async () => {
  await session.end();
  await testing.drop();
});

const text = fc.string({ unit: 'grapheme' }).map(value => value.replaceAll('\0', ''));
const row = fc.record({
  word: fc.option(text),
  n: fc.option(fc.integer()),
  yes: fc.boolean(),
  names: fc.array(
    text.map(value => `x${value.replaceAll(',', '')}`),
    { maxLength: 3 },
  ),
});

test('rows are stored as they were given, be they few or many', () =>
  fc.assert(
    fc.asyncProperty(fc.array(row, { minLength: 1, maxLength: 12 }), text, async (rows, common) => {
      const columns = [
        { name: 'common', type: 'text', value: common },
        { name: 'word', type: 'text', values: rows.map(({ word }) => word) },
        { name: 'n', type: 'bigint', values: rows.map(({ n }) => n) },
        { name: 'yes', type: 'boolean', values: rows.map(({ yes }) => yes) },
        { name: 'names', type: 'text[]', values: rows.map(({ names }) => names) },
        { name: 'place', type: 'integer', values: rows.map((_, place) => place) },
      ];
      const { text: statement, values } = insertRows('kept', columns);
      await session.query('TRUNCATE kept');
      await session.query({ text: statement, values });
      const { rows: stored } = await session.query<object>(
        'SELECT common, word, n::int, yes, names FROM kept ORDER BY place',
      );
      assert.deepEqual(
        stored.map(each => ({ ...each })),
        rows.map(each => ({ common, ...each })),
      );
    }),
    { numRuns: 60 },
  ));
