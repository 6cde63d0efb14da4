import assert from 'node:assert/strict';
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

/** A process that uses an embedded PostgreSQL. */
export interface Visitor {
  readonly pid: number;
  /** Its first output: `ready`, or `error: …`. */
  readonly greeting: Promise<string>;
  ask(): Promise<string>;
  leave(): Promise<void>;
  /** Ends it with a signal that goes to its whole process group, as a terminal does. */
  signal(name: NodeJS.Signals): void;
  readonly ended: Promise<unknown>;
}

const unprivileged = 65_534;

/** The credentials of the user `nobody` for a child process. */
export const asUnprivileged = { uid: unprivileged, gid: unprivileged };

/** Processes that a test which failed may have left behind. */
const running = new Set<ChildProcess>();

/** Starts a process that uses the embedded PostgreSQL of the folder. */
export function visit(dataDirectory: string, credentials: { uid?: number; gid?: number } = {}): Visitor {
  const script = fileURLToPath(import.meta.resolve('./visitor.ts'));
  const child = spawn(process.execPath, [script, dataDirectory], {
    ...credentials,
    stdio: ['pipe', 'pipe', 'inherit'],
    detached: true,
  });
  running.add(child);
  const ended = once(child, 'exit').finally(() => running.delete(child));
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  const line = async () => String((await lines.next()).value);
  return {
    pid: child.pid!,
    greeting: line(),
    async ask() {
      child.stdin.write('ask\n');
      return line();
    },
    async leave() {
      child.stdin.write('leave\n');
      assert.deepEqual(await ended, [0, null]);
    },
    signal: name => void process.kill(-child.pid!, name),
    ended,
  };
}

/** The process number in the lock file of a cluster, null when there is none. */
export async function serverPid(dataDirectory: string): Promise<number | null> {
  const text = await readFile(path.join(dataDirectory, 'postgres', 'postmaster.pid'), 'utf8').catch(() => '');
  return text === '' ? null : Number(text.split('\n')[0]);
}

/** Resolves when the condition holds. The time limit of the test ends the wait. */
export async function until(condition: () => Promise<boolean> | boolean): Promise<void> {
  while (!(await condition())) await delay(10);
}

/** A temporary folder. */
export function temporaryFolder(): Promise<string> {
  return mkdtemp(path.join(tmpdir(), 'kontor-embedded-'));
}

/** Removes a temporary folder; ends what a test that failed has left running in it. */
export async function removeFolder(folder: string): Promise<void> {
  for (const child of running) child.kill('SIGKILL');
  for (const entry of await readdir(folder, { recursive: true }).catch(() => []))
    if (path.basename(entry) === 'postmaster.pid') {
      const pid = Number((await readFile(path.join(folder, entry), 'utf8').catch(() => '')).split('\n')[0]);
      if (pid > 0) process.kill(pid, 'SIGQUIT');
    }
  await rm(folder, { recursive: true, force: true, maxRetries: 5 });
}

/** Why a test that needs root, and another user that can run this project, cannot run here; false when it can. */
export function noRoot(): string | false {
  if (process.getuid?.() !== 0) return 'not started by root';
  const script = fileURLToPath(import.meta.resolve('./visitor.ts'));
  const probe = spawnSync(process.execPath, ['--check', script], asUnprivileged);
  return probe.status === 0 ? false : 'the user nobody cannot reach this repository';
}
