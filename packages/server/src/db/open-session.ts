import { userInfo } from 'node:os';
import type pg from 'pg';
import type { SocketTarget } from '@kontor/embedded-postgres';
import { sessionSettings } from './citus.ts';
import { NoSession, noSession, stateOf } from './failure.ts';
import { type DatabaseAddress, parseDatabaseUrl } from './servers/database-url.ts';
import { choosePassword } from './servers/password-file.ts';
import { checkOrigin } from './servers/origin.ts';
import { type Server, serverChooser, serversOf } from './servers/servers.ts';
import { ServerSession, type SessionConfig } from './session.ts';
import { sql } from './sql.ts';

export interface SessionOptions {
  /** Name of the session in pg_stat_activity. */
  readonly applicationName?: string;
  /** Milliseconds that a statement may take. */
  readonly deadline?: number;
  /** Milliseconds until an unresponsive server counts as unavailable. Also the maximum wait for a pool's session. */
  readonly timeout?: number;
}

/** Milliseconds that a statement may take when no request waits for it. */
export const defaultDeadline = 60_000;

const defaultTimeout = 5_000;

export function sessionConfig(
  target: DatabaseTarget,
  { applicationName = 'kontor' }: SessionOptions,
): SessionConfig {
  return { application_name: applicationName, pipeline: true, keepAlive: true, ...clientConfig(target) };
}

/**
 * Opens a session outside the pools. The caller must destroy it.
 * @throws errors of the server, {@link NoSession}, also when the server is in recovery
 */
