import type { Logger } from 'pino';
import { stateOf, violatedConstraint } from '../db/failure.ts';
import type { RequestRecord } from '../http/request-context.ts';

/** Logs one line for a request, without URL, headers or body: these contain keys and personal data. Status 499 means that the client disconnected. */
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

/** `keyId` for an API key, `actorId` for any other caller; a null `keyId` when the request was not authenticated. */
function namesOf({ caller }: RequestRecord): Record<string, string | null> {
  if (caller === null) return { keyId: null };
  const { type, id } = caller.actor;
  return type === 'api_key' ? { keyId: id } : { actorType: type, actorId: id };
}

/** Logs why a download was aborted, as the line of its request does not have the reason. */
export function logBrokenDownload(
  logger: Logger,
  { requestId, operation }: RequestRecord,
  error: unknown,
): void {
  logger.error({ requestId, operation, cause: describeCause(error) }, 'download aborted');
}

/** The part of an error that may be logged. Database messages may quote values, so they are left out. */
export interface Cause {
  readonly type: string;
  readonly message?: string;
  /** SQLSTATE, or the code of a system error. */
  readonly code?: string;
  readonly constraint?: string;
  readonly stack?: string;
  readonly cause?: Cause;
}

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

/** The frames of the stack. Its first lines repeat the message. */
function stackOf({ stack }: Error): { stack?: string } {
  const frames = stack?.match(/^ {4}at .*$/gm);
  return frames ? { stack: frames.join('\n') } : {};
}
