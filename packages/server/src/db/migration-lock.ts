import { setTimeout as delay } from 'node:timers/promises';
import type { Database } from './connect.ts';
import { stateOf } from './failure.ts';
import { openSession } from './open-session.ts';
import { OperatorError } from '../lib/operator-error.ts';
import type { ServerSession } from './session.ts';
import { raw, sql } from './sql.ts';
import { inTransactionOn, longDeadline, type Session } from './transaction.ts';

export interface MigrationOptions {
  /** Receives lines for the operator. */
  readonly log?: (line: string) => void;
  /** Aborting it closes the session and with it the running statement. */
  readonly signal?: AbortSignal;
  /** Milliseconds between attempts to lock a table. */
  readonly pauses?: readonly number[];
}

export interface MigrationLock extends MigrationOptions {
  readonly session: ServerSession;
}

/** The key of the advisory lock. The number has no meaning. */
const lockNumber = 4_916_203_117;

/** Milliseconds that a step waits for a lock. Every statement that queues behind it waits as long. */
const lockTimeout = 1_000;

/** Ten minutes in total. */
const defaultPauses = [1, 2, 4, 8, 15, ...Array<number>(19).fill(30)].map(seconds => seconds * 1000);

export const withoutLimits = { deadline: longDeadline, prepare: false };

/**
 * Runs work that changes the schema, in one process at a time.
 * The working session holds the lock, so the next process waits until the server has finished the last statement of a killed one.
 * @throws errors of the work and of the database, {@link OperatorError} behind a pooler, the reason of the signal
 */
export async function withMigrationLock<T>(
  { target }: Database,
  options: MigrationOptions,
  work: (lock: MigrationLock) => Promise<T>,
): Promise<T> {
  const { log, signal } = options;
  const session = await openSession(target, { applicationName: 'kontor migration', deadline: longDeadline });
  signal?.addEventListener('abort', () => session.destroy(signal.reason as Error));
  try {
    signal?.throwIfAborted();
    await prepareSession(session);
    // Polls, because a statement that waits for the lock holds a snapshot. A concurrent index build would wait for that snapshot.
    const lock = sql`SELECT FROM pg_try_advisory_lock(${lockNumber}::bigint) AS locked WHERE locked`;
    for (let attempt = 1; (await session.send(lock, withoutLimits)).rowCount === 0; attempt++) {
      if (attempt === 1) log?.('another process migrates the database; waiting for it');
      await delay(250, undefined, { signal });
    }
    return await work({ ...options, session });
  } catch (error) {
    signal?.throwIfAborted();
    throw error;
  } finally {
    session.destroy(new Error('the migration is over'));
  }
}

/** A pooler would reuse the session with the lock on it and block all later migrations. */
async function prepareSession(session: ServerSession): Promise<void> {
  const { rows } = await session.send(
    sql`SELECT pg_backend_pid() AS pid, set_config('lock_timeout', '0', false)`,
    withoutLimits,
  );
  // Compares with the backend process id from the start of the session. The driver's type omits `processID`.
  if (rows[0].pid !== (session as unknown as { processID: number }).processID)
    throw new OperatorError(
      'Migrations need a session of PostgreSQL itself, and this one goes through a pooler: run "kontor migrate" with the address of the server as DATABASE_URL first',
    );
}

/**
 * Runs a step in a transaction with a short lock timeout. After a timeout it pauses, so that queued statements proceed, and retries.
 * @throws {@link OperatorError} when it never got the lock; any other error of the step at once
 */
export async function inShortLocks<T>(
  { session, log, signal, pauses = defaultPauses }: MigrationLock,
  name: string,
  step: (transaction: Session) => Promise<T>,
): Promise<T> {
  const limited = async (transaction: Session) => {
    await transaction.run(raw(`SET LOCAL lock_timeout = ${lockTimeout}`));
    return step(transaction);
  };
  for (let attempt = 0; ; attempt++)
    try {
      return await inTransactionOn(session, limited, withoutLimits);
    } catch (cause) {
      // lock_not_available and deadlock_detected
      if (!['55P03', '40P01'].includes(stateOf(cause) ?? '')) throw cause;
      const pause = pauses[attempt];
      if (pause === undefined)
        throw new OperatorError(
          `Migration ${name} gets no lock, since others use the table for long: look for the oldest xact_start in pg_stat_activity, and run "kontor migrate" again when that is over`,
          { cause },
        );
      log?.(`${name} waits for a lock; again in ${pause / 1000} s`);
      await delay(pause, undefined, { signal });
    }
}
