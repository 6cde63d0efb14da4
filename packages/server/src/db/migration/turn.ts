import { setTimeout as delay } from 'node:timers/promises';
import type { Database } from '../connect.ts';
import { longDeadline } from '../long-transaction.ts';
import { openSession } from '../open-session.ts';
import { OperatorError } from '../operator-error.ts';
import type { ServerSession } from '../session.ts';
import { sql } from '../sql.ts';

/** Advisory lock of whoever migrates; the number has no meaning. */
const migrationLock = 4_916_203_117;

/** Milliseconds between two looks whether the other process is done. */
const pollInterval = 250;

export interface TurnOptions {
  /** Is told what an operator may want to know. */
  readonly log?: ((line: string) => void) | undefined;
  /** When it is aborted the session is given up, which ends what the server does on it. */
  readonly signal?: AbortSignal | undefined;
}

/** How statements of a migration are sent: none waits for a plan, and each may take hours. */
export const how = { deadline: longDeadline, prepare: false } as const;

/**
 * Runs work that changes the schema while no other process does, on a session of its own that holds an advisory lock. What
 * changes the schema runs on that very session: so nobody else begins before the server is done with it, even if this process
 * is killed. Without limits of time, but those that the work sets.
 * @throws those of the work and of the database, {@link OperatorError} behind a pooler, the reason of the signal.
 */
export async function inMigrationTurn<T>(
  { target }: Database,
  work: (session: ServerSession) => Promise<T>,
  { log = () => {}, signal }: TurnOptions = {},
): Promise<T> {
  const session = await openSession(target, { applicationName: 'kontor migration', deadline: longDeadline });
  const giveUp = () => session.destroy(signal!.reason as Error);
  signal?.addEventListener('abort', giveUp);
  try {
    signal?.throwIfAborted();
    await makeReady(session);
    await take(session, log, signal);
    const result = await work(session);
    await session.send(sql`SELECT pg_advisory_unlock(${migrationLock}::bigint)`, how);
    return result;
  } catch (error) {
    signal?.throwIfAborted();
    throw error;
  } finally {
    signal?.removeEventListener('abort', giveUp);
    session.destroy(new Error('the turn is over'));
  }
}

/** A lock of a session that a pooler hands to somebody else would stay there, and keep everybody from migrating. */
async function makeReady(session: ServerSession): Promise<void> {
  const { rows } = await session.send(
    sql`SELECT pg_backend_pid() AS pid, set_config('lock_timeout', '0', false)`,
    how,
  );
  // The process that the server named when the session began; types do not tell.
  const { processID } = session as unknown as { processID: number };
  if ((rows[0] as { pid: number }).pid !== processID)
    throw new OperatorError(
      'Migrations need a session of PostgreSQL itself, and this one goes through a pooler: run "kontor migrate" with the address of the server as DATABASE_URL first',
    );
}

/**
 * Asks again and again: a statement that waits for the lock would hold a snapshot all the time, and an index that the other
 * process builds concurrently waits until all older snapshots are gone.
 */
async function take(
  session: ServerSession,
  log: (line: string) => void,
  signal?: AbortSignal,
): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    const { rows } = await session.send(
      sql`SELECT pg_try_advisory_lock(${migrationLock}::bigint) AS taken`,
      how,
    );
    if ((rows[0] as { taken: boolean }).taken) return;
    if (attempt === 1) log('another process migrates the database; waiting for it');
    await delay(pollInterval, undefined, { signal });
  }
}
