import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { distribute, migrate } from '../../src/db/migrate.ts';
import { kontorHere } from '../cli/in-process.ts';
import {
  emptyClusterDatabase,
  emptyDatabase,
  testDatabase,
  type TestDatabase,
  testNodes,
} from '../support/database/database.ts';
import { findLatestMigration, copyMigrationsWith } from '../support/database/migrations.ts';
import { insertTestData } from '../support/data/test-data.ts';

const isCluster = (await testNodes()) !== null;
const skip = isCluster ? false : 'this server is no coordinator of a Citus cluster: see npm run test:citus';

/** How each table of Kontor is stored: distributed, reference, or plain. */
async function tableKinds({ database: { sql } }: TestDatabase): Promise<Record<string, string>> {
  const rows = await sql<{ name: string; kind: string }[]>`
    SELECT relname AS name, coalesce(citus_table_type, 'plain') AS kind
    FROM pg_class c LEFT JOIN citus_tables ON table_name = c.oid
    WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace`;
  return Object.fromEntries(rows.map(({ name, kind }) => [name, kind]));
}

describe('kontor migrate --distributed', { skip }, () => {
  let testing: TestDatabase;
  before(async () => {
    testing = await emptyClusterDatabase();
  });
  after(() => testing.drop());
  const command = (url: string) => kontorHere(['migrate', '--distributed', '--json'], { DATABASE_URL: url });

  test('distributes a plain database with all of its rows, once', async () => {
    const { sql } = testing.database;
    await migrate(testing.database);
    await insertTestData(sql);
    const everything = async () => {
      const [row] = await sql`SELECT
        (SELECT jsonb_agg(to_jsonb(o) ORDER BY id) FROM organization o) AS organizations,
        (SELECT jsonb_agg(to_jsonb(d) ORDER BY id) FROM division d) AS divisions,
        (SELECT jsonb_agg(to_jsonb(k) ORDER BY id) FROM api_key k) AS keys`;
      return row as object;
    };
    const earlier = await everything();
    const first = await command(testing.url);
    assert.equal(first.code, 0, first.stderr);
    const { distributed } = JSON.parse(first.stdout) as { distributed: string[] };
    assert.equal(distributed[0], 'organization');
    assert.deepEqual(await everything(), earlier);
    const [remains] =
      await sql`SELECT sum(pg_relation_size(logicalrelid))::int AS bytes FROM pg_dist_partition`;
    assert.equal(remains!.bytes, 0);
    const again = JSON.parse((await command(testing.url)).stdout) as object;
    assert.deepEqual(again, { applied: [], distributed: [] });
  });

  test('leaves no table plain', async () => {
    const ofEveryNode = [
      'key_organization',
      'migration',
      'platform_token',
      'portal_credential',
      'portal_email',
      'portal_identity',
      'setting',
    ];
    const kinds = Object.entries(await tableKinds(testing));
    const named = (wanted: string) => kinds.filter(([, kind]) => kind === wanted).map(([name]) => name);
    assert.deepEqual(named('reference').toSorted(), ofEveryNode);
    assert.equal(named('distributed').length, kinds.length - ofEveryNode.length);
  });

  test('a later migration distributes the table that it makes, with its foreign keys, and builds indexes', async () => {
    const header = `-- compatible with: ${await findLatestMigration()}\n`;
    const directory = await copyMigrationsWith({
      '9001_later': `${header}
CREATE TABLE later (
  organization_id text COLLATE "C" NOT NULL, id text COLLATE "C" NOT NULL, name text,
  PRIMARY KEY (organization_id, id), FOREIGN KEY (organization_id) REFERENCES organization);
ALTER TABLE employee ADD COLUMN later text;
CREATE INDEX later_name ON later (organization_id, name);`,
      '9002_batches': `${header}-- runs: in batches\n
UPDATE division SET cost_center = 'L' WHERE (organization_id, id) IN (
  SELECT organization_id, id FROM division WHERE cost_center IS NULL LIMIT 2)`,
      '9003_index': `${header}-- runs: outside of a transaction\n
CREATE INDEX CONCURRENTLY employee_later ON employee (organization_id, later)`,
    });
    const { sql } = testing.database;
    assert.equal((await migrate(testing.database, { directory })).length, 3);
    assert.equal((await tableKinds(testing)).later, 'distributed');
    await assert.rejects(sql`INSERT INTO later VALUES ('nobody', 'x')`, { code: '23503' });
    const [found] = await sql`SELECT count(*)::int AS n FROM division WHERE cost_center IS NULL`;
    assert.equal(found!.n, 0);
  });

  test('without Citus it names what is missing', async () => {
    const plain = await emptyDatabase();
    const { code, stderr } = await command(plain.url);
    assert.equal(code, 1);
    assert.match(stderr, /This database has no Citus: run CREATE EXTENSION citus/);
    await plain.drop();
  });
});

test('the database of a test on a cluster is distributed', { skip }, async () => {
  const testing = await testDatabase();
  assert.ok(!Object.values(await tableKinds(testing)).includes('plain'));
  assert.deepEqual(await distribute(testing.database), []);
  await testing.drop();
});
