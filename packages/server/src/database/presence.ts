import postgres from 'postgres';
import { isUnavailable } from './failure.ts';
import { driverTarget, type DatabaseTarget } from './target.ts';

/** Advisory lock that every process which uses an embedded PostgreSQL shares; the number has no meaning. */
const presenceLock = 7_316_540_283;

/** The session by which a process shows that it uses an embedded PostgreSQL. */
export interface Presence {
  readonly sql: postgres.Sql;
  /**
   * Ends the session, and calls `stop` before that if no other process is present; one that arrives meanwhile waits
   * outside, sees the session break, and starts PostgreSQL anew.
   */
  leave(stop: () => Promise<void>): Promise<void>;
}

/**
 * Signs in. Answers why not when PostgreSQL does not run, does not accept connections now, or stops at this moment;
 * throws when it refuses. `onLost` is told once when the session breaks later.
 */
export async function signIn(target: DatabaseTarget, onLost: () => void): Promise<Presence | Error> {
  const { url, options } = driverTarget(target);
  let present = false;
  const sql = postgres(url, {
    ...options,
    max: 1,
    max_lifetime: null,
    idle_timeout: 0,
    connect_timeout: 5,
    fetch_types: false,
    onnotice: () => {},
    onclose: () => {
      if (!present) return;
      present = false;
      void sql.end({ timeout: 0 });
      onLost();
    },
    connection: { application_name: 'kontor presence', lock_timeout: 5_000 },
  });
  try {
    await sql`SELECT pg_advisory_lock_shared(${presenceLock}::bigint)`;
    present = true;
  } catch (error) {
    await sql.end({ timeout: 0 });
    if (isUnavailable(error)) return error as Error;
    throw error;
  }
  const leave = async (stop: () => Promise<void>) => {
    const wasPresent = present;
    present = false;
    try {
      if (wasPresent && (await becomeLast(sql))) await stop();
    } finally {
      await sql.end({ timeout: 0 });
    }
  };
  return { sql, leave };
}

/** Gives up the shared lock and takes it alone, which only the last process can. */
async function becomeLast(sql: postgres.Sql): Promise<boolean> {
  try {
    await sql`SELECT pg_advisory_unlock_shared(${presenceLock}::bigint)`;
    const [row] = await sql<
      { last: boolean }[]
    >`SELECT pg_try_advisory_lock(${presenceLock}::bigint) AS last`;
    return row!.last;
  } catch (error) {
    if (isUnavailable(error)) return false;
    throw error;
  }
}
