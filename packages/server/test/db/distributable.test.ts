import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { referenceTables } from '../../src/db/citus.ts';
import { statementsOf } from '../../src/db/sql.ts';
import { testDatabase, type TestDatabase } from '../support/database/database.ts';

let testing: TestDatabase;
before(async () => {
  testing = await testDatabase();
});
after(() => testing.drop());

/** What keeps the tables of a database from being distributed, on any PostgreSQL. */
async function obstacles(): Promise<string[]> {
  const { sql } = testing.database;
  const rows = await sql<{ obstacle: string }[]>`
    WITH tables AS (
      SELECT c.oid, relname, CASE relname WHEN 'organization' THEN 'id' ELSE 'organization_id' END AS owner
      FROM pg_class c WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace
        AND relname <> ALL(${[...referenceTables]}::text[])
    ), columns AS (
      SELECT t.*, attnum, collname FROM tables t
      LEFT JOIN pg_attribute a ON attrelid = t.oid AND attname = owner
      LEFT JOIN pg_collation l ON l.oid = attcollation
    )
    SELECT relname || ' has no organization_id and is not in referenceTables' AS obstacle FROM columns WHERE attnum IS NULL
    UNION ALL SELECT relname || '.' || owner || ' is not COLLATE "C"' FROM columns WHERE collname <> 'C'
    UNION ALL SELECT indexrelid::regclass || ' is unique without ' || owner
      FROM columns JOIN pg_index ON indrelid = oid WHERE indisunique AND attnum <> ALL(indkey)
    UNION ALL SELECT conname || ' does not begin with ' || owner
      FROM columns JOIN pg_constraint ON conrelid = columns.oid
      WHERE contype = 'f' AND conkey[1] <> attnum
    UNION ALL SELECT c.relname || ' has neither a primary key nor a replica identity'
      FROM columns JOIN pg_class c USING (oid) WHERE c.relreplident = 'd' AND NOT EXISTS (
        SELECT FROM pg_index WHERE indrelid = c.oid AND indisprimary)
    ORDER BY obstacle`;
  return rows.map(row => row.obstacle);
}

test('every table can be distributed by organization, or is one that all nodes have', async () => {
  assert.deepEqual(await obstacles(), []);
});

test('what cannot be distributed is noticed', async () => {
  const { sql } = testing.database;
  await sql`CREATE TABLE keyless (organization_id text COLLATE "C")`;
  await sql`CREATE TABLE lonely (id text PRIMARY KEY)`;
  await sql`CREATE TABLE wrong (id text PRIMARY KEY, organization_id text NOT NULL REFERENCES organization)`;
  assert.deepEqual(await obstacles(), [
    'keyless has neither a primary key nor a replica identity',
    'lonely has no organization_id and is not in referenceTables',
    'wrong.organization_id is not COLLATE "C"',
    'wrong_pkey is unique without organization_id',
  ]);
  await sql`DROP TABLE keyless, lonely, wrong`;
});

test('a migration is taken apart into its statements', () => {
  const body = `CREATE FUNCTION f() RETURNS int LANGUAGE sql AS $x$ SELECT 1; -- ;\n$x$`;
  assert.deepEqual(
    statementsOf(
      `-- a; comment\n\n${body};\nINSERT INTO t VALUES ('a;''b', "c;d"); /* ; */ ;\n-- last; one\n`,
    ),
    [`-- a; comment\n\n${body}`, `INSERT INTO t VALUES ('a;''b', "c;d")`],
  );
});
