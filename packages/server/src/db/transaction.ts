import { UnconfirmedCommit, isRefused, stateOf } from './failure.ts';
import type { Pool } from './pool.ts';
import type { Queryable, Sending, ServerSession } from './session.ts';
import { type Fragment, raw, sql } from './sql.ts';

/** The statements of one transaction. Those that are sent without waiting arrive in the order of the calls. */
export type Session = Queryable & {
  /** The session of the server, for what is more than statements. */
  readonly server: ServerSession;
  /** Resolves when the transaction has begun; see `ahead`. */
  readonly begun: Promise<unknown>;
  /** Sends a statement of whose reply nobody needs anything. The commit waits for it, and fails when it failed. */
  post(statement: Fragment): void;
};

export interface TransactionOptions {
  /** Milliseconds that a statement may take; else as the pool says. */
  readonly deadline?: number;
  /** Whether plans are kept; else they are. */
  readonly prepare?: boolean;
  /** Asked when it begins: settings of PostgreSQL that it has of its own, where it is not as the session says. */
  readonly settings?: () => Readonly<Record<string, string>>;
  /**
   * The work does not wait for BEGIN: until `begun` resolves it sends only what does no harm when it is committed by itself,
   * since so it is behind a BEGIN that fails.
   */
  readonly ahead?: boolean;
}

/** Thrown by the work of a transaction to roll it back and return this result all the same. */
export class RollBack<T> extends Error {
  override readonly name = 'RollBack';
  readonly result: T;

  constructor(result: T) {
    super('the transaction is to be rolled back');
    this.result = result;
  }
}

/**
 * Runs the work in a transaction of its own session, commits it and returns the result of the work. An error of the work
 * rolls back; {@link RollBack} does so without being one.
 * @throws those of the work and of the database; of a commit that ended without a clear reply those that `isUncertain`
 * knows.
 */
export function inTransaction<T>(
  pool: Pool,
  work: (session: Session) => Promise<T>,
  options: TransactionOptions = {},
): Promise<T> {
  const { deadline = pool.deadline, prepare = true } = options;
  return pool.use(server => inTransactionOn(server, work, { ...options, deadline, prepare }));
}

/** Milliseconds that a statement of millions of rows may take. */
export const longDeadline = 6 * 60 * 60 * 1000;

/** Runs the work in a transaction of its own session, without the time limits of a request. */
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

type How = TransactionOptions & Required<Pick<TransactionOptions, 'deadline' | 'prepare'>>;

/** The same on a session that the caller has to itself. */
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

/** SQLSTATE in_failed_sql_transaction: a statement behind one that has failed. */
const behindFailure = '25P02';

class Transaction implements Session {
  readonly server: ServerSession;
  readonly begun: Promise<unknown>;
  readonly #how: How;
  readonly #posted: Promise<unknown>[] = [];
  #isOver = false;
  /** The last error of a statement that failed by itself. */
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

  /** Sends COMMIT along with what was posted: behind a statement that fails PostgreSQL rolls back. */
  async commit(): Promise<void> {
    await this.begun;
    this.#isOver = true;
    const committed = this.server.sendCommitting(sql`COMMIT`, withoutRows(this.#how));
    committed.catch(() => {});
    await Promise.all(this.#posted);
    const { command } = await committed.catch((cause: unknown) => {
      // A server behind this one may have committed all the same; no constraint of ours waits for the commit.
      if (!isRefused(cause)) throw cause;
      throw new UnconfirmedCommit('the server failed to commit', { cause });
    });
    // So PostgreSQL replies when a statement failed whose error was not noticed.
    if (command !== 'COMMIT') throw new Error('the database has rolled the transaction back');
  }

  /** Leaves the session outside of a transaction, or destroyed. */
  async rollBack(): Promise<void> {
    this.#isOver = true;
    if (this.server.isLost) return;
    try {
      await this.server.send(sql`ROLLBACK`, withoutRows(this.#how));
    } catch (error) {
      this.server.destroy(error as Error);
    }
  }

  /** The error of the work. Behind a statement that failed, PostgreSQL rejects all others: then the error of that one. */
  async causeOf(failure: unknown): Promise<unknown> {
    if (stateOf(failure) !== behindFailure) return failure;
    await Promise.allSettled(this.#posted);
    return this.#failure ?? failure;
  }

  #send(statement: Fragment, how: Sending = this.#how) {
    // Sent now, it would be committed by itself, or be part of another transaction.
    if (this.#isOver) throw new Error('the transaction of this statement is over');
    const reply = this.server.send(statement, how);
    reply.catch((error: unknown) => {
      if (stateOf(error) !== behindFailure) this.#failure = error;
    });
    return reply;
  }
}

/** How a statement is sent of whose rows nobody needs anything. */
function withoutRows({ deadline, prepare }: How): Sending {
  return { deadline, prepare, arrays: true };
}

/** What begins it. A setting is a statement of its own: servers behind this one are sent its text. */
function beginning({ settings }: How): Fragment[] {
  const set = Object.entries(settings?.() ?? {}).map(([name, value]) => raw(`SET LOCAL ${name} = ${value}`));
  return [raw('BEGIN'), ...set];
}
