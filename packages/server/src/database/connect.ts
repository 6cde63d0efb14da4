import postgres from 'postgres';
import { enterEmbedded } from './embedded.ts';
import { driverTarget } from './target.ts';
import type { DatabaseTarget } from './target.ts';

export type { DatabaseTarget } from './target.ts';
export type Sql = postgres.Sql;

/** Two pools of sessions. `close` waits a second at most for statements under way. */
export interface Database {
  readonly sql: Sql;
  /** For what may wait for a lock, so that nothing else waits behind it. */
  readonly writes: Sql;
  readonly target: DatabaseTarget;
  close(): Promise<void>;
}

const defaultPoolSize = 10;

/** Seconds until a server that does not answer counts as away. */
const connectTimeout = 5;

/** Longest pause of the pool between attempts to reach a server that is away; seconds. The driver would wait up to 20. */
const longestBackoff = 0.5;

/** Seconds that `close` leaves to statements under way. */
const closeTimeout = 1;

/**
 * A pool of sessions, opened as they are needed. Statements wait 5 s for a lock and run 60 s at most (`SET LOCAL` gives a
 * transaction other limits), time is UTC, and a transaction that is left idle for 60 s is rolled back.
 */
export function connect(
  target: DatabaseTarget,
  options: { poolSize?: number; applicationName?: string } = {},
): Database {
  const [sql, writes] = [openPool(target, options), openPool(target, options)];
  return {
    sql,
    writes,
    target,
    async close() {
      await Promise.all([sql.end({ timeout: closeTimeout }), writes.end({ timeout: closeTimeout })]);
    },
  };
}

/** A pool that connects when it is first used. */
function openPool(target: DatabaseTarget, options: { poolSize?: number; applicationName?: string }): Sql {
  const { url, options: place } = driverTarget(target);
  return postgres(url, {
    ...place,
    max: options.poolSize ?? defaultPoolSize,
    connect_timeout: connectTimeout,
    backoff: (retries: number) => Math.min(0.02 * 2 ** retries, longestBackoff),
    // Types of arrays are only known to the driver once it has read them.
    fetch_types: true,
    prepare: true,
    onnotice: () => {},
    connection: {
      application_name: options.applicationName ?? 'kontor',
      lock_timeout: 5_000,
      statement_timeout: 60_000,
      idle_in_transaction_session_timeout: 60_000,
      TimeZone: 'UTC',
      jit: 'off',
    },
  });
}

/**
 * Opens the database of `databaseUrl`, or else the embedded one in `dataDirectory`: starts it when it does not run, and
 * connects when it does. `close` also stops the embedded one when this process was the last that used it. Throws an error
 * with a message for the operator when there is no database to be had. `log` is told what an operator may want to know.
 */
export async function openDatabase(options: {
  databaseUrl?: string;
  dataDirectory: string;
  poolSize?: number;
  owner: 'service' | 'command';
  log?: (line: string) => void;
}): Promise<Database> {
  const { databaseUrl, dataDirectory, owner, log, ...pool } = options;
  const session = { ...pool, applicationName: `kontor ${owner}` };
  if (databaseUrl !== undefined) return connect({ url: databaseUrl }, session);
  const embedded = await enterEmbedded({ dataDirectory, ...(log && { log }) });
  const database = connect(embedded.target, session);
  return {
    ...database,
    async close() {
      await database.close();
      await embedded.leave();
    },
  };
}
