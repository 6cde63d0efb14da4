import { ApiError } from '@kontor/contract';
import { Disconnected } from './body.ts';
import type { Exchange } from './exchange.ts';

/** Longest wait for a permit, in milliseconds. */
const patience = 60_000;

/** What a sender must keep up while others wait, in bytes a second: 5 MiB take 40 seconds then, less than others wait. */
const rateMinimum = 128 * 1024;

/** How long a sender is watched before they count as too slow, and how often that is looked at, in milliseconds. */
const watchTime = 3000;
const watchInterval = 500;

/** A part of what there is, given back when it is first disposed of. */
export interface Permit extends Disposable {
  /** Aborted when the sender is too slow while others wait; the reason is SERVICE_UNAVAILABLE. */
  readonly lost: AbortSignal;
}

type Sender = Pick<Exchange, 'request' | 'response'>;

interface Waiting {
  readonly size: number;
  enter(): void;
}

/** A permit that somebody has, and what had been received from them when that was last looked at. */
interface Held {
  readonly size: number;
  readonly sender: Sender;
  readonly lost: AbortController;
  seenAt: number;
  seenBytes: number;
}

/**
 * Bounds what is under way at once: each takes a part of what there is, and waits for it in the order of arrival. A client
 * whose body waits unread is slowed down by its own connection; one who sends too slowly loses their part when others need it.
 */
export class Semaphore {
  #free: number;
  readonly #held = new Set<Held>();
  readonly #waiting = new Set<Waiting>();
  #watch: NodeJS.Timeout | undefined;

  constructor(size: number) {
    this.#free = size;
  }

  /**
   * Takes so much until it is disposed of.
   * @throws ApiError SERVICE_UNAVAILABLE after a long wait; {@link Disconnected} when the client breaks off meanwhile.
   */
  async take(size: number, sender: Sender): Promise<Permit> {
    if (this.#waiting.size > 0 || size > this.#free) await this.#wait(size, sender);
    else this.#free -= size;
    const lost = new AbortController();
    const held = { size, sender, lost, seenAt: performance.now(), seenBytes: received(sender) };
    this.#held.add(held);
    return {
      lost: lost.signal,
      [Symbol.dispose]: () => {
        if (!this.#held.delete(held)) return;
        this.#free += size;
        this.#admit();
      },
    };
  }

  #wait(size: number, { response }: Sender): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const leave = () => {
      clearTimeout(timer);
      response.off('close', onClose);
      this.#waiting.delete(waiting);
      if (this.#waiting.size === 0) clearInterval(this.#watch);
    };
    const giveUp = (error: Error) => {
      leave();
      reject(error);
      this.#admit();
    };
    const onClose = () => giveUp(new Disconnected('The client broke off'));
    const busy = () =>
      new ApiError('SERVICE_UNAVAILABLE', 'Too many large requests are under way; try again later');
    const timer = setTimeout(() => giveUp(busy()), patience);
    const waiting: Waiting = {
      size,
      enter() {
        leave();
        resolve();
      },
    };
    response.once('close', onClose);
    if (this.#waiting.size === 0) this.#watch = setInterval(() => this.#takeFromTheSlow(), watchInterval);
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

  /** Takes the permits of slow senders away, the largest first and no more than the next one who waits needs. */
  #takeFromTheSlow(): void {
    const [next] = this.#waiting;
    let missing = next!.size - this.#free;
    for (const { lost, size } of this.#held) if (lost.signal.aborted) missing -= size;
    const slow = [...this.#held].filter(isTooSlow).toSorted((one, other) => other.size - one.size);
    for (const { lost, size } of slow) {
      if (missing <= 0) return;
      missing -= size;
      lost.abort(
        new ApiError('SERVICE_UNAVAILABLE', 'The body came too slowly while others waited; try again later'),
      );
    }
  }
}

/** Whether less than the minimum has come since this was last asked, some time ago, and the body is not complete. */
function isTooSlow(held: Held): boolean {
  const elapsed = performance.now() - held.seenAt;
  if (held.lost.signal.aborted || held.sender.request.complete || elapsed < watchTime) return false;
  const bytes = received(held.sender);
  const rate = ((bytes - held.seenBytes) / elapsed) * 1000;
  held.seenAt += elapsed;
  held.seenBytes = bytes;
  return rate < rateMinimum;
}

function received({ request }: Sender): number {
  return request.socket.bytesRead;
}
