import postgres from 'postgres';

/** Errors of a socket before or while PostgreSQL talks, and of the driver when a connection is no more. */
const connectionCodes = new Set([
  'CONNECTION_CLOSED',
  'CONNECTION_ENDED',
  'CONNECTION_DESTROYED',
  'CONNECT_TIMEOUT',
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
]);

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

/**
 * Whether the database could not do its work now but may do it later: the connection was lost or refused, the server
 * starts or stops, a lock or a statement took too long, connections or other resources are used up. Answered with 503.
 * A commit that was under way may have happened.
 */
export function isUnavailable(error: unknown): boolean {
  const code = errorCode(error);
  if (code === undefined) return false;
  if (connectionCodes.has(code) || unavailableStates.has(code)) return true;
  if (/^(08|53)[0-9A-Z]{3}$/.test(code)) return true;
  // A Unix socket that is not there; ENOENT of any other call is about a file.
  return code === 'ENOENT' && (error as NodeJS.ErrnoException).syscall === 'connect';
}

/** SQLSTATEs after which the server closes the connection. */
const finalStates = new Set(['57P01', '57P02', '57P03', '57P05', '25P03']);

/** Whether the connection is no more, so that nothing can be sent on it: the driver would fail outside of any promise. */
export function isConnectionLost(error: unknown): boolean {
  const code = errorCode(error);
  return code !== undefined && (connectionCodes.has(code) || finalStates.has(code) || code.startsWith('08'));
}

/** Whether the database itself has refused something, so that nothing of its transaction is stored for certain. */
export function isRefused(error: unknown): boolean {
  return error instanceof postgres.PostgresError && !isConnectionLost(error);
}

/** The `code` of an error: a SQLSTATE, a code of the driver or of the operating system. */
export function errorCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}
