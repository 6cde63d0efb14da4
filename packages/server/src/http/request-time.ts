import { ApiError } from '@kontor/contract';
import { Disconnected } from './body.ts';
import type { Exchange } from './exchange.ts';

/**
 * The milliseconds that a request may take as a whole. Its body and its turn are waited for outside of {@link run}: those
 * waits have limits of their own.
 */
export class RequestTime {
  readonly #exchange: Exchange;
  readonly #limit: number;
  #left: number;

  constructor(exchange: Exchange, limit: number) {
    this.#exchange = exchange;
    this.#limit = limit;
    this.#left = limit;
  }

  /**
   * Runs a part of the request in the time that is left of it. The signal is aborted when that is over, or when the client
   * has left; a read is given up then, a write goes on without anybody waiting for it.
   * @throws ApiError SERVICE_UNAVAILABLE when the time is over; {@link Disconnected}; the errors of the work.
   */
  async run<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const { response, mayStore } = this.#exchange;
    const { promise: ended, reject } = Promise.withResolvers<never>();
    const end = new AbortController();
    const giveUp = (reason: Error) => {
      reject(reason);
      end.abort(reason);
    };
    const began = performance.now();
    const timer = setTimeout(() => giveUp(tooLate(this.#limit, mayStore)), this.#left);
    const onClose = () => giveUp(new Disconnected('The client broke off'));
    if (!mayStore) response.once('close', onClose);
    try {
      return await Promise.race([work(end.signal), ended]);
    } finally {
      clearTimeout(timer);
      response.off('close', onClose);
      this.#left -= performance.now() - began;
    }
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
