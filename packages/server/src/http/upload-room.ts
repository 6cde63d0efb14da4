import type { IncomingMessage } from 'node:http';
import { ApiError } from '@kontor/contract';
import { bodyLimit, Disconnected } from './body.ts';

/** Bytes of uploads that may be in memory at once; each is copied a few times on its way, so it costs several times that. */
const roomSize = 6 * bodyLimit;

/** Longest wait for room, in milliseconds. */
const patience = 60_000;

interface Waiting {
  readonly size: number;
  enter(): void;
}

/**
 * Bounds the memory of uploads: each waits, unread, until there is room for its whole body, in the order of arrival. A
 * client that waits is slowed down by its own connection.
 */
export class UploadRoom {
  #free = roomSize;
  readonly #waiting = new Set<Waiting>();

  /**
   * Takes room for the body of the request until the answer is disposed of. Errors: SERVICE_UNAVAILABLE after a long wait,
   * {@link Disconnected} when the client breaks off meanwhile.
   */
  async take(request: IncomingMessage): Promise<Disposable> {
    const declared = request.headers['content-length'];
    const size = Math.min(bodyLimit, declared === undefined ? bodyLimit : Number(declared));
    if (this.#waiting.size > 0 || size > this.#free) await this.#wait(size, request);
    else this.#free -= size;
    return {
      [Symbol.dispose]: () => {
        this.#free += size;
        this.#admit();
      },
    };
  }

  #wait(size: number, request: IncomingMessage): Promise<void> {
    return new Promise((resolve, reject) => {
      const leave = (outcome: () => void) => {
        clearTimeout(timer);
        request.off('close', onClose);
        this.#waiting.delete(waiting);
        outcome();
      };
      const waiting: Waiting = { size, enter: () => leave(resolve) };
      const onClose = () => {
        leave(() => reject(new Disconnected('The client broke off')));
        this.#admit();
      };
      const timer = setTimeout(() => {
        leave(() =>
          reject(new ApiError('SERVICE_UNAVAILABLE', 'Too many uploads are under way; try again later')),
        );
        this.#admit();
      }, patience);
      request.once('close', onClose);
      this.#waiting.add(waiting);
    });
  }

  #admit(): void {
    for (const waiting of this.#waiting) {
      if (waiting.size > this.#free) return;
      this.#free -= waiting.size;
      waiting.enter();
    }
  }
}
