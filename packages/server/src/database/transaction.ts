import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ISql, TransactionSql } from 'postgres';
import type { Sql } from './connect.ts';
import { isConnectionLost } from './failure.ts';

/** Whatever runs statements: a pool, a session or a transaction of the driver. */
export type Statements = ISql;

/** The statements of one transaction. */
export type Session = ISql;

/** A statement that is not sent yet. */
export interface Statement extends PromiseLike<unknown> {
  /** Sends it; statements of a session arrive in the order of these calls. */
  execute(): this;
}

/** Thrown by the work of a transaction to roll it back and answer this result all the same. */
export class RollBack<T> extends Error {
  override readonly name = 'RollBack';
  readonly result: T;

  constructor(result: T) {
    super('the transaction is to be rolled back');
    this.result = result;
  }
}

/**
 * Runs the work in a transaction of its own session, commits it and answers what the work answered. An error of the work
 * rolls back; {@link RollBack} does so without being one. When the connection is lost the transaction fails at once, whatever
 * the work is waiting for, with an error that `isUnavailable` knows.
 */
export async function inTransaction<T>(sql: Sql, work: (session: Session) => Promise<T>): Promise<T> {
  const state = { over: false };
  try {
    return (await sql.begin(transaction =>
      work(whileOpen(transaction, state)).catch(error => failed(error, state)),
    )) as T;
  } catch (error) {
    if (error instanceof RollBack) return error.result as T;
    throw error;
  } finally {
    state.over = true;
  }
}

/**
 * The session until the transaction is over; from then on whoever wants to send a statement gets an error. `postgres` 3.4.9
 * would send it on a connection that is no more, which brings the process down (connection.js, `nextWrite`); or on the one
 * that replaced it, where it is none of this transaction and commits by itself.
 */
function whileOpen(transaction: TransactionSql, state: { readonly over: boolean }): Session {
  const check = () => {
    if (state.over) throw connectionLost();
  };
  return new Proxy(transaction, {
    apply(target, self, args) {
      check();
      return Reflect.apply(target, self, args) as unknown;
    },
    get(target, name) {
      check();
      return Reflect.get(target, name) as unknown;
    },
  });
}

/**
 * Throws the error, upon which the driver rolls back; never ends when the connection is no more: the driver has failed the
 * transaction already, and its ROLLBACK would bring the process down.
 */
async function failed(error: unknown, state: { readonly over: boolean }): Promise<never> {
  // A statement may fail just before the socket tells that it is closed, which it does at the end of a turn of the event loop.
  if (isConnectionLost(error)) for (let turn = 0; turn < 2; turn++) await nextTurn();
  if (state.over) await new Promise<never>(() => {});
  throw error;
}

/** An error as the driver has it. */
function connectionLost(): Error {
  return Object.assign(new Error('the connection of the transaction was lost'), {
    code: 'CONNECTION_CLOSED',
  });
}
