import { openSession } from './open-session.ts';
import { isUnavailable } from './failure.ts';
import type { ServerSession } from './session.ts';
import { sql } from './sql.ts';
import type { DatabaseTarget } from './target.ts';

/** Advisory lock that every process which uses an embedded PostgreSQL shares; the number has no meaning. */
const presenceLock = 7_316_540_283;

/** Milliseconds that a statement of this session may take. */
const deadline = 10_000;

/** The session by which a process shows that it uses an embedded PostgreSQL. */
export interface Presence {
  readonly session: ServerSession;
  /**
   * Ends the session, and calls `stop` before that if no other process is present; one that arrives meanwhile waits
   * outside, sees the session break, and starts PostgreSQL anew.
   */
  leave(stop: () => Promise<void>): Promise<void>;
}

/**
 * Signs in. Returns why not when PostgreSQL does not run, does not accept connections now, or stops at this moment.
 * `onLost` is told once when the session breaks later.
 * @throws what PostgreSQL says when it refuses.
 */
export async function signIn(target: DatabaseTarget, onLost: () => void): Promise<Presence | Error> {
  try {
    return await present(await openSession(target, { applicationName: 'kontor presence' }), onLost);
  } catch (error) {
    if (isUnavailable(error)) return error as Error;
    throw error;
  }
}

async function present(session: ServerSession, onLost: () => void): Promise<Presence> {
  try {
    await session.send(sql`SELECT pg_advisory_lock_shared(${presenceLock}::bigint)`, { deadline });
  } catch (error) {
    session.destroy(error as Error);
    throw error;
  }
  let leaving = false;
  session.on('end', () => {
    if (!leaving) onLost();
  });
  const leave = async (stop: () => Promise<void>) => {
    leaving = true;
    try {
      if (!session.isLost && (await becomeLast(session))) await stop();
    } finally {
      session.destroy(new Error('the process has left'));
    }
  };
  return { session, leave };
}

/** Gives up the shared lock and takes it alone, which only the last process can. */
async function becomeLast(session: ServerSession): Promise<boolean> {
  try {
    await session.send(sql`SELECT pg_advisory_unlock_shared(${presenceLock}::bigint)`, { deadline });
    const { rows } = await session.send(sql`SELECT pg_try_advisory_lock(${presenceLock}::bigint) AS last`, {
      deadline,
    });
    return (rows[0] as { last: boolean }).last;
  } catch (error) {
    if (isUnavailable(error)) return false;
    throw error;
  }
}
