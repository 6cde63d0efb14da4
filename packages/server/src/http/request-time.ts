import { ApiError } from '@kontor/contract';
import { Disconnected } from './body.ts';
import type { Exchange } from './exchange.ts';

/**
 * The milliseconds that a request may take as a whole. Its body and its turn are waited for outside of {@link run}: those
 * waits have limits of their own. One timer, one signal and one listener serve the whole request, since every request pays
 * for them. To be disposed of when the request is over.
 */
export class RequestTime {
  readonly #exchange: Exchange;
  readonly #limit: number;
  readonly #end = new AbortController();
  readonly #ended = Promise.withResolvers<never>();
  /** Milliseconds taken by the parts that are over. */
  #taken = 0;
  /** When the part under way began. */
  #began: number | null = null;
  #timer: NodeJS.Timeout | undefined;

  constructor(exchange: Exchange, limit: number) {
    this.#exchange = exchange;
    this.#limit = limit;
    // Nobody may be waiting when it is rejected.
    this.#ended.promise.catch(() => {});
    exchange.response.once('close', this.#onClose);
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#timer);
    this.#exchange.response.off('close', this.#onClose);
  }

  /**
   * Runs a part of the request in the time that is left of it. The signal is aborted when that is over, or when the client
   * has left; a read is given up then, a write goes on without anybody waiting for it.
   * @throws ApiError SERVICE_UNAVAILABLE when the time is over; {@link Disconnected}; the errors of the work.
   */
  async run<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    this.#end.signal.throwIfAborted();
    this.#began = performance.now();
    this.#timer ??= setTimeout(this.#check, this.#limit - this.#taken);
    try {
      return await Promise.race([work(this.#end.signal), this.#ended.promise]);
    } finally {
      this.#taken += performance.now() - this.#began;
      this.#began = null;
    }
  }

  /** The timer went on during the waits that do not count, so there may be time left. */
  readonly #check = () => {
    this.#timer = undefined;
    if (this.#began === null) return;
    const left = this.#limit - this.#taken - (performance.now() - this.#began);
    if (left > 0) this.#timer = setTimeout(this.#check, left);
    else this.#giveUp(tooLate(this.#limit, this.#exchange.mayStore));
  };

  readonly #onClose = () => {
    if (!this.#exchange.mayStore) this.#giveUp(new Disconnected('The client broke off'));
  };

  #giveUp(reason: Error): void {
    this.#ended.reject(reason);
    this.#end.abort(reason);
  }
}

function tooLate(milliseconds: number, mayStore: boolean): ApiError {
  const advice = mayStore ? readFirst : 'try again later';
  return new ApiError(
    'SERVICE_UNAVAILABLE',
    `The request took longer than ${milliseconds / 1000} s; ${advice}`,
  );
}

/** What a client does about a write whose outcome is not known. */
export const readFirst = 'it may have been stored: read before you send it again';
