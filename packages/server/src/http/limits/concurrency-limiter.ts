import { ApiError } from '@kontor/contract';
import { FairLine } from './fair-queue.ts';

interface ConcurrencyLimits {
  /** How much runs at once, in all and for one client. */
  readonly running: { readonly inAll: number; readonly perClient: number };
  /** How much may wait, in all and for one client. */
  readonly waiting: { readonly inAll: number; readonly perClient: number };
  /** Milliseconds that something may wait. */
  readonly maxWait: number;
  /** Says what there was too much of, and what to do. */
  readonly message: string;
}

/**
 * Bounds how much work runs at once. Clients that wait come one after the other, so that one with much work delays itself and not the others.
 */
export class ConcurrencyLimiter {
  readonly #queue: FairLine;
  readonly #limits: ConcurrencyLimits;

  constructor(limits: ConcurrencyLimits) {
    const { running, waiting } = limits;
    this.#limits = limits;
    this.#queue = new FairLine({
      places: running.inAll,
      placesOfKey: running.perClient,
      waiting: waiting.inAll,
      waitingOfKey: waiting.perClient,
    });
  }

  /** How much runs and how much waits, for metrics. */
  get state(): FairLine['state'] {
    return this.#queue.state;
  }

  /** Runs the work when it is the client's turn. @throws ApiError SERVICE_UNAVAILABLE when too much waits or it waited too long; those of the work. */
  async run<T>(client: string, work: () => Promise<T>): Promise<T> {
    const { maxWait, message } = this.#limits;
    using _place = await this.#queue.take(client, AbortSignal.timeout(maxWait)).catch(() => {
      throw new ApiError('SERVICE_UNAVAILABLE', message);
    });
    return await work();
  }
}
