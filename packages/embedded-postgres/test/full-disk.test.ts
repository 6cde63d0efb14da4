import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { after, before, test } from 'node:test';
import pg from 'pg';
import { type EmbeddedPostgres, openEmbeddedPostgres } from '../src/index.ts';
import { removeFolder, serverPid, temporaryFolder } from './visitors.ts';

let folder: string;
let filler: string;
/** A disk of its own needs a mount, which only root may do, and not in every container. */
let isMounted = false;

before(async () => {
  folder = await temporaryFolder();
  filler = path.join(folder, 'filler');
  isMounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=300m', 'tmpfs', folder]).status === 0;
});
after(async () => {
  if (isMounted) execFileSync('umount', [folder]);
  await removeFolder(folder);
});

/** Writes until nothing more fits. */
async function fillDisk(): Promise<void> {
  for (const size of [2 ** 20, 4096, 1])
    for (;;)
      try {
        await writeFile(filler, Buffer.alloc(size), { flag: 'a' });
      } catch (error) {
        assert.equal((error as NodeJS.ErrnoException).code, 'ENOSPC');
        break;
      }
}

async function query(text: string, { target }: EmbeddedPostgres): Promise<Record<string, unknown>[]> {
  const { socketDirectory: host, user, password, database } = target;
  const client = new pg.Client({ host, user, password, database, port: 5432, ssl: false });
  client.on('error', () => {});
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}

test(
  'PostgreSQL that crashed on a full disk runs again once there is room',
  { timeout: 120_000 },
  async t => {
    if (!isMounted) return t.skip('a file system cannot be mounted here');
    const failed = Promise.withResolvers<string>();
    const embedded = await openEmbeddedPostgres({ dataDirectory: folder, failed: failed.resolve });
    await query('CREATE TABLE note AS SELECT 1 AS kept', embedded);
    await fillDisk();
    process.kill((await serverPid(folder))!, 'SIGKILL');
    assert.match(await failed.promise, /did not start: the disk of the data folder is full/);
    assert.match(embedded.failure!, /is full/);

    await rm(filler);
    let rows: unknown[] = [];
    while (rows.length === 0) rows = await query('SELECT kept FROM note', embedded).catch(() => []);
    assert.deepEqual(rows, [{ kept: 1 }]);
    await embedded.close();
  },
);

test('a small disk has a small write-ahead log', async t => {
  if (!isMounted) return t.skip('a file system cannot be mounted here');
  const embedded = await openEmbeddedPostgres({ dataDirectory: folder });
  assert.deepEqual(await query('SHOW min_wal_size', embedded), [{ min_wal_size: '80MB' }]);
  await embedded.close();
});
