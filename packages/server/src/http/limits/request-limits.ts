import type { Operation } from '@kontor/contract';
import { Limiter } from '../../lib/concurrency/limiter.ts';

/** Limits that the requests of one port share. Each port has its own, so clients of one port cannot block the other. */
export class RequestLimits {
  /**
   * Bodies over 64 KiB that are received or handled: twelve at once of at most 5 MiB each, and three per caller. So they take at most 60 MiB, and no
   * three callers can fill all places.
   */
  readonly #bodies = limiterOf({ inAll: 12, perKey: 3 }, 'large bodies', 'being received');
  /** Uploads stored, or batches handled, at once. Both take several times the memory of the body. One place of three is left for other callers. */
  readonly uploads = limiterOf({ inAll: 3, perKey: 2 }, 'uploads or batches', 'in progress');
  readonly batches = limiterOf({ inAll: 3, perKey: 2 }, 'uploads or batches', 'in progress');
  readonly #ratePeriod: number;

  /** `ratePeriod` are the milliseconds over which the rate of a body is measured. */
  constructor(ratePeriod = 10_000) {
    this.#ratePeriod = ratePeriod;
  }

  placeOf(caller: string): BodyPlace {
    return new BodyPlace(this.#bodies, caller, this.#ratePeriod);
  }

  limiterOf({ upload, batch }: Operation): Limiter | null {
    if (batch) return this.batches;
    return upload ? this.uploads : null;
  }
}

function limiterOf(running: { inAll: number; perKey: number }, what: string, state: string): Limiter {
  return new Limiter({
    running,
    waiting: { inAll: 2000, perKey: 200 },
    tooMany: `Too many ${what} at once; send fewer at a time`,
    maxWait: { milliseconds: 60_000, message: `Too many ${what} are ${state}; try again later` },
  });
}

/** The place of a body. Dispose of it when the body was handled. */
export class BodyPlace implements Disposable {
  readonly #limiter: Limiter;
  readonly #caller: string;
  /** Milliseconds between two measurements of its rate. */
  readonly period: number;
  #held: Disposable | undefined;

  constructor(limiter: Limiter, caller: string, period: number) {
    this.#limiter = limiter;
    this.#caller = caller;
    this.period = period;
  }

  /** @throws ApiError SERVICE_UNAVAILABLE; the reason of the signal. */
  async take(signal: AbortSignal): Promise<void> {
    this.#held = await this.#limiter.take(this.#caller, signal);
    if (signal.aborted) this[Symbol.dispose]();
  }

  get isAwaited(): boolean {
    return this.#held !== undefined && this.#limiter.isAwaited(this.#caller);
  }

  [Symbol.dispose](): void {
    this.#held?.[Symbol.dispose]();
  }
}
