import { stateOf, violatedConstraint } from '../db/failure.ts';

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
