import type pg from 'pg';
import { sessionSettings } from './citus.ts';
import { NoSession, noSession } from './failure.ts';
import { ServerSession } from './session.ts';
import { sql } from './sql.ts';

export interface SessionOptions {
  /** What the server shows of the session. */
  readonly applicationName?: string;
  /** Milliseconds that a statement may take. */
  readonly deadline?: number;
  /** Milliseconds until a server that does not answer counts as away, and that one waits for a session of a pool. */
  readonly timeout?: number;
}

/** Milliseconds that a statement may take where nobody waits for an answer of the service. */
export const defaultDeadline = 60_000;

export const defaultTimeout = 5_000;

/** What the driver is told of every session. */
export function sessionConfig(
  target: DatabaseTarget,
  { applicationName = 'kontor' }: SessionOptions,
): pg.ClientConfig {
  return { application_name: applicationName, pipeline: true, keepAlive: true, ...clientConfig(target) };
}

/**
 * A session of its own, beside the pools. Whoever opens it destroys it.
 * @throws those of the server, NoSession.
 */
export async function openSession(
  target: DatabaseTarget,
  options: SessionOptions = {},
): Promise<ServerSession> {
  const session = new ServerSession({
    ...sessionConfig(target, options),
    connectionTimeoutMillis: options.timeout ?? defaultTimeout,
  });
  try {
    await session.connect();
    await prepareSession(session, options.deadline ?? defaultDeadline, 'auto');
    return session;
  } catch (error) {
    session.destroy(error as Error);
    throw noSession(error);
  }
}

/** Milliseconds that the first statement of a session may take. */
const timeout = 2_000;

/** How much sooner the server stops a statement than we give up its connection, in milliseconds: then the session stays. */
const headStart = 100;

/**
 * How prepared statements are planned. Generic plans are for statements that find few rows by their keys: one plan serves all values. To
 * plan by the values costs as much as the rest, and goes wrong: of an organization without statistics PostgreSQL expects one row, and
 * reads all that there are.
 */
type Plans = 'force_generic_plan' | 'auto';

/**
 * Sets a new session up in one statement, whatever lies between us and the server: its limits, UTC, and ISO 8601. The server
 * looks every second whether its client is still there, so that no statement goes on for one that is gone, and a
 * statement takes one process and no helpers, so that a dear one takes no more than its part of the machine. Pages are taken
 * to be on an SSD: with the default cost PostgreSQL reads tables of thousands of rows as a whole instead of along an index.
 * Resolves with whether the server is in recovery.
 */
async function prepareSession(session: ServerSession, deadline: number, plans: Plans): Promise<boolean> {
  const limit = String(Math.max(deadline - headStart, deadline / 2));
  const { rows } = await session.send(
    sql`SELECT pg_is_in_recovery()::text AS recovering,
      current_setting('citus.version', true) AS cluster,
      ${sessionSettings(plans)},
      set_config('statement_timeout', ${limit}, false),
      set_config('lock_timeout', '5000', false),
      set_config('idle_in_transaction_session_timeout', '60000', false),
      set_config('client_connection_check_interval', '1000', false),
      set_config('max_parallel_workers_per_gather', '0', false),
      set_config('TimeZone', 'UTC', false),
      set_config('DateStyle', 'ISO', false),
      set_config('jit', 'off', false),
      set_config('random_page_cost', '1.1', false)`,
    { deadline: timeout },
  );
  const { recovering, cluster } = rows[0] as { recovering: string; cluster: string | null };
  session.isOfCluster = cluster !== null;
  return recovering === 'true';
}

/**
 * Prepares a session on which data of the public API are read or written. Replicas show transactions in another order than
 * the primary does, which loss-free polling (specification.md 3.7) does not survive.
 * @throws {@link NoSession} on a server in recovery
 */
export async function preparePrimarySession(
  session: ServerSession,
  deadline: number,
  plans: Plans,
): Promise<void> {
  const recovering = await prepareSession(session, deadline, plans);
  if (recovering) throw new NoSession('the server is in recovery: connect to the primary');
}

/**
 * Where a database is: a PostgreSQL URL, or the Unix socket of the embedded one. The URL may name a socket folder by
 * `?host=/folder`, as libpq does.
 */
export type DatabaseTarget = { readonly url: string } | SocketTarget;

/** A database behind the Unix socket in a folder. Whoever reaches the socket is trusted. */
export interface SocketTarget {
  readonly socketDirectory: string;
  readonly user: string;
  readonly database: string;
}

/** The number in the name of a socket; the embedded PostgreSQL listens on no TCP port. */
const socketPort = 5432;

/** The options of the driver that name the database. */
export function clientConfig(target: DatabaseTarget): pg.ClientConfig {
  if ('url' in target) return { connectionString: withLibpqModes(target.url) };
  const { socketDirectory, user, database } = target;
  return { host: socketDirectory, port: socketPort, user, database, ssl: false };
}

/** `sslmode` means what it does to libpq; left to itself the driver takes `require` for `verify-full`. */
function withLibpqModes(text: string): string {
  const url = URL.parse(text);
  if (!url?.searchParams.has('sslmode') || url.searchParams.has('uselibpqcompat')) return text;
  url.searchParams.set('uselibpqcompat', 'true');
  return url.href;
}

/** The target as a URL, for a process of its own. */
export function targetUrl(target: DatabaseTarget): string {
  if ('url' in target) return target.url;
  const { socketDirectory, user, database } = target;
  return `postgres://${encodeURIComponent(user)}@localhost/${encodeURIComponent(database)}?host=${encodeURIComponent(socketDirectory)}`;
}

/** The same server, another database. */
export function withDatabase(target: DatabaseTarget, database: string): DatabaseTarget {
  if ('socketDirectory' in target) return { ...target, database };
  const url = new URL(target.url);
  url.pathname = `/${encodeURIComponent(database)}`;
  return { url: url.href };
}
