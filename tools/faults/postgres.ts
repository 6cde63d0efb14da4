import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { TestCluster } from '../../packages/server/test/support/database/cluster.ts';
import { waitUntilTrue, openSession } from './database.ts';
import type { Upstream } from './proxy.ts';

/** How long PostgreSQL may take to come back after a crash, in milliseconds. */
const restartTimeout = 30_000;

/** Where the cluster listens. */
export function upstreamOf({ data }: TestCluster): Upstream {
  return { path: path.join(data, '.s.PGSQL.5432') };
}

/** The number of the process that all others of the cluster are children of. */
async function readPostmasterPid({ data }: TestCluster): Promise<number> {
  const text = await readFile(path.join(data, 'postmaster.pid'), 'utf8');
  return Number(text.split('\n')[0]);
}

/** Stops all processes of the cluster where they are (SIGSTOP), and answers what lets them go on. */
export async function freeze(cluster: TestCluster): Promise<() => Promise<void>> {
  const parent = await readPostmasterPid(cluster);
  const session = await openSession(cluster.url);
  const { rows } = await session.query<{ pid: number }>('SELECT pid FROM pg_stat_activity');
  const frozen = [parent, ...rows.map(({ pid }) => pid)];
  const thaw = thawLater(frozen);
  // The parent first: from there on there are no new ones.
  for (const pid of frozen) send(pid, 'SIGSTOP');
  return async () => {
    await thaw();
    await session.end();
  };
}

/** A shell lets them go on, so that they do not stand still for ever when this process is killed. */
function thawLater(frozen: readonly number[]): () => Promise<void> {
  const command = 'read -r line; kill -CONT "$@" 2>/dev/null';
  const shell = spawn('/bin/sh', ['-c', command, 'kontor-thaw', ...frozen.map(String)], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  });
  const ended = once(shell, 'exit');
  return async () => {
    shell.stdin.end();
    await ended;
  };
}

/** Kills the parent of all processes, upon which the others end by themselves; the launcher starts PostgreSQL again. */
export async function killPostmaster(cluster: TestCluster): Promise<void> {
  send(await readPostmasterPid(cluster), 'SIGKILL');
}

/** Waits until sessions can be opened again. */
export async function waitUntilBack({ url }: TestCluster): Promise<void> {
  if (!(await waitUntilTrue(url, 'SELECT 1', restartTimeout)))
    throw new Error('PostgreSQL did not come back');
}

/** A process may have ended by itself meanwhile. */
export function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
