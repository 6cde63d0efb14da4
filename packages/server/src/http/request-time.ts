import { ApiError } from '@kontor/contract';
import { Disconnected } from './request/body.ts';
import type { Exchange } from './request-context.ts';

/**
 * The milliseconds that a request may take as a whole. Its body and its turn are waited for outside of {@link run}: those
 * waits have limits of their own. One timer and one listener serve the whole request, and a signal is made only for work that
 * asks for it, since every request pays for them. To be disposed of when the request is over.
 */
export class RequestTime {
  readonly #exchange: Exchange;
  readonly #limit: number;
  #end: AbortController | undefined;
  /** Why the request was given up. */
  #reason: Error | undefined;
  /** Ends the wait for the part under way. */
  #giveUpPart: ((reason: Error) => void) | undefined;
  /** Milliseconds taken by the parts that are over. */
  #taken = 0;
  /** When the part under way began. */
  #began: number | null = null;
  #timer: NodeJS.Timeout | undefined;

  constructor(exchange: Exchange, limit: number) {
    this.#exchange = exchange;
    this.#limit = limit;
    exchange.response.once('close', this.#onClose);
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#timer);
    this.#exchange.response.off('close', this.#onClose);
  }

  /** It is aborted when the time is over, or when the client has left. */
  get signal(): AbortSignal {
    if (!this.#end) {
      this.#end = new AbortController();
      if (this.#reason) this.#end.abort(this.#reason);
    }
    return this.#end.signal;
  }

  /**
   * Runs a part of the request in the time that is left of it. When that is over, or when the client has left, nobody waits for
   * it any longer: what follows the {@link signal} is given up then, such as a read; a write goes on.
   * @throws ApiError SERVICE_UNAVAILABLE when the time is over; {@link Disconnected}; the errors of the work.
   */
  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#reason) throw this.#reason;
    this.#began = performance.now();
    this.#timer ??= setTimeout(this.#check, this.#limit - this.#taken);
    try {
      return await new Promise((resolve, reject) => {
        this.#giveUpPart = reject;
        work().then(resolve, reject);
      });
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
    this.#reason ??= reason;
    this.#giveUpPart?.(reason);
    this.#end?.abort(reason);
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
