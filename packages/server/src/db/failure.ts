import pg from 'pg';
import {
  constraintOfNode,
  isCommitWarning,
  isCopyReport,
  isLostInCommit,
  isNodeConnection,
} from './citus.ts';

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
  if (error instanceof DatabaseUnavailable || isOfNode(error) || isOfCopy(error)) return true;
  const state = stateOf(error);
  return state !== undefined && (unavailableStates.has(state) || /^(08|53)/.test(state));
}

/** Whether the connection is gone, so that nothing can be sent on it. */
export function isConnectionLost(error: unknown): boolean {
  return error instanceof ConnectionLost || (isOfConnection(error) && !isOfNode(error));
}

/** Whether the server lives on and has lost another one behind it, which has the rows that were asked for, or was to change them. */
export function isOfNode(error: unknown): boolean {
  if (!(error instanceof pg.DatabaseError)) return false;
  return isLostInCommit(error) || (isOfConnection(error) && isNodeConnection(error));
}

function isOfConnection(error: unknown): boolean {
  const state = stateOf(error);
  return state !== undefined && (finalStates.has(state) || state.startsWith('08'));
}

/** Whether what was written may be stored although there was no reply that says so. */
export function isUncertain(error: unknown): boolean {
  return isConnectionLost(error) || isOfNode(error) || error instanceof UnconfirmedCommit;
}

/** A rejection by a server behind this one, with its message only: where that names no constraint it counts as a lock or a time limit. */
function isOfCopy(error: unknown): boolean {
  return error instanceof pg.DatabaseError && isCopyReport(error) && violatedConstraint(error) === undefined;
}

/**
 * Whether a message beside the reply to a commit says that it may not last. Of a warning without a SQLSTATE of its own (01000) the
 * function that gives it decides, since servers warn of much else, too; one that names none counts.
 */
export function isDoubt({
  code,
  routine,
}: {
  code?: string | undefined;
  routine?: string | undefined;
}): boolean {
  // The wait for a standby was cut off by the end of the session.
  if (code === '57P01') return true;
  return (
    code === '01000' && (routine === undefined || routine === 'SyncRepWaitForLSN' || isCommitWarning(routine))
  );
}

/** Whether the database itself has refused something, so that nothing of its transaction is stored for certain. */
export function isRefused(error: unknown): boolean {
  return stateOf(error) !== undefined && !isUncertain(error);
}

/** The name of the constraint that the database rejected a row for. */
export function violatedConstraint(error: unknown): string | undefined {
  if (!(error instanceof pg.DatabaseError)) return undefined;
  const { constraint, code } = error;
  if (constraint !== undefined || !(code?.startsWith('23') || isCopyReport(error))) return constraint;
  return constraintOfNode(error);
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

/** The database cannot be used now: it is away, the connection was lost, or a time is over. Answered with 503. */
export class DatabaseUnavailable extends Error {
  override readonly name: string = 'DatabaseUnavailable';
}

/** No session could be had: the server is away or busy, or it is not one that may be used. Nothing was sent. */
export class NoSession extends DatabaseUnavailable {
  override readonly name = 'NoSession';
}

/** The connection broke while statements were under way: whether they were run is not known. */
export class ConnectionLost extends DatabaseUnavailable {
  override readonly name: string = 'ConnectionLost';
}

/** A statement got no reply in time, and its connection was given up: whether it was run is not known. */
export class StatementOverdue extends ConnectionLost {
  override readonly name = 'StatementOverdue';
}

/**
 * A commit that the server has made, but that no standby has confirmed, or not the node of its cluster that has the rows: it
 * may be lost. PostgreSQL reports it as a success with a warning (its documentation, 27.2.8), and so does Citus.
 */
export class UnconfirmedCommit extends DatabaseUnavailable {
  override readonly name = 'UnconfirmedCommit';
}
