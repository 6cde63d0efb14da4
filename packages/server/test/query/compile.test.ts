import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import fc from 'fast-check';
import { type Field, type FieldType, type Filter, fold, parseFilter } from '@kontor/contract';
import { filters, record } from '../../../contract/test/support/arbitraries.ts';
import { evaluate, type FilterRecord } from '../../../contract/test/support/evaluate.ts';
import { compileFilter } from '../../src/query/compile.ts';
import { searchText } from '../../src/query/search-text.ts';
import type { CollectionTable } from '../../src/query/check.ts';
import { hidden, plain, sql } from '../../src/db/sql.ts';
import { execute } from '../../src/db/pool.ts';
import { employeeResource } from '../../src/features/employees/mapping.ts';
import { testDatabase, type TestDatabase } from '../support/database/database.ts';
import { ofTest } from '../support/database/sent-statements.ts';

function compiled(text: string, narrow = false): [string, unknown[]] {
  const fragment = compileFilter(parseFilter(text), employeeResource, { narrow });
  return [fragment.text, fragment.values];
}

describe('the SQL of a filter', () => {
  it('compares folded text', () => {
    assert.deepEqual(compiled("lastName = 'STRASSE'"), ['folded_last_name = $1::text', ['strasse']]);
  });

  it('makes != the complement of =, null included', () => {
    assert.deepEqual(compiled('city != Bonn'), ['folded_city IS DISTINCT FROM $1::text', ['bonn']]);
  });

  it('takes % and _ and the backslash as they are', () => {
    assert.deepEqual(compiled(String.raw`street CONTAINS '50%_\x'`), [
      'folded_street LIKE $1::text',
      [String.raw`%50\%\_\\x%`],
    ]);
  });

  it('sends a list of values as one array', () => {
    assert.deepEqual(compiled('city IN (Bonn, Köln)'), ['folded_city = ANY($1::text[])', [['bonn', 'köln']]]);
  });

  it('keeps the structure of AND and OR', () => {
    const [sql] = compiled('(city = a OR city = b) AND blocked = TRUE AND firstName IS NOT NULL');
    assert.equal(
      sql,
      '((folded_city = $1::text OR folded_city = $2::text) AND blocked = $3::boolean AND folded_first_name IS NOT NULL)',
    );
  });

  it('moves the bound when an instant has a part of a millisecond', () => {
    const at = '2026-09-02T08:15:30.1234Z';
    const value = ['2026-09-02T08:15:30.123Z'];
    assert.deepEqual(compiled(`updatedAt >= ${at}`), ['updated_at > $1::timestamptz', value]);
    assert.deepEqual(compiled(`updatedAt > ${at}`), ['updated_at > $1::timestamptz', value]);
    assert.deepEqual(compiled(`updatedAt < ${at}`), ['updated_at <= $1::timestamptz', value]);
    assert.deepEqual(compiled(`updatedAt <= ${at}`), ['updated_at <= $1::timestamptz', value]);
    assert.deepEqual(compiled(`updatedAt = ${at}`), ['false', []]);
    assert.deepEqual(compiled(`updatedAt != ${at}`), ['true', []]);
    assert.deepEqual(compiled(`updatedAt IN (${at})`), ['false', []]);
  });

  it('has the year 0, which PostgreSQL does not know, before everything', () => {
    assert.deepEqual(compiled('updatedAt > 0000-01-01T00:00:00Z'), [
      "updated_at > '-infinity'::timestamptz",
      [],
    ]);
  });

  it('lets the trigram index narrow text operators and equality, from three letters or digits in a row', () => {
    const narrowed = (filter: string) => compiled(filter, true)[1][1] ?? null;
    assert.equal(
      compiled('lastName CONTAINS sch', true)[0],
      '(folded_last_name LIKE $1::text AND search LIKE $2::text)',
    );
    assert.equal(narrowed('lastName CONTAINS sch'), '%sch%');
    assert.equal(narrowed('lastName STARTS_WITH sch'), '%\nsch%');
    assert.equal(narrowed('lastName ENDS_WITH sch'), '%sch\n%');
    assert.equal(narrowed('city = sch'), '%\nsch\n%');
    // A column with an index of its own needs no help.
    assert.equal(narrowed('lastName = sch'), null);
    assert.equal(narrowed('lastName CONTAINS sc'), null);
    // Other alphabets are spelled in ASCII, so two characters of them suffice.
    assert.equal(narrowed('lastName CONTAINS Mü'), '%mq70%');
    assert.equal(narrowed('lastName CONTAINS 王伟'), '%qmtnqfmn%');
    assert.equal(narrowed("lastName CONTAINS 'a-b c'"), null);
    assert.equal(narrowed('lastName != sch'), null);
    assert.equal(narrowed('lastName > sch'), null);
    assert.equal(narrowed('id = abcdef'), null);
  });

  it('compiles the two terms of a poller into one row comparison', () => {
    const poll = 'updatedAt >= 2026-01-01T00:00:00Z AND (updatedAt > 2026-01-01T00:00:00Z OR id > ABC)';
    assert.deepEqual(compiled(poll), [
      '((updated_at, id) > ($1::timestamptz, $2::text))',
      ['2026-01-01T00:00:00.000Z', 'abc'],
    ]);
    assert.equal(
      compiled('(id < x OR city < a) AND city <= a')[0],
      '((folded_city, id) < ($1::text, $2::text))',
    );
    assert.equal(
      compiled(`${poll} AND blocked = true`)[0],
      '((updated_at, id) > ($1::timestamptz, $2::text) AND blocked = $3::boolean)',
    );
  });

  it('leaves terms that only resemble those of a poller', () => {
    for (const filter of [
      'city >= a AND (city > b OR id > x)',
      'city >= a AND (city > a OR id < x)',
      'city >= a AND (city > a OR id > x OR id > y)',
      'city > a AND (city > a OR id > x)',
      'city >= a OR city > a AND id > x',
      'city >= a AND (firstName > a OR id > x)',
    ])
      assert.doesNotMatch(compiled(filter)[0], /, id\)/);
  });
});

