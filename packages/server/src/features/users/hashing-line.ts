import { ApiError } from '@kontor/contract';

/** Lets a few works be under way at once, and the others wait in the order of arrival. */
export class HashingLine {
  readonly #most: number;
  readonly #mostWaiting: number;
  #running = 0;
  readonly #waiting: (() => void)[] = [];

  constructor(most: number, mostWaiting: number) {
    this.#most = most;
    this.#mostWaiting = mostWaiting;
  }

  /** Has the work done when it is its turn. @throws ApiError SERVICE_UNAVAILABLE when too many wait already; those of the work. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#running < this.#most) this.#running++;
    else await this.#turn();
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      if (next) next();
      else this.#running--;
    }
  }

  #turn(): Promise<void> {
    if (this.#waiting.length >= this.#mostWaiting)
      throw new ApiError('SERVICE_UNAVAILABLE', 'Too many are signing in at the moment; try again later');
    return new Promise(resolve => this.#waiting.push(resolve));
  }
}
