import type { Fragment } from './sql.ts';
import { ApiError } from '@kontor/contract';
import { stateOf } from './failure.ts';
import type { Pool } from './pool.ts';

export interface Running {
  /** A hint: the text recurs, so the server should keep its plan. */
  readonly prepare: boolean;
  /** The statement takes a few milliseconds at most, so other statements may queue behind it on the same connection. */
  readonly brief?: boolean;
  /** Cancels the statement when its client is gone. */
  readonly signal?: AbortSignal | undefined;
}

/** A value as the text that the server sends. */
export type Cell = string | null;

/** @throws the reason of the signal when it is aborted */
export type Execute = (statement: Fragment, how: Running) => Promise<Cell[][]>;

/** SQLSTATE query_canceled: the statement timed out, or another session canceled it. */
const canceled = '57014';

/**
 * Runs list statements.
 * @throws SERVICE_UNAVAILABLE when a statement times out
 */
export function execute(lists: Pool): Execute {
  return async (statement, { prepare, brief = false, signal }) => {
    try {
      // A brief statement shares its connection, so its signal must not close it.
      const how = brief ? { prepare, shared: true } : { prepare, signal };
      return await lists.arrays<Cell>(statement, how);
    } catch (cause) {
      if (stateOf(cause) !== canceled) throw cause;
      const advice = 'The list took too long; narrow the filter, or sort by another field';
      throw new ApiError('SERVICE_UNAVAILABLE', advice, { cause });
    }
  };
}
