import type { Fragment } from './sql.ts';
import { ApiError } from '@kontor/contract';
import { stateOf } from './failure.ts';
import type { Pool } from './pool.ts';

/**
 * Text as the bytes that the server sends, in UTF-8. So documents go from the database to the client without being decoded;
 * anything else is read with {@link textOf}.
 */
export type Bytes = Buffer;

/** A part of a body: bytes, or text in ASCII. */
export type Chunk = Bytes | string;

/** The text that the bytes stand for. */
export function textOf(bytes: Bytes): string {
  return bytes.toString();
}

/** How a statement is run. */
export interface Running {
  /** A wish: the text recurs, so it is worth while that the server keeps its plan. */
  readonly prepare: boolean;
  /** Who asks, so that none starves the others. */
  readonly callerId: string;
  /** When the request came in, by the clock of the collection: of one caller the oldest comes first. */
  readonly since?: number;
  /** The statement takes some milliseconds at most, so others may stand in line behind it on the same connection. */
  readonly brief?: boolean;
  /** Ends the statement when nobody waits for it any longer. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Runs a statement; resolves with its rows, each value as text.
 * @throws the reason of the signal when that is aborted.
 */
export type Execute = (statement: Fragment, how: Running) => Promise<(Bytes | null)[][]>;

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
