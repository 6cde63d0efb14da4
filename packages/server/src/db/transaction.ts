import { behindFailure, UnconfirmedCommit, isRejected, stateOf } from './failure.ts';
import type { Pool } from './pool.ts';
import type { Queryable, Sending, ServerSession } from './session.ts';
import { type Fragment, raw, sql } from './sql.ts';

/** The statements of one transaction. Unawaited statements arrive in the order of the calls. */
export type Session = Queryable & {
  /** The underlying session, for work other than statements. */
  readonly server: ServerSession;
  /** Resolves when the transaction has begun, see `ahead`. */
  readonly begun: Promise<unknown>;
  /** Sends a statement without waiting for its reply. The commit waits for it and fails if it failed. */
  post(statement: Fragment): void;
};

export interface TransactionOptions {
  /** Milliseconds that a statement may take. Defaults to the pool's deadline. */
  readonly deadline?: number;
  /** Whether plans are cached. Defaults to true. */
  readonly prepare?: boolean;
  /** Returns PostgreSQL settings for this transaction only. Called when it begins. */
  readonly settings?: () => Readonly<Record<string, string>>;
  /**
   * Run the work without waiting for BEGIN. Until `begun` resolves, the work may send only statements that are harmless when autocommitted:
   * if BEGIN fails, they run outside a transaction.
   */
  readonly ahead?: boolean;
}

/** Throw it in the work of a transaction to roll back and still return a result. */
export class RollBack<T> extends Error {
  override readonly name = 'RollBack';
  readonly result: T;

  constructor(result: T) {
    super('the transaction is to be rolled back');
    this.result = result;
  }
}

/**
 * Runs the work in a transaction on an exclusive session, commits, and returns the result of the work.
 * An error of the work rolls back; {@link RollBack} rolls back without an error.
 * @throws errors of the work and of the database. An unclear commit throws an error that `isUncertain` recognizes.
 */
export function inTransaction<T>(
  pool: Pool,
  work: (session: Session) => Promise<T>,
  options: TransactionOptions = {},
): Promise<T> {
  const { deadline = pool.deadline, prepare = true } = options;
  return pool.use(server => inTransactionOn(server, work, { ...options, deadline, prepare }));
}

/** Milliseconds that a statement over millions of rows may take: 6 hours. */
export const longDeadline = 6 * 60 * 60 * 1000;

/** Runs the work in a transaction without the timeouts of a request. */
export function inLongTransaction<T>(pool: Pool, work: (session: Session) => Promise<T>): Promise<T> {
  return inTransaction(
    pool,
    async session => {
      await session.run(sql`
        SELECT set_config(name, '0', true)
        FROM unnest(ARRAY['statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout']) AS name
        UNION ALL SELECT set_config('plan_cache_mode', 'auto', true)`);
      return work(session);
    },
    { deadline: longDeadline, prepare: false },
  );
}

/** Runs work that only reads, for hours if necessary, and reads all rows as they are at one instant. Others read and write on. */
export function inLongSnapshot<T>(pool: Pool, work: (session: Session) => Promise<T>): Promise<T> {
  return inTransaction(
    pool,
    async session => {
      // PostgreSQL requires it before the first query.
      await session.run(sql`SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY`);
      await session.run(sql`SELECT set_config('statement_timeout', '0', true)`);
      return work(session);
    },
    { deadline: longDeadline, prepare: false },
  );
}

type How = TransactionOptions & Required<Pick<TransactionOptions, 'deadline' | 'prepare'>>;

/** Like {@link inTransaction}, on a session that the caller uses exclusively. */
export async function inTransactionOn<T>(
  server: ServerSession,
  work: (session: Session) => Promise<T>,
  how: How,
): Promise<T> {
  const transaction = new Transaction(server, how);
  if (!how.ahead) await transaction.begun;
  try {
    const result = await work(transaction);
    await transaction.commit();
    return result;
  } catch (error) {
    await transaction.rollBack();
    if (error instanceof RollBack) return error.result as T;
    throw await transaction.causeOf(error);
  }
}

class Transaction implements Session {
  readonly server: ServerSession;
  readonly begun: Promise<unknown>;
  readonly #how: How;
  readonly #posted: Promise<unknown>[] = [];
  #isOver = false;
  /** The last error of a statement other than {@link behindFailure}. */
  #failure: unknown = null;

  constructor(server: ServerSession, how: How) {
    this.server = server;
    this.#how = how;
    this.begun = Promise.all(beginning(how).map(statement => server.send(statement, withoutRows(how))));
    this.begun.catch(() => {});
  }

  async rows<Row extends object>(statement: Fragment): Promise<Row[]> {
    return (await this.#send(statement)).rows as Row[];
  }

  async run(statement: Fragment): Promise<number> {
    return (await this.#send(statement, withoutRows(this.#how))).rowCount ?? 0;
  }

  post(statement: Fragment): void {
    this.#posted.push(this.#send(statement, withoutRows(this.#how)));
  }

  /** Sends COMMIT right behind the posted statements: if one of them failed, PostgreSQL rolls back. */
  async commit(): Promise<void> {
    await this.begun;
    this.#isOver = true;
    const committed = this.server.sendCommitting(sql`COMMIT`, withoutRows(this.#how));
    committed.catch(() => {});
    await Promise.all(this.#posted);
    const { command } = await committed.catch((cause: unknown) => {
      // A cluster node may have committed nevertheless. No deferred constraint of ours is checked at commit.
      if (!isRejected(cause)) throw cause;
      throw new UnconfirmedCommit('the server failed to commit', { cause });
    });
    // PostgreSQL replies ROLLBACK when a statement failed and its error was not handled.
    if (command !== 'COMMIT') throw new Error('the database has rolled the transaction back');
  }

  /** Leaves the session outside a transaction, or destroyed. */
  async rollBack(): Promise<void> {
    this.#isOver = true;
    if (this.server.isLost) return;
    try {
      await this.server.send(sql`ROLLBACK`, withoutRows(this.#how));
    } catch (error) {
      this.server.destroy(error as Error);
    }
  }

  /** PostgreSQL rejects all statements after a failed one. For these the error of the failed one is returned. */
  async causeOf(failure: unknown): Promise<unknown> {
    if (stateOf(failure) !== behindFailure) return failure;
    await Promise.allSettled(this.#posted);
    return this.#failure ?? failure;
  }

  #send(statement: Fragment, how: Sending = this.#how) {
    // It would be autocommitted, or become part of the next transaction.
    if (this.#isOver) throw new Error('the transaction of this statement is over');
    const reply = this.server.send(statement, how);
    reply.catch((error: unknown) => {
      if (stateOf(error) !== behindFailure) this.#failure = error;
    });
    return reply;
  }
}

function withoutRows({ deadline, prepare }: How): Sending {
  return { deadline, prepare, arrays: true };
}

/** Each setting is a separate statement, because a coordinator forwards its text to the nodes. */
function beginning({ settings }: How): Fragment[] {
  const set = Object.entries(settings?.() ?? {}).map(([name, value]) => raw(`SET LOCAL ${name} = ${value}`));
  return [raw('BEGIN'), ...set];
}