const types: FieldType[] = ['string', 'boolean', 'date', 'date-time', 'number', 'decimal', 'enum'];
const fields = new Map<string, Field>(
  types.flatMap(type => {
    const name = type.replace('-', '');
    const field = { name, type, values: type === 'enum' ? ['open', 'Open', 'closed'] : [] };
    return [
      [name, { ...field, nullable: true }],
      [`${name}Always`, { ...field, name: `${name}Always`, nullable: false }],
    ] as [string, Field][];
  }),
);
fields.set('id', { name: 'id', type: 'string', nullable: false, values: [] });

const columnTypes: Record<FieldType, string> = {
  string: 'text COLLATE "C"',
  boolean: 'boolean',
  date: 'date',
  'date-time': 'timestamptz',
  number: 'double precision',
  decimal: 'numeric',
  enum: 'text COLLATE "C"',
};

const table: CollectionTable = {
  table: 'thing',
  resourceType: 'thing',
  fields,
  columns: new Map(
    [...fields.values()].map(field => [
      field.name,
      {
        name: field.name === 'id' ? 'id' : `c_${field.name}`,
        search: field.type === 'string' && field.name !== 'id',
      },
    ]),
  ),
};

describe('compiled filters over fields of every type', () => {
  let test: TestDatabase;
  before(async () => {
    test = await testDatabase();
    const columns = [...fields.values()].map(field => `"${columnOf(field)}" ${columnTypes[field.type]}`);
    await test.database.sql.unsafe(`CREATE TABLE thing (${columns.join(', ')}, search text COLLATE "C")`);
  });
  after(() => test.drop());

  const columnOf = (field: Field) => table.columns.get(field.name)!.name.toLowerCase();

  async function insert(rows: FilterRecord[]): Promise<void> {
    const stored = rows.map(row => {
      const texts: (string | null)[] = [];
      const values = [...fields.values()].map(field => {
        const value = row[field.name] ?? null;
        if (field.type !== 'string' || value === null) return [columnOf(field), value];
        if (field.name !== 'id') texts.push(fold(String(value)));
        return [columnOf(field), fold(String(value))];
      });
      return { ...Object.fromEntries(values), search: searchText(texts) };
    });
    const { sql: run } = test.database;
    await run`TRUNCATE thing`;
    await run`INSERT INTO thing SELECT * FROM jsonb_populate_recordset(NULL::thing, ${JSON.stringify(stored)}::jsonb)`;
  }

  async function selected(filter: Filter, narrow: boolean, write = plain): Promise<string[]> {
    const where = compileFilter(filter, table, { narrow, write });
    const statement = ofTest(sql`SELECT id FROM thing WHERE ${where} ORDER BY id`);
    const rows = await execute(test.database.lists)(statement, { prepare: false });
    return rows.map(([name]) => name!);
  }

  it('select what the language defines', async () => {
    const rows = fc
      .array(record(fields), { maxLength: 12 })
      .map(records => records.map((row, index) => ({ ...row, id: String.fromCharCode(97 + index) })));
    await fc.assert(
      fc.asyncProperty(
        rows,
        fc.array(filters(fields), { minLength: 8, maxLength: 8 }),
        async (records, asked) => {
          await insert(records);
          for (const filter of asked) {
            const expected = records.filter(row => evaluate(filter, row, fields)).map(row => row.id);
            assert.deepEqual(await selected(filter, false), expected);
            assert.deepEqual(await selected(filter, true), expected);
            assert.deepEqual(await selected(filter, false, hidden), expected);
          }
        },
      ),
      { numRuns: 40 },
    );
  });
});
