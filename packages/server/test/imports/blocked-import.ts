import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { reserveSession, type Sql, type TestSession } from '../support/database/sql.ts';
import { type TestDatabase } from '../support/database/database.ts';

const main = fileURLToPath(new URL('../../src/main.ts', import.meta.url));

/** How an import that ran as a process of its own ended; `json` is null when it printed none. */
export interface ImportEnd {
  readonly exitCode: number | null;
  readonly json: unknown;
}

export interface BlockedImport {
  readonly process: ChildProcess;
  /** The server process of its session. */
  readonly backend: number;
  readonly ended: Promise<ImportEnd>;
  /** Lets it go on, after some work in the transaction that blocks it. */
  release(work?: (transaction: TestSession) => Promise<unknown>): Promise<void>;
}

/** Runs `kontor import employees` as a process and waits until it ends. */
export async function runImport(
  database: TestDatabase,
  args: readonly string[],
): Promise<ImportEnd & { errors: string }> {
  const child = start(database, args);
  const [ended, errors] = await Promise.all([endOf(child), text(child.stderr!)]);
  return { ...ended, errors };
}

/**
 * Starts an import as a process and answers when all of its rows are staged and checked, and it waits for the clock of its
 * organization; or, with `inserted`, when its rows are inserted and it waits for the organization's counter to be free.
 */
export async function blockedImport(
  database: TestDatabase,
  {
    organizationId,
    tenantId,
    file,
    inserted = false,
  }: { organizationId: string; tenantId: string; file: string; inserted?: boolean },
  more: readonly string[] = [],
): Promise<BlockedImport> {
  const { sql } = database.database;
  const session = await reserveSession(sql);
  await session`BEGIN`;
  if (inserted)
    await session`SELECT FROM counter WHERE organization_id = ${organizationId} AND scope = '' FOR UPDATE`;
  else await session`SELECT FROM organization WHERE id = ${organizationId} FOR UPDATE`;
  const [blocker] = await session<{ pid: number }[]>`SELECT pg_backend_pid() AS pid`;
  const child = start(database, [file, '--tenant', tenantId, '--json', ...more]);
  child.stderr!.pipe(process.stderr);
  const ended = endOf(child);
  return {
    process: child,
    ended,
    backend: await blockedBackend(sql, blocker!.pid, child),
    async release(work) {
      if (work) await work(session);
      await session`COMMIT`;
      session.release();
    },
  };
}

function start(database: TestDatabase, args: readonly string[]): ChildProcess {
  const all = [main, 'import', 'employees', ...args];
  return spawn(process.execPath, all, {
    env: { DATABASE_URL: database.url },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

async function endOf(child: ChildProcess): Promise<ImportEnd> {
  const [[exitCode], output] = await Promise.all([once(child, 'close'), text(child.stdout!)]);
  return { exitCode: exitCode as number | null, json: output === '' ? null : JSON.parse(output) };
}

/** Waits until a session waits for that of the blocker, and answers its server process. */
async function blockedBackend(sql: Sql, blocker: number, child: ChildProcess): Promise<number> {
  for (;;) {
    const [row] = await sql<{ pid: number }[]>`
      SELECT pid FROM pg_stat_activity WHERE ${blocker} = ANY(pg_blocking_pids(pid))`;
    if (row) return row.pid;
    if (child.exitCode !== null)
      throw new Error(
        `the import failed: ${await text(child.stderr!)}(it ended with ${child.exitCode} before it was blocked)`,
      );
  }
}

/** Waits until the server process is gone, and with it what it had not committed. */
export async function backendGone(sql: Sql, pid: number): Promise<void> {
  while ((await sql`SELECT FROM pg_stat_activity WHERE pid = ${pid}`).length > 0);
}
