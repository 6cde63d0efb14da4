import type { Logger } from 'pino';
import { stateOf, violatedConstraint } from '../db/failure.ts';
import type { RequestRecord } from '../http/request-context.ts';

/**
 * Writes the one line of a request. It has no URL, header or body: those carry keys and personal data.
 * `status` 499 means that the client broke off.
 */
export function logRequest(
  logger: Logger,
  record: RequestRecord,
  status: number,
  milliseconds: number,
): void {
  logger.info(
    {
      requestId: record.requestId,
      ...namesOf(record),
      operation: record.operation,
      status,
      ms: Math.round(milliseconds * 100) / 100,
    },
    'request',
  );
}

/** Whose request it was: `keyId` of a key, null while nobody was let in, `actorId` of any other caller. */
function namesOf({ caller }: RequestRecord): Record<string, string | null> {
  if (caller === null) return { keyId: null };
  const { type, id } = caller.actor;
  return type === 'api_key' ? { keyId: id } : { actorType: type, actorId: id };
}

/** Says why a file was cut off half way, which the line of its request cannot. */
export function logBrokenDownload(
  logger: Logger,
  { requestId, operation }: RequestRecord,
  error: unknown,
): void {
  logger.error({ requestId, operation, cause: describeCause(error) }, 'download broken off');
}

/** What the log may hold of an error. Messages of the database can quote values, so theirs are left out. */
export interface Cause {
  readonly type: string;
  readonly message?: string;
  /** SQLSTATE, or the code of a system error. */
  readonly code?: string;
  readonly constraint?: string;
  readonly stack?: string;
  readonly cause?: Cause;
}

/** An error in the form that may be logged. */
export function describeCause(error: unknown): Cause {
  if (!(error instanceof Error)) return { type: typeof error };
  const { code } = error as NodeJS.ErrnoException;
  const fromDatabase = stateOf(error) !== undefined;
  const constraint = violatedConstraint(error);
  return {
    type: fromDatabase ? 'DatabaseError' : error.name,
    ...(fromDatabase ? {} : { message: error.message }),
    ...(typeof code === 'string' ? { code } : {}),
    ...(constraint === undefined ? {} : { constraint }),
    ...stackOf(error),
    ...(error.cause === undefined ? {} : { cause: describeCause(error.cause) }),
  };
}

/** The frames of the stack without its first lines, which repeat the message. */
function stackOf({ stack }: Error): { stack?: string } {
  const frames = stack?.match(/^ {4}at .*$/gm);
  return frames ? { stack: frames.join('\n') } : {};
}
