import pg from 'pg';
import { ConnectionLost, DatabaseUnavailable, NoSession, UnconfirmedCommit } from './errors.ts';

/** SQLSTATEs that say "not now" (PostgreSQL documentation, appendix A); the classes 08 and 53 come on top. */
const unavailableStates = new Set([
  '55P03', // lock_not_available: lock_timeout
  '57014', // query_canceled: statement_timeout
  '57P01', // admin_shutdown
  '57P02', // crash_shutdown
  '57P03', // cannot_connect_now
  '57P05', // idle_session_timeout
  '25P03', // idle_in_transaction_session_timeout
]);

/** SQLSTATEs after which the server closes the connection. */
const finalStates = new Set(['57P01', '57P02', '57P03', '57P05', '25P03']);

/**
 * Whether the database could not do its work now but may do it later: the connection was lost or refused, the server
 * starts or stops, a lock or a statement took too long, connections or other resources are used up. Answered with 503.
 * A commit that was under way may have happened: see {@link isUncertain}.
 */
export function isUnavailable(error: unknown): boolean {
  if (error instanceof DatabaseUnavailable) return true;
  const state = stateOf(error);
  return state !== undefined && (unavailableStates.has(state) || /^(08|53)/.test(state));
}

/** Whether the connection is gone, so that nothing can be sent on it. */
export function isConnectionLost(error: unknown): boolean {
  return error instanceof ConnectionLost || (isOfConnection(error) && !isOfNode(error));
}

/**
 * Whether the server lives on and has lost another node of its cluster, which knew the rows that were asked for, or was to change
 * them. The severity is that of a server whose messages are English (docs/scaling.md); of another one the connection counts as
 * lost, which only costs more.
 */
export function isOfNode(error: unknown): boolean {
  return isOfConnection(error) && (error as pg.DatabaseError).severity === 'ERROR';
}

function isOfConnection(error: unknown): boolean {
  const state = stateOf(error);
  return state !== undefined && (finalStates.has(state) || state.startsWith('08'));
}

/** Whether what was written may be stored although there was no reply that says so. */
export function isUncertain(error: unknown): boolean {
  return isConnectionLost(error) || isOfNode(error) || error instanceof UnconfirmedCommit;
}

/** Whether the database itself has refused something, so that nothing of its transaction is stored for certain. */
export function isRefused(error: unknown): boolean {
  return stateOf(error) !== undefined && !isUncertain(error);
}

/** The name of the constraint that the database refused a row for. */
export function violatedConstraint(error: unknown): string | undefined {
  return error instanceof pg.DatabaseError ? error.constraint : undefined;
}

/** The SQLSTATE of an error that the server reported. */
export function stateOf(error: unknown): string | undefined {
  return error instanceof pg.DatabaseError ? error.code : undefined;
}

/** The error of opening a session: what the server itself says, such as a wrong password, stays what it is. */
export function noSession(error: unknown): unknown {
  if (stateOf(error) !== undefined || error instanceof NoSession) return error;
  const { message, code } = error as NodeJS.ErrnoException;
  return new NoSession(message || String(code), { cause: error });
}
