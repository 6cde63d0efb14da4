import { KontorError } from '@kontor/sdk';

/** An error for the person at the terminal: its message is the one line that is printed. */
export class SyncError extends Error {
  override readonly name = 'SyncError';
}

/** An error in one line, with the request that the service logged. */
export function messageOf(error: unknown): string {
  const message = (error instanceof Error ? error.message : String(error)).replaceAll(/\s+/g, ' ');
  return error instanceof KontorError ? `${message} (request ${error.requestId})` : message;
}
