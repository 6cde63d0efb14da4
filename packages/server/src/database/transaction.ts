import type { Pool } from './pool.ts';
import type { Queryable, ServerSession } from './session.ts';
import { type Fragment, sql } from './sql.ts';

/** The statements of one transaction. Those that are sent without waiting arrive in the order of the calls. */
export type Session = Queryable & {
  /** The session of the server, for what is more than statements. */
  readonly server: ServerSession;
};

export interface TransactionOptions {
  /** Milliseconds that a statement may take; else as the pool says. */
  readonly deadline?: number;
  /** Whether plans are kept; else they are. */
  readonly prepare?: boolean;
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
  return pool.use(server => inTransactionOn(server, work, { deadline, prepare }));
}

/** The same on a session that the caller has to itself. */
export async function inTransactionOn<T>(
  server: ServerSession,
  work: (session: Session) => Promise<T>,
  how: Required<TransactionOptions>,
): Promise<T> {
  const transaction = new Transaction(server, how);
  // Waited for: behind a BEGIN that fails, each statement would be committed by itself.
  await server.send(sql`BEGIN`, { deadline: how.deadline });
  try {
    const result = await work(transaction);
    await transaction.commit();
    return result;
  } catch (error) {
    await transaction.rollBack();
    if (error instanceof RollBack) return error.result as T;
    throw error;
  }
}

class Transaction implements Session {
  readonly server: ServerSession;
  readonly #how: Required<TransactionOptions>;
  #isOver = false;

  constructor(server: ServerSession, how: Required<TransactionOptions>) {
    this.server = server;
    this.#how = how;
  }

  async rows<Row extends object>(statement: Fragment): Promise<Row[]> {
    return (await this.#send(statement)).rows as Row[];
  }

  async run(statement: Fragment): Promise<number> {
    return (await this.#send(statement)).rowCount ?? 0;
  }

  async commit(): Promise<void> {
    this.#isOver = true;
    const { command } = await this.server.sendCommitting(sql`COMMIT`, this.#how);
    // So PostgreSQL replies when a statement failed whose error was not noticed.
    if (command !== 'COMMIT') throw new Error('the database has rolled the transaction back');
  }

  /** Leaves the session outside of a transaction, or destroyed. */
  async rollBack(): Promise<void> {
    this.#isOver = true;
    if (this.server.isLost) return;
    try {
      await this.server.send(sql`ROLLBACK`, this.#how);
    } catch (error) {
      this.server.destroy(error as Error);
    }
  }

  #send(statement: Fragment) {
    // Sent now, it would be committed by itself, or be part of another transaction.
    if (this.#isOver) throw new Error('the transaction of this statement is over');
    return this.server.send(statement, this.#how);
  }
}
