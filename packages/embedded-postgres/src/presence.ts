import pg from 'pg';
import { socketPort, type SocketTarget } from './socket-path.ts';

/** Advisory lock that every process which uses an embedded PostgreSQL shares; the number has no meaning. */
const presenceLock = 7_316_540_283;

/** Milliseconds that a statement of this session may take. Making a database copies a template, with fsync. */
const statementTimeout = 60_000;

const connectTimeout = 5_000;

/** The session by which a process shows that it uses an embedded PostgreSQL. */
export interface Presence {
  readonly session: pg.Client;
  /**
   * Ends the session, and calls `stop` before that if no other process is present; one that arrives meanwhile waits
   * outside, sees the session break, and starts PostgreSQL anew.
   */
  leave(stop: () => Promise<void>): Promise<void>;
}

/**
 * Signs in. Returns why not when PostgreSQL does not run, does not accept connections now, or stops at this moment.
 * `onLost` is called once when the session breaks later.
 * @throws what PostgreSQL says when it rejects the session.
 */
export async function signIn(target: SocketTarget, onLost: () => void): Promise<Presence | Error> {
  const { socketDirectory, user, database } = target;
  const session = new pg.Client({
    application_name: 'kontor presence',
    host: socketDirectory,
    port: socketPort,
    user,
    database,
    ssl: false,
    connectionTimeoutMillis: connectTimeout,
    query_timeout: statementTimeout,
  });
  let isLost = false;
  let isLeaving = false;
  // An error without a listener would end the process.
  session.on('error', () => {});
  session.on('end', () => (isLost = true));
  try {
    await session.connect();
    await session.query('SELECT pg_advisory_lock_shared($1::bigint)', [presenceLock]);
  } catch (error) {
    session.connection.stream.destroy();
    if (isUnavailable(error)) return error as Error;
    throw error;
  }
  session.on('end', () => {
    if (!isLeaving) onLost();
  });
  const leave = async (stop: () => Promise<void>) => {
    isLeaving = true;
    try {
      if (!isLost && (await becomeLast(session))) await stop();
    } finally {
      session.connection.stream.destroy();
    }
  };
  return { session, leave };
}

/** Gives up the shared lock and takes it alone, which only the last process can. */
async function becomeLast(session: pg.Client): Promise<boolean> {
  try {
    await session.query('SELECT pg_advisory_unlock_shared($1::bigint)', [presenceLock]);
    const { rows } = await session.query<{ last: boolean }>(
      'SELECT pg_try_advisory_lock($1::bigint) AS last',
      [presenceLock],
    );
    return rows[0]!.last;
  } catch (error) {
    if (isUnavailable(error)) return false;
    throw error;
  }
}

/** Whether PostgreSQL is away, starts or stops, or has no connection left (PostgreSQL documentation, appendix A). */
function isUnavailable(error: unknown): boolean {
  const state = error instanceof pg.DatabaseError ? error.code : undefined;
  return state === undefined || /^(08|53|57)/.test(state);
}
