import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { after, afterEach, beforeEach, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { migrate } from '../../src/db/migrate.ts';
import { until } from '../../../embedded-postgres/test/visitors.ts';
import { testDatabase, type TestDatabase } from '../support/database/database.ts';
import { copyMigrationsWith } from '../support/database/migrations.ts';
import { reserveSession, type Sql, type TestSession } from '../support/database/sql.ts';

const timeout = 60_000;
const add = '-- compatible with: 0003\n\nALTER TABLE planted ADD COLUMN more text';
const fill = `-- compatible with: 0003
-- runs: in batches

UPDATE planted SET filled = filled + 1
WHERE id IN (SELECT id FROM planted WHERE filled = 0 ORDER BY id LIMIT 3)`;
const index = `-- compatible with: 0003
-- runs: outside of a transaction

CREATE INDEX CONCURRENTLY planted_filled ON planted (filled)`;
const unique = index.replace('CREATE INDEX', 'CREATE UNIQUE INDEX');

let testing: TestDatabase;
let sql: Sql;
/** A session with a transaction that gets in the way of migrations. */
let holder: TestSession & { release(): void };
let holderPid: number;
const processes = new Set<ChildProcess>();

beforeEach(async () => {
  testing = await testDatabase();
  sql = testing.database.sql;
  await sql`CREATE TABLE planted AS SELECT id, 0 AS filled FROM generate_series(1, 10) AS id`;
  holder = await reserveSession(sql);
  [{ pid: holderPid }] = (await holder`SELECT pg_backend_pid() AS pid`) as [{ pid: number }];
  await holder`BEGIN`;
});
afterEach(async () => {
  holder.release();
  await testing.drop();
});
after(() => processes.forEach(child => child.kill('SIGKILL')));

/** Migrates in a process of its own, which can be killed. */
function startMigrating(directory: string): { kill(): Promise<void> } {
  const script = fileURLToPath(import.meta.resolve('./migrating.ts'));
  const child = spawn(process.execPath, [script, testing.url, directory], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  processes.add(child);
  const ended = once(child, 'exit');
  return {
    async kill() {
      assert.equal(child.exitCode, null);
      child.kill('SIGKILL');
      await ended;
    },
  };
}

/** Resolves when a session that migrates waits for the holder. */
const isHeld = () =>
  until(async () => {
    const waiting = await sql`
      SELECT FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'kontor migration'
        AND ${holderPid} = ANY(pg_blocking_pids(pid))`;
    return waiting.length > 0;
  });

/** Resolves when no session migrates any more: that of a killed process goes on until the server notices. */
const isOver = () =>
  until(async () => {
    const sessions = await sql`
      SELECT FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'kontor migration'`;
    return sessions.length === 0;
  });

/** How often each row was filled. */
async function filled(): Promise<number[]> {
  const rows = await sql<{ filled: number }[]>`SELECT filled FROM planted ORDER BY id`;
  return rows.map(row => row.filled);
}

/** Whether the index is complete; undefined when there is none. */
async function indexIsValid(): Promise<boolean | undefined> {
  const [found] = await sql<{ valid: boolean }[]>`
    SELECT indisvalid AS valid FROM pg_index WHERE indexrelid = to_regclass('planted_filled')`;
  return found?.valid;
}

describe('a migration in batches', () => {
  test('repeats its statement until it changes no more rows, and reports its progress', async () => {
    const directory = await copyMigrationsWith({ '9001_fill': fill });
    const reported: string[] = [];
    const applied = await migrate(testing.database, { directory, log: line => reported.push(line) });
    assert.deepEqual(applied, ['9001_fill']);
    assert.deepEqual(await filled(), Array(10).fill(1));
    assert.deepEqual(reported, ['9001_fill has changed 3 rows so far']);
  });

  test('goes on where it was after kill -9 in the middle of a batch', { timeout }, async () => {
    const directory = await copyMigrationsWith({ '9001_fill': fill });
    await holder`SELECT FROM planted WHERE id = 8 FOR UPDATE`;
    const killed = startMigrating(directory);
    await isHeld();
    await killed.kill();
    assert.deepEqual(await filled(), [1, 1, 1, 1, 1, 1, 0, 0, 0, 0]);
    await holder`COMMIT`;
    await isOver();
    assert.deepEqual(await migrate(testing.database, { directory }), ['9001_fill']);
    assert.deepEqual(await filled(), Array(10).fill(1));
  });

  test('goes on where it was after Ctrl-C', { timeout }, async () => {
    const directory = await copyMigrationsWith({ '9001_fill': fill });
    await holder`SELECT FROM planted WHERE id = 8 FOR UPDATE`;
    const interruption = new AbortController();
    const interrupted = migrate(testing.database, { directory, signal: interruption.signal });
    await isHeld();
    interruption.abort(new Error('Ctrl-C'));
    await assert.rejects(interrupted, /^Error: Ctrl-C$/);
    await holder`COMMIT`;
    assert.deepEqual(await migrate(testing.database, { directory }), ['9001_fill']);
    assert.deepEqual(await filled(), Array(10).fill(1));
  });

  test('waits for a locked row, and does not leave it out', { timeout }, async () => {
    const directory = await copyMigrationsWith({ '9001_fill': fill });
    await holder`SELECT FROM planted WHERE id = 10 FOR UPDATE`;
    const reported: string[] = [];
    const migrating = migrate(testing.database, {
      directory,
      log: line => reported.push(line),
      pauses: [0, 0],
    });
    await until(() => reported.some(line => line.startsWith('9001_fill waits for a lock')));
    await holder`COMMIT`;
    await migrating;
    assert.deepEqual(await filled(), Array(10).fill(1));
  });

  test('may be mended when it fails, and keeps what it has done', async () => {
    const failing = fill.replace('filled + 1', 'filled + 1 + 0 / (7 - id)');
    const directory = await copyMigrationsWith({ '9001_fill': failing });
    await assert.rejects(migrate(testing.database, { directory }), /9001_fill failed: division by zero/);
    await writeFile(path.join(directory, '9001_fill.sql'), fill);
    assert.deepEqual(await migrate(testing.database, { directory }), ['9001_fill']);
    assert.ok((await filled()).every(times => times === 1));
  });
});

describe('a migration outside of a transaction', () => {
  test(
    'is taken over by the process that waits, after kill -9 in the middle of an index',
    { timeout },
    async () => {
      const directory = await copyMigrationsWith({ '9001_index': index });
      await holder`INSERT INTO planted VALUES (11, 0)`;
      const killed = startMigrating(directory);
      await isHeld();
      const reported: string[] = [];
      const waiting = migrate(testing.database, { directory, log: line => reported.push(line) });
      await until(() => reported.includes('another process migrates the database; waiting for it'));
      await killed.kill();
      assert.equal(await indexIsValid(), false);
      await until(() => reported.includes('9001_index has begun'));
      await holder`COMMIT`;
      assert.deepEqual(await waiting, ['9001_index']);
      assert.equal(await indexIsValid(), true);
    },
  );

  test('is not held up by the process that waits', { timeout }, async () => {
    const directory = await copyMigrationsWith({ '9001_index': index });
    await holder`INSERT INTO planted VALUES (11, 0)`;
    const first = migrate(testing.database, { directory });
    await isHeld();
    const reported: string[] = [];
    const second = migrate(testing.database, { directory, log: line => reported.push(line) });
    await until(() => reported.includes('another process migrates the database; waiting for it'));
    await holder`COMMIT`;
    assert.deepEqual(await Promise.all([first, second]), [['9001_index'], []]);
  });

  test('leaves no unique index behind that cannot be built, and builds it when it can', async () => {
    const directory = await copyMigrationsWith({ '9001_index': unique });
    const message = /9001_index failed: could not create unique index "planted_filled"$/;
    await assert.rejects(migrate(testing.database, { directory }), message);
    assert.equal(await indexIsValid(), undefined);
    await sql`UPDATE planted SET filled = id`;
    assert.deepEqual(await migrate(testing.database, { directory }), ['9001_index']);
    assert.equal(await indexIsValid(), true);
  });

  test('that was done, but not recorded, is done again', async () => {
    const directory = await copyMigrationsWith({ '9001_index': index });
    await migrate(testing.database, { directory });
    await sql`UPDATE migration SET applied_at = NULL WHERE name = '9001_index'`;
    assert.deepEqual(await migrate(testing.database, { directory }), ['9001_index']);
    assert.equal(await indexIsValid(), true);
  });
});

describe('a migration that needs the lock of a table', () => {
  test('lets those through who wait behind it, and tries again', { timeout }, async () => {
    const directory = await copyMigrationsWith({ '9001_add': add });
    await holder`SELECT FROM planted`;
    const reported: string[] = [];
    const migrating = migrate(testing.database, {
      directory,
      log: line => reported.push(line),
      pauses: [0, 0, 0],
    });
    await isHeld();
    // It comes behind the migration, and is answered while the holder goes on.
    assert.equal((await sql`SELECT FROM planted`).length, 10);
    await until(() => reported.includes('9001_add waits for a lock; again in 0 s'));
    await holder`COMMIT`;
    assert.deepEqual(await migrating, ['9001_add']);
  });

  test('gives up in the end, and names what to inspect', { timeout }, async () => {
    const directory = await copyMigrationsWith({ '9001_add': add });
    await holder`SELECT FROM planted`;
    const message = /^OperatorError: Migration 9001_add gets no lock, .* pg_stat_activity/;
    await assert.rejects(migrate(testing.database, { directory, pauses: [] }), message);
    assert.equal((await sql`SELECT FROM migration WHERE name = '9001_add'`).length, 0);
  });
});
