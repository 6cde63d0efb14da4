/**
 * `node bench/pull.ts`: `kontor-sync pull` of 100,000 employees into an empty folder, next to a client that reads the same pages and drops them.
 * They alternate. Says the seconds of both, and the memory of the command. The database is built and removed again.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { describeMachine, openFresh } from './fresh-service.ts';
import { createKey } from './keys.ts';
import { recordMemory } from './processes.ts';
import { staff } from './seed.ts';
import { measureCatchUp } from './whole-reads.ts';

const { values: options } = parseArgs({
  options: { employees: { type: 'string', default: '100000' }, rounds: { type: 'string', default: '3' } },
});
const employees = Number(options.employees);
const program = path.join(import.meta.dirname, '../packages/sync/bin/kontor-sync.js');

await using fresh = await openFresh('pull');
const { database, dataDirectory, organization, tenant } = fresh;
await staff(database.writes, organization, [{ tenant, divisions: [] }], employees);
const key = await createKey(dataDirectory, organization);
const { baseUrl } = await fresh.start();
console.log(`${describeMachine()}, ${employees} employees`);
for (let round = 0; round < Number(options.rounds); round++) {
  const pages = await measureCatchUp(new URL(baseUrl).origin, key);
  const { seconds, memory } = await measurePull();
  const third = Math.floor(memory.length / 3);
  console.log(
    `pages alone ${pages.seconds.toFixed(1)} s, pull ${seconds.toFixed(1)} s (${Math.round((100 * pages.seconds) / seconds)} % of their rate), ` +
      `memory ${meanOf(memory.slice(third, 2 * third))} MiB in the second third and ${meanOf(memory.slice(2 * third))} MiB in the last, at most ${Math.round(Math.max(...memory))} MiB`,
  );
}

/** Pulls into a new folder, and notes the memory of the command meanwhile. */
async function measurePull(): Promise<{ seconds: number; memory: number[] }> {
  const folder = await mkdtemp(path.join(tmpdir(), 'kontor-pull-'));
  const memory: number[] = [];
  const stop = new AbortController();
  try {
    await writeFile(path.join(folder, 'kontor-sync.json'), JSON.stringify({ baseUrl }));
    const startedAt = performance.now();
    const child = spawn(process.execPath, [program, 'pull', 'out'], {
      cwd: folder,
      env: { ...process.env, KONTOR_API_KEY: key },
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    void recordMemory(memory, child.pid!, stop.signal).catch(() => {});
    const [code] = await once(child, 'exit');
    if (code !== 0) throw new Error(`the pull ended with ${code}`);
    return { seconds: (performance.now() - startedAt) / 1000, memory };
  } finally {
    stop.abort();
    await rm(folder, { recursive: true });
  }
}

function meanOf(values: readonly number[]): number {
  return Math.round(values.reduce((sum, value) => sum + value, 0) / values.length);
}
