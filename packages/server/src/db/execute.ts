import { ApiError } from '@kontor/contract';
import { stateOf } from './failure.ts';
import type { Bytes, Execute } from './list-statement.ts';
import type { Pool } from './pool.ts';

/** SQLSTATE query_canceled: the statement took longer than it may, or somebody else has stopped it. */
const canceled = '57014';

/** Where a key waits for its part of the sessions, until the place is disposed of. */
export interface Line {
  take(key: string, signal?: AbortSignal, since?: number): Promise<Disposable>;
}

/**
 * Runs the statements of collections; what may take long waits in line.
 * @throws SERVICE_UNAVAILABLE for one that takes too long.
 */
export function execute(lists: Pool, line?: Line): Execute {
  return async (statement, { prepare, brief = false, callerId, signal, since }) => {
    using _place = brief ? null : await line?.take(callerId, signal, since);
    try {
      // A brief one shares its connection with others, which must not end with it.
      const how = brief ? { prepare, shared: true } : { prepare, signal };
      return await lists.arrays<Bytes | null>(statement, how);
    } catch (cause) {
      if (stateOf(cause) !== canceled) throw cause;
      const advice = 'The list took too long; narrow the filter, or sort by another field';
      throw new ApiError('SERVICE_UNAVAILABLE', advice, { cause });
    }
  };
}
