import postgres from 'postgres';
import { arrayTypes } from './array-types.ts';
import { enterEmbedded } from './embedded.ts';
import { driverTarget } from './target.ts';
import type { DatabaseTarget } from './target.ts';

export type { DatabaseTarget } from './target.ts';
export type Sql = postgres.Sql;

/** Three pools of sessions. `close` waits a second at most for statements under way. */
export interface Database {
  /** For what is short: statements wait in line behind each other, several on one session. */
  readonly sql: Sql;
  /**
   * For single statements that may take long, such as those of collections: each has a session to itself, so that a quick
   * one never waits behind a slow one while another session is free. No transaction of the driver begins here.
   */
  readonly lists: Sql;
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
 * transaction other limits), time is UTC and written as ISO 8601 does, and a transaction that is left idle for 60 s is rolled
 * back.
 */
export function connect(
  target: DatabaseTarget,
  options: { poolSize?: number; applicationName?: string } = {},
): Database {
  const pools = {
    sql: openPool(target, options),
    lists: openPool(target, { ...options, pipelined: false }),
    writes: openPool(target, options),
  };
  return {
    ...pools,
    target,
    async close() {
      await Promise.all(Object.values(pools).map(pool => pool.end({ timeout: closeTimeout })));
    },
  };
}

/** A pool that connects when it is first used. */
function openPool(
  target: DatabaseTarget,
  options: { poolSize?: number; applicationName?: string; pipelined?: boolean },
): Sql {
  const { url, options: place } = driverTarget(target);
  return postgres(url, {
    ...place,
    max: options.poolSize ?? defaultPoolSize,
    connect_timeout: connectTimeout,
    backoff: (retries: number) => Math.min(0.02 * 2 ** retries, longestBackoff),
    fetch_types: false,
    types: arrayTypes,
    prepare: true,
    // The driver deals statements out to busy sessions in turn, whatever these are busy with.
    ...(options.pipelined === false && { max_pipeline: 0 }),
    onnotice: () => {},
    connection: {
      application_name: options.applicationName ?? 'kontor',
      lock_timeout: 5_000,
      statement_timeout: 60_000,
      idle_in_transaction_session_timeout: 60_000,
      TimeZone: 'UTC',
      DateStyle: 'ISO',
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
