import { setTimeout as delay } from 'node:timers/promises';
import { stateOf } from '../failure.ts';
import { OperatorError } from '../operator-error.ts';
import { type Fragment, raw } from '../sql.ts';

/** Milliseconds that a step waits for a lock; for as long everybody waits who comes behind it. */
const lockTimeout = 1_000;

/** Sets that limit for a transaction. */
export const limitLocks: Fragment = raw(`SET LOCAL lock_timeout = ${lockTimeout}`);

/** Milliseconds between the attempts: ten minutes in all. */
const defaultPauses: readonly number[] = [1, 2, 4, 8, 15, ...Array<number>(19).fill(30)].map(
  seconds => seconds * 1000,
);

/** SQLSTATEs lock_not_available and deadlock_detected. */
const lockStates = new Set(['55P03', '40P01']);

export interface Timeout {
  readonly log: (line: string) => void;
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds between the attempts. */
  readonly pauses?: readonly number[] | undefined;
}

/**
 * Tries a step again when somebody holds what it must lock, after pauses in which those who waited behind it get their turn.
 * @throws {@link OperatorError} when it was never to be had, and any other error of the step at once.
 */
export async function politely<T>(
  name: string,
  step: () => Promise<T>,
  { log, signal, pauses = defaultPauses }: Timeout,
): Promise<T> {
  for (const pause of [...pauses, null])
    try {
      return await step();
    } catch (cause) {
      if (!lockStates.has(stateOf(cause) ?? '')) throw cause;
      if (pause === null)
        throw new OperatorError(
          `Migration ${name} gets no lock, since others use the table for long: look for the oldest xact_start in pg_stat_activity, and run "kontor migrate" again when that is over`,
          { cause },
        );
      log(`${name} waits for a lock; again in ${pause / 1000} s`);
      await delay(pause, undefined, { signal });
    }
  throw new Error('unreachable');
}
