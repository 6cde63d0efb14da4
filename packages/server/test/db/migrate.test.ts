import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { after, afterEach, before, beforeEach, describe, test } from 'node:test';
import { connect } from '../../src/db/connect.ts';
import { migrate } from '../../src/db/migrate.ts';
import { stallingProxy } from '../support/servers/stalling-proxy.ts';
import { emptyDatabase, testDatabase, type TestDatabase } from '../support/database/database.ts';
import { findLatestMigration, copyMigrationsWith } from '../support/database/migrations.ts';

/** The header of a migration that versions with this one can work beside. */
const compatibleWith = (number: string) => `-- compatible with: ${number}\n\n`;
const later = compatibleWith('9001');

let testing: TestDatabase;
let latest: string;

before(async () => {
  latest = await findLatestMigration();
});
beforeEach(async () => {
  testing = await testDatabase();
});
afterEach(() => testing.drop());

test('migrate finds the extensions in another schema, where hosting providers install them', async () => {
  const empty = await emptyDatabase();
  await empty.database.sql.unsafe(
    'CREATE SCHEMA "Extensions"; CREATE EXTENSION pg_trgm SCHEMA "Extensions"; CREATE EXTENSION btree_gin SCHEMA "Extensions"',
  );
  const database = connect({ url: empty.url });
  assert.ok((await migrate(database)).length > 0);
  await database.close();
  await empty.drop();
});

describe('migrate', () => {
  let empty: TestDatabase;
  before(async () => {
    empty = await emptyDatabase();
  });
  after(() => empty.drop());

  test('applies every migration once where processes begin at once', async () => {
    const others = [1, 2, 3].map(() => connect({ url: empty.url }, { poolSize: 1 }));
    const applied = await Promise.all([empty.database, ...others].map(database => migrate(database)));
    await Promise.all(others.map(other => other.close()));
    const rows = await empty.database.sql`SELECT name FROM migration ORDER BY name`;
    assert.deepEqual(
      applied.flat().sort(),
      rows.map(row => row.name),
    );
    assert.equal(rows[0]!.name, '0001_organizations');
  });

  test('leaves a database alone that is up to date', async () => {
    assert.deepEqual(await migrate(testing.database), []);
  });

  test('applies a later migration to a database that has the earlier ones', async () => {
    const directory = await copyMigrationsWith({ '9001_later': `${later}CREATE TABLE later (); SELECT 1;` });
    assert.deepEqual(await migrate(testing.database, { directory }), ['9001_later']);
    await testing.database.sql`SELECT FROM later`;
  });

  test('rejects a migration that was edited after it had been applied', async () => {
    const directory = await copyMigrationsWith({ '9001_edited': `${later}SELECT 1` });
    await migrate(testing.database, { directory });
    await writeFile(path.join(directory, '9001_edited.sql'), `${later}SELECT 2`);
    await assert.rejects(migrate(testing.database, { directory }), /9001_edited was edited/);
  });

  test('leaves nothing behind of a migration that fails, and names it', async () => {
    const directory = await copyMigrationsWith({
      '9001_failing': `${later}CREATE TABLE half (); SELECT * FROM missing;`,
    });
    await assert.rejects(
      migrate(testing.database, { directory }),
      /9001_failing failed: relation "missing" does not exist/,
    );
    const [row] = await testing.database.sql`SELECT to_regclass('half') AS half`;
    assert.equal(row!.half, null);
  });

  test('rejects a database with another encoding than UTF8', async () => {
    const latin = await emptyDatabase(`ENCODING 'LATIN1' LOCALE_PROVIDER libc LOCALE 'C'`);
    await assert.rejects(migrate(latin.database), /encoding UTF8, this one has LATIN1/);
    await latin.drop();
  });

  test('does not migrate through a pooler, and runs through it where there is nothing to do', async () => {
    const pooler = await stallingProxy(testing.url, { notifications: false });
    const database = connect({ url: pooler.url });
    assert.deepEqual(await migrate(database), []);
    const directory = await copyMigrationsWith({ '9001_later': `${later}SELECT 1` });
    await assert.rejects(migrate(database, { directory }), /goes through a pooler/);
    assert.deepEqual(await migrate(testing.database, { directory }), ['9001_later']);
    await database.close();
    await pooler.close();
  });
});

describe('a schema that is newer than the version', () => {
  test('is used where it declares this version compatible, and the operator is notified', async () => {
    const directory = await copyMigrationsWith({
      '9001_expand': `${compatibleWith(latest)}ALTER TABLE employee ADD COLUMN planted text`,
    });
    await migrate(testing.database, { directory });
    const reported: string[] = [];
    assert.deepEqual(await migrate(testing.database, { log: line => reported.push(line) }), []);
    assert.match(reported.join(), /^the database is newer than this version, .*: 9001_expand$/);
  });

  test('is rejected where it is compatible only with versions that have its migrations', async () => {
    const directory = await copyMigrationsWith({ '9001_newer': `${later}SELECT 1` });
    await migrate(testing.database, { directory });
    const message = `is newer than this version of Kontor: its migration 9001_newer is for versions that know 9001, and this one knows migrations up to ${latest}: update Kontor$`;
    await assert.rejects(migrate(testing.database), new RegExp(message));
  });

  test('is rejected by a release after the contraction, and accepted by the one between', async () => {
    const expand = `${compatibleWith(latest)}ALTER TABLE employee ADD COLUMN planted text`;
    const contract = `${compatibleWith('9001')}ALTER TABLE employee ALTER COLUMN planted SET NOT NULL`;
    const between = await copyMigrationsWith({ '9001_expand': expand });
    const directory = await copyMigrationsWith({ '9001_expand': expand, '9002_contract': contract });
    await migrate(testing.database, { directory });
    assert.deepEqual(await migrate(testing.database, { directory: between }), []);
    await assert.rejects(migrate(testing.database), /9002_contract is for versions that know 9001/);
  });

  test('is rejected as well while the newer migration is half done', async () => {
    const batches = '-- compatible with: 9001\n-- runs: in batches\n\n';
    const directory = await copyMigrationsWith({
      '9001_broken': `${batches}UPDATE organization SET incident_sequence = 1 / 0`,
    });
    await testing.database.sql`INSERT INTO organization (id, name, folded_name) VALUES ('a', 'a', 'a')`;
    await assert.rejects(migrate(testing.database, { directory }), /9001_broken failed: division by zero/);
    await assert.rejects(migrate(testing.database), /is newer than this version.*9001_broken/);
  });

  test('is rejected where it lacks what this version needs', async () => {
    const other = await copyMigrationsWith({ '9002_other': `${compatibleWith(latest)}SELECT 1` });
    await migrate(testing.database, { directory: other });
    const directory = await copyMigrationsWith({ '9001_own': `${later}SELECT 1` });
    await assert.rejects(
      migrate(testing.database, { directory }),
      /has migration 9002_other of another version of Kontor, but not 9001_own of this one/,
    );
  });
});