export async function openSession(
  target: DatabaseTarget,
  options: SessionOptions = {},
): Promise<ServerSession> {
  const session = new ServerSession({
    ...sessionConfig(target, options),
    connectionTimeoutMillis: options.timeout ?? timeoutOf(target),
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

const isStandby = 'the server is in recovery or read-only: connect to the primary';

/** Milliseconds that the first statement of a session may take. */
const timeout = 2_000;

/** Milliseconds by which the server's statement timeout precedes ours. A server timeout keeps the session usable. */
const headStart = 100;

/**
 * How prepared statements are planned. Generic plans suit statements that find few rows by key: one plan serves all values. A plan per set of
 * values costs as much as the rest. It also misplans an organization without statistics: PostgreSQL expects one row and reads the whole table.
 */
export type Plans = 'force_generic_plan' | 'auto';

/** Appends the schemas of the extensions to the search path, if they are not in it. */
const extensionPath = sql`set_config('search_path', concat_ws(', ', nullif(current_setting('search_path'), ''), (
  SELECT string_agg(DISTINCT quote_ident(nspname), ', ') FROM pg_extension JOIN pg_namespace ON pg_namespace.oid = extnamespace
  WHERE extname IN ('pg_trgm', 'btree_gin') AND nspname <> ALL (current_schemas(true)))), false)`;

/**
 * Configures a new session in one statement, which also works behind a pooler. The server must be the primary: replicas show transactions in
 * another order, which breaks loss-free polling (specification.md 3.7).
 * `client_connection_check_interval` stops statements of disconnected clients within a second.
 * Without parallel workers an expensive statement occupies one process only.
 * Migrations name operator classes of extensions, which some hosting providers install in a schema of their own.
 * `random_page_cost` assumes an SSD: with the default PostgreSQL scans tables of thousands of rows instead of using an index.
 * @throws {@link NoSession} when the server is in recovery, or a primary that was replaced
 */
export async function prepareSession(session: ServerSession, deadline: number, plans: Plans): Promise<void> {
  const limit = String(Math.max(deadline - headStart, deadline / 2));
  const { rows } = await session.send(
    sql`SELECT pg_is_in_recovery()::text AS recovering,
      ${sessionSettings(plans)},
      set_config('statement_timeout', ${limit}, false),
      set_config('lock_timeout', '5000', false),
      set_config('idle_in_transaction_session_timeout', '60000', false),
      set_config('client_connection_check_interval', '1000', false),
      set_config('max_parallel_workers_per_gather', '0', false),
      set_config('TimeZone', 'UTC', false),
      set_config('DateStyle', 'ISO', false),
      set_config('jit', 'off', false),
      set_config('random_page_cost', '1.1', false),
      ${extensionPath}`,
    { deadline: timeout },
  );
  if ((rows[0] as { recovering: string }).recovering === 'true') throw new NoSession(isStandby);
  await checkOrigin(session, timeout);
}

/** A PostgreSQL URL, or the Unix socket of the embedded database. Like libpq, the URL accepts a socket folder as `?host=/folder`. */
export type DatabaseTarget = { readonly url: string } | SocketTarget;

/** The number in the socket's name. The embedded PostgreSQL does not listen on a TCP port. */
const socketPort = 5432;

/** @throws InvalidDatabaseUrl, OperatorError for a file of certificates that cannot be read */
function clientConfig(target: DatabaseTarget): SessionConfig {
  if ('socketDirectory' in target) {
    const { socketDirectory, user, password, database } = target;
    return { host: socketDirectory, port: socketPort, user, password, database, ssl: false };
  }
  const address = parseDatabaseUrl(target.url);
  const { user, password, passwordFile, database, options, applicationName, bindsChannel, isDirectTls } =
    address;
  const hosts = serversOf(address);
  const servers = hosts.flat();
  const [first] = servers as [Server];
  const config = {
    host: first.host,
    port: first.port,
    // The driver creates its socket for TLS if the chosen server may have it.
    ssl: servers.find(({ ssl }) => ssl !== false)?.ssl ?? false,
    ...(user !== undefined && { user }),
    ...(password !== undefined && { password }),
    ...(database !== undefined && { database }),
    ...(options !== undefined && { options }),
    ...(applicationName !== undefined && { application_name: applicationName }),
    ...(bindsChannel && { enableChannelBinding: true }),
    ...(isDirectTls && first.ssl !== false && { sslnegotiation: 'direct' as const }),
  };
  const full =
    password === undefined && passwordFile !== undefined
      ? { ...config, password: readingPassword(passwordFile, config, address.hosts) }
      : config;
  if (servers.length === 1) return full;
  return { ...full, chooseServer: serverChooser(hosts, server => probe({ ...full, ...server })) };
}

/** The SQLSTATE invalid_password. */
const wrongPassword = '28P01';

/** The driver calls the returned method of a session each time that the server asks for the password. */
function readingPassword(file: string, config: SessionConfig, hosts: DatabaseAddress['hosts']) {
  const user = config.user ?? userInfo().username;
  const owner = { hosts, user, database: config.database ?? user };
  return function (this: pg.Client): Promise<string> {
    const { host, port, ssl } = this as unknown as Server;
    return choosePassword(file, owner, async password => {
      const session = new ServerSession({ ...config, host, port, ssl, password });
      try {
        await session.connect();
        return true;
      } catch (error) {
        // The session itself reports any other error.
        return stateOf(error) !== wrongPassword;
      } finally {
        session.destroy(new Error('the password was tried'));
      }
    });
  };
}

/**
 * Returns what connects once to each host of a URL, for {@link checkOrigin}: while an old primary answers, new sessions would not find the new one.
 */
export function inspectionOf(target: { readonly url: string }, timeout: number): () => Promise<unknown> {
  const config = sessionConfig(target, { applicationName: 'kontor watch' });
  const inspect = (server: Server) => probe({ ...config, ...server }, timeout);
  const choosers = serversOf(parseDatabaseUrl(target.url)).map(servers => serverChooser([servers], inspect));
  return () => Promise.allSettled(choosers.map(choose => choose()));
}

/** Connects to a server to see whether it accepts the connection and writes. Sessions do the same, but only once each. */
async function probe(config: SessionConfig, connectTimeout = defaultTimeout): Promise<void> {
  const { chooseServer: _, ...single } = config;
  const session = new ServerSession({ ...single, connectionTimeoutMillis: connectTimeout });
  try {
    await session.connect();
    const { rows } = await session.send(sql`SELECT current_setting('transaction_read_only') AS reads`, {
      deadline: timeout,
    });
    if ((rows[0] as { reads: string }).reads === 'on') throw new NoSession(isStandby);
    await checkOrigin(session, timeout);
  } finally {
    session.destroy(new Error('the server was tried'));
  }
}

/** Milliseconds until an unresponsive server counts as unavailable. */
export function timeoutOf(target: DatabaseTarget): number {
  return ('url' in target ? parseDatabaseUrl(target.url).timeout : undefined) ?? defaultTimeout;
}
