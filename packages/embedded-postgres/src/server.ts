import { once } from 'node:events';
import { constants } from 'node:fs';
import { type FileHandle, open, readFile, readlink, rename, rm, stat, statfs } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { explainFileError } from './error.ts';
import type { Binaries } from './binaries.ts';
import { openNew, spawnInside, type Layout } from './cluster.ts';
import type { Identity } from './identity.ts';

/** For a laptop up to a small server; fsync and all others keep their defaults. No statement or value is logged: they are personal data. */
const settings = {
  listen_addresses: '',
  // Relative to the cluster, so that its path stays short in a deep data folder.
  unix_socket_directories: '.',
  unix_socket_permissions: '0700',
  max_connections: '200',
  shared_buffers: '256MB',
  work_mem: '16MB',
  maintenance_work_mem: '128MB',
  random_page_cost: '1.1',
  jit: 'off',
  log_min_messages: 'log',
  log_min_error_statement: 'panic',
  log_error_verbosity: 'terse',
  log_checkpoints: 'off',
  log_timezone: 'UTC',
};

/**
 * The sizes of the write-ahead log. Recycled segments are kept, so that a commit seldom waits for a new one to be filled with zeros. A small
 * disk has a twentieth of its size for them, but at least PostgreSQL's default.
 */
async function walSettings(folder: string): Promise<Record<string, string>> {
  const { blocks, bsize } = await statfs(folder);
  const kept = Math.min(512, Math.max(80, Math.floor((blocks * bsize) / 20 / 2 ** 20)));
  return { min_wal_size: `${kept}MB`, max_wal_size: `${4 * kept}MB` };
}

/** Bytes; a longer log is renamed at the next start. */
const longestLog = 10_000_000;

/** Milliseconds for an orderly stop. After that, PostgreSQL is stopped at once, and the next start does a recovery. */
const stopTimeout = 1_500;

/** A started PostgreSQL, which may not be ready yet. */
export interface Attempt {
  /** The last messages of PostgreSQL after it ended; null while it runs. */
  failure(): Promise<string | null>;
  waitForEnd(): Promise<void>;
}

/** Starts PostgreSQL in its own session, so that Ctrl-C in a terminal does not reach it. */
export async function startServer(
  layout: Layout,
  binaries: Binaries,
  identity: Identity,
  extra: Readonly<Record<string, string>>,
): Promise<Attempt> {
  const log = await openLog(layout);
  const { size } = await log.stat();
  const wal = await walSettings(layout.cluster);
  try {
    const flags = Object.entries({ ...settings, ...wal, ...extra }).flatMap(([name, value]) => [
      '-c',
      `${name}=${value}`,
    ]);
    const child = spawnInside(
      layout.cluster,
      binaries.postgres,
      pgdata => ['-D', pgdata, ...flags],
      identity,
      { stdio: ['ignore', log.fd, log.fd], detached: true },
    );
    child.unref();
    let problem: string | null = null;
    child.on('error', error => (problem = error.message));
    const running = () => problem === null && child.exitCode === null && child.signalCode === null;
    return {
      failure: async () => (running() ? null : (problem ?? (await lastWords(layout.log, size)))),
      async waitForEnd() {
        child.ref();
        if (running()) await once(child, 'exit');
      },
    };
  } finally {
    await log.close();
  }
}

async function openLog({ dataDirectory, log: file }: Layout): Promise<FileHandle> {
  try {
    const { size } = await stat(file).catch(() => ({ size: 0 }));
    if (size > longestLog) await rename(file, `${file}.1`);
    return await openNew(file, dataDirectory).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
      return open(file, constants.O_WRONLY | constants.O_APPEND | constants.O_NOFOLLOW);
    });
  } catch (error) {
    throw explainFileError(error, `The log ${file} cannot be written`);
  }
}

/** The messages since a position of the log, without times and process numbers. */
async function lastWords(file: string, position: number): Promise<string> {
  const lines = (await readFile(file)).subarray(position).toString('utf8').trim().split('\n');
  const words = lines
    .map(line => line.replace(/^.*?\] (LOG|FATAL|PANIC): +/, '$1: '))
    // PostgreSQL logs this for our own attempts to connect.
    .filter(line => !line.includes('the database system is starting up'));
  const fatal = words.filter(line => /^(FATAL|PANIC): /.test(line)).map(line => line.replace(/^\w+: /, ''));
  return (fatal.length > 0 ? fatal : words.slice(-3)).join('; ');
}

/** The process id in the lock file of a cluster; null when there is none. */
async function serverProcess({ cluster }: Layout): Promise<number | null> {
  const text = await readFile(path.join(cluster, 'postmaster.pid'), 'utf8').catch(() => '');
  const pid = Number(text.split('\n')[0]);
  return Number.isInteger(pid) && pid > 0 ? pid : null;
}

/** Removes the lock file if another program has the process id in it, which PostgreSQL cannot detect (restarted containers). Linux only. */
export async function removeForeignLock(layout: Layout): Promise<void> {
  const pid = await serverProcess(layout);
  if (pid === null || process.platform !== 'linux') return;
  const folder = await readlink(`/proc/${pid}/cwd`).catch(() => null);
  if (folder === null || folder === layout.cluster) return;
  const [mine, other] = await Promise.all([stat(layout.cluster), stat(`/proc/${pid}/cwd`).catch(() => null)]);
  if (other !== null && (mine.ino !== other.ino || mine.dev !== other.dev))
    await rm(path.join(layout.cluster, 'postmaster.pid'), { force: true });
}

/** Makes PostgreSQL read its rules of access again. */
export async function reloadServer(layout: Layout): Promise<void> {
  const pid = await serverProcess(layout);
  if (pid !== null) signal(pid, 'SIGHUP');
}

/** Stops PostgreSQL in order, and at once when that takes too long. No committed data is lost, since the write-ahead log is on disk. */
export async function stopServer(layout: Layout): Promise<void> {
  const pid = await serverProcess(layout);
  if (pid === null) return;
  const gone = async () => !isAlive(pid) || (await serverProcess(layout)) !== pid;
  signal(pid, 'SIGINT');
  const started = performance.now();
  let impatient = false;
  while (!(await gone())) {
    if (!impatient && performance.now() - started > stopTimeout) {
      impatient = true;
      signal(pid, 'SIGQUIT');
    }
    await delay(5);
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // It has ended already.
  }
}
