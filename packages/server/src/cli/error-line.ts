import { isUnavailable } from '../db/failure.ts';

/** What the person at the terminal reads about an error: one line, or with its stack. */
export function errorLine(error: unknown, withStack: boolean): string {
  if (withStack && error instanceof Error) return `error: ${error.stack ?? error.message}`;
  return `error: ${message(error).split('\n')[0]}`;
}

function message(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { code, port, address } = error as Error & { code?: string; port?: number; address?: string };
  if (code === 'EADDRINUSE')
    return `port ${port} of ${address} is taken: stop what uses it, or choose another one`;
  if (code === 'EACCES' && port !== undefined) return `port ${port} may not be used: choose one above 1023`;
  if (code === 'EADDRNOTAVAIL') return `${address} is no address of this machine`;
  if (isUnavailable(error)) return `the database cannot be used now: ${error.message}`;
  return error.message || error.name;
}
