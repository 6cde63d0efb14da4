import type { ServerResponse } from 'node:http';
import { ApiError } from '@kontor/contract';
import { Disconnected } from './body.ts';

/** Longest wait for room, in milliseconds. */
const patience = 60_000;

interface Waiting {
  readonly size: number;
  enter(): void;
}

/**
 * Bounds what is under way at once: each takes its share of the room, and waits for it in the order of arrival. A client
 * whose body waits unread is slowed down by its own connection.
 */
export class Room {
  #free: number;
  readonly #waiting = new Set<Waiting>();

  constructor(size: number) {
    this.#free = size;
  }

  /**
   * Takes a share until it is disposed of. Errors: SERVICE_UNAVAILABLE after a long wait, {@link Disconnected} when the
   * client breaks off meanwhile.
   */
  async take(size: number, response: ServerResponse): Promise<Disposable> {
    if (this.#waiting.size > 0 || size > this.#free) await this.#wait(size, response);
    else this.#free -= size;
    return {
      [Symbol.dispose]: () => {
        this.#free += size;
        this.#admit();
      },
    };
  }

  #wait(size: number, response: ServerResponse): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const leave = () => {
      clearTimeout(timer);
      response.off('close', onClose);
      this.#waiting.delete(waiting);
    };
    const giveUp = (error: Error) => {
      leave();
      reject(error);
      this.#admit();
    };
    const onClose = () => giveUp(new Disconnected('The client broke off'));
    const busy = () => new ApiError('SERVICE_UNAVAILABLE', 'Too many uploads are under way; try again later');
    const timer = setTimeout(() => giveUp(busy()), patience);
    const waiting: Waiting = {
      size,
      enter() {
        leave();
        resolve();
      },
    };
    response.once('close', onClose);
    this.#waiting.add(waiting);
    return promise;
  }

  #admit(): void {
    for (const waiting of this.#waiting) {
      if (waiting.size > this.#free) return;
      this.#free -= waiting.size;
      waiting.enter();
    }
  }
}
