import pg from 'pg';
import { EmbeddedPostgresError } from './error.ts';
import { socketPort, type SocketTarget } from './socket-path.ts';

/** An advisory lock that all processes with the embedded PostgreSQL share; the number is arbitrary. */
const presenceLock = 7_316_540_283;

/** Milliseconds. CREATE DATABASE copies a template, with fsync. */
const statementTimeout = 60_000;

const connectTimeout = 5_000;

/** The session that marks this process as a user of the embedded PostgreSQL. */
export interface Presence {
  readonly session: pg.Client;
  /** Ends the session, but calls `stop` first if no other process is present. One that arrives meanwhile waits, then starts PostgreSQL. */
  leave(stop: () => Promise<void>): Promise<void>;
}

/**
 * Returns the error while PostgreSQL is unavailable, or if it rejects the password. `onLost` is called once if the session breaks.
 * @throws other errors of PostgreSQL.
 */
export async function signIn(target: SocketTarget, onLost: () => void): Promise<Presence | Error> {
  const { socketDirectory, user, password, database } = target;
  const session = new pg.Client({
    application_name: 'kontor presence',
    host: socketDirectory,
    port: socketPort,
    user,
    password,
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
    if (isUnavailable(error) || isRejected(error)) return error as Error;
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

/** Releases the shared lock and tries the exclusive one, which only the last process gets. */
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

/** Whether PostgreSQL has another password, or none. */
export function isRejected(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === '28P01';
}

/** Whether PostgreSQL is not running, starting, stopping, or out of connections (PostgreSQL documentation, appendix A). */
function isUnavailable(error: unknown): boolean {
  if (error instanceof EmbeddedPostgresError) return false;
  const state = error instanceof pg.DatabaseError ? error.code : undefined;
  return state === undefined || /^(08|53|57)/.test(state);
}
