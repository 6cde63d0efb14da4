import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { after, before, test } from 'node:test';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { openEmbeddedDatabase } from './database.ts';
import { removeFolder, serverPid, temporaryFolder } from './visitors.ts';

const timeout = 120_000;
let folder: string;

before(async () => {
  folder = await temporaryFolder();
});

after(() => removeFolder(folder));

/** Lets a storm of commits blow until so many are acknowledged, kills what `victims` names, and answers their numbers. */
async function storm(first: number, commits: number, victims: 'process' | 'process and PostgreSQL') {
  const script = fileURLToPath(import.meta.resolve('./storm.ts'));
  const child = spawn(process.execPath, [script, folder, String(first)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  const acknowledged: number[] = [];
  for await (const line of createInterface(child.stdout)) {
    acknowledged.push(Number(line));
    if (acknowledged.length !== commits) continue;
    if (victims !== 'process') process.kill((await serverPid(folder))!, 'SIGKILL');
    child.kill('SIGKILL');
  }
  await ended;
  return acknowledged;
}

test('PostgreSQL keeps its promise about commits', { timeout }, async () => {
  const database = await openEmbeddedDatabase(folder);
  const rows = await database.query<{ name: string; setting: string }>(`
    SELECT name, setting FROM pg_settings
    WHERE name IN ('fsync', 'synchronous_commit', 'full_page_writes', 'data_checksums') ORDER BY name`);
  assert.deepEqual(
    rows.map(row => [row.name, row.setting]),
    [
      ['data_checksums', 'on'],
      ['fsync', 'on'],
      ['full_page_writes', 'on'],
      ['synchronous_commit', 'on'],
    ],
  );
  await database.close();
});

test('kill -9 in a storm of commits loses none that was acknowledged', { timeout }, async () => {
  const acknowledged: number[] = [];
  for (const victims of ['process', 'process and PostgreSQL', 'process and PostgreSQL'] as const) {
    acknowledged.push(...(await storm(acknowledged.length * 2, 400, victims)));
    const database = await openEmbeddedDatabase(folder);
    const rows = await database.query<{ n: number }>('SELECT n FROM storm');
    await database.close();
    const present = new Set(rows.map(row => row.n));
    assert.deepEqual(
      acknowledged.filter(n => !present.has(n)),
      [],
    );
  }
  assert.ok(acknowledged.length >= 1_200);
});
