import pg from 'pg';
import {
  constraintOfNode,
  isCommitWarning,
  isCopyReport,
  isLostInCommit,
  isNodeConnection,
} from './citus-errors.ts';

/** SQLSTATEs of temporary faults (PostgreSQL documentation, appendix A). Also the classes 08, 28 (such as a changed password) and 53. */
const unavailableStates = new Set([
  '25006', // read_only_sql_transaction: the server is a standby, or was set to read-only
  '55P03', // lock_not_available: lock_timeout
  '57014', // query_canceled: statement_timeout
  '57P01', // admin_shutdown
  '57P02', // crash_shutdown
  '57P03', // cannot_connect_now
  '57P05', // idle_session_timeout
  '25P03', // idle_in_transaction_session_timeout
]);

/** SQLSTATE in_failed_sql_transaction: the statement follows a failed one. */
export const behindFailure = '25P02';

const finalStates = new Set(['57P01', '57P02', '57P03', '57P05', '25P03']);

/**
 * Whether the database cannot do the work now but may do it later; the response is 503. The connection was lost or rejected, the server starts,
 * stops or is read-only, a lock or statement timed out, or resources are exhausted. A commit in progress may have succeeded, see {@link isUncertain}.
 */
export function isUnavailable(error: unknown): boolean {
  if (error instanceof DatabaseUnavailable || isOfNode(error) || isOfCopy(error)) return true;
  const state = stateOf(error);
  return state !== undefined && (unavailableStates.has(state) || /^(08|28|53)/.test(state));
}

export function isConnectionLost(error: unknown): boolean {
  return error instanceof ConnectionLost || (isOfConnection(error) && !isOfNode(error));
}

/** Whether the server itself works but lost a cluster node, which holds the rows to read or change. */
export function isOfNode(error: unknown): boolean {
  if (!(error instanceof pg.DatabaseError)) return false;
  return isLostInCommit(error) || (isOfConnection(error) && isNodeConnection(error));
}

function isOfConnection(error: unknown): boolean {
  const state = stateOf(error);
  return state !== undefined && (finalStates.has(state) || state.startsWith('08'));
}

/** Whether a write may be stored although no reply confirmed it. */
export function isUncertain(error: unknown): boolean {
  return isConnectionLost(error) || isOfNode(error) || error instanceof UnconfirmedCommit;
}

/** A rejection by a cluster node arrives as a message only. Without a constraint name it counts as a lock or statement timeout. */
function isOfCopy(error: unknown): boolean {
  return error instanceof pg.DatabaseError && isCopyReport(error) && violatedConstraint(error) === undefined;
}

/**
 * Whether a notice during a commit means that the commit may not last.
 * Servers use the SQLSTATE 01000 for many warnings, so the reporting function decides. A warning without a function counts.
 */
export function isDoubt({
  code,
  routine,
}: {
  code?: string | undefined;
  routine?: string | undefined;
}): boolean {
  // The session ended while it waited for a standby.
  if (code === '57P01') return true;
  return (
    code === '01000' && (routine === undefined || routine === 'SyncRepWaitForLSN' || isCommitWarning(routine))
  );
}

/** Whether the database rejected a statement, so that nothing of its transaction is stored. */
export function isRejected(error: unknown): boolean {
  return stateOf(error) !== undefined && !isUncertain(error);
}

export function violatedConstraint(error: unknown): string | undefined {
  if (!(error instanceof pg.DatabaseError)) return undefined;
  const { constraint, code } = error;
  if (constraint !== undefined || !(code?.startsWith('23') || isCopyReport(error))) return constraint;
  return constraintOfNode(error);
}

export function stateOf(error: unknown): string | undefined {
  return error instanceof pg.DatabaseError ? error.code : undefined;
}

/** The error of opening a session. An error that the server reported, such as a wrong password, is returned as it is. */
export function noSession(error: unknown): unknown {
  if (stateOf(error) !== undefined || error instanceof NoSession) return error;
  const { message, code } = error as NodeJS.ErrnoException;
  return new NoSession(message || String(code), { cause: error });
}

/** The database is unavailable: unreachable, connection lost, or timed out. The response is 503. */
export class DatabaseUnavailable extends Error {
  override readonly name: string = 'DatabaseUnavailable';
}

/** No session could be opened: the server is unreachable, busy or unsuitable. Nothing was sent. */
export class NoSession extends DatabaseUnavailable {
  override readonly name = 'NoSession';
}

/** The connection was lost with statements in progress. They may or may not have run. */
export class ConnectionLost extends DatabaseUnavailable {
  override readonly name: string = 'ConnectionLost';
}

/** A statement got no reply in time and its connection was closed. It may or may not have run. */
export class StatementOverdue extends ConnectionLost {
  override readonly name = 'StatementOverdue';
}

/**
 * The server committed, but a standby or a cluster node with the rows did not confirm. The commit may be lost.
 * PostgreSQL reports this as success with a warning (documentation, 27.2.8), and so does Citus.
 */
export class UnconfirmedCommit extends DatabaseUnavailable {
  override readonly name = 'UnconfirmedCommit';
}
