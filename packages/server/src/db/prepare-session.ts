import { NoSession } from './errors.ts';
import type { ServerSession } from './session.ts';
import { sql } from './sql.ts';

/** Milliseconds that the first statement of a session may take. */
const timeout = 2_000;

/** How much sooner the server stops a statement than we give up its connection, in milliseconds: then the session stays. */
const headStart = 100;

/**
 * Sets a new session up in one statement, whatever lies between us and the server: its limits, UTC, and ISO 8601. The server
 * looks every second whether its client is still there, so that no statement goes on for one that is gone, and a
 * statement takes one process and no helpers, so that a dear one takes no more than its part of the machine. Pages are taken
 * to be on an SSD: with the default cost PostgreSQL reads tables of thousands of rows as a whole instead of along an index.
 * Of a cluster, limits of a transaction hold on the other nodes, too. Resolves with whether the server is in recovery.
 */
export async function prepareSession(session: ServerSession, deadline: number): Promise<boolean> {
  const limit = String(Math.max(deadline - headStart, deadline / 2));
  const { rows } = await session.send(
    sql`SELECT pg_is_in_recovery()::text AS recovering,
      current_setting('citus.version', true) AS cluster,
      set_config('citus.propagate_set_commands', 'local', false),
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
export async function preparePrimarySession(session: ServerSession, deadline: number): Promise<void> {
  const recovering = await prepareSession(session, deadline);
  if (recovering) throw new NoSession('the server is in recovery: connect to the primary');
}
