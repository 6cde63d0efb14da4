import { ApiError } from '@kontor/contract';
import { inSpan } from '../tracing.ts';

export interface LimiterOptions {
  readonly running: { readonly inAll: number; readonly perKey: number };
  /** Work that may wait; more is rejected at once. */
  readonly waiting: { readonly inAll: number; readonly perKey: number };
  readonly tooMany: string;
  /** Milliseconds that work may wait, and the message after that. Absent: no limit. */
  readonly maxWait?: { readonly milliseconds: number; readonly message: string };
  /** Milliseconds after which running work releases its place, although it continues. Absent: never. */
  readonly maxHold?: number;
}

interface Waiting {
  leave(): void;
  start(place: Disposable): void;
  reject(reason: Error): void;
}

interface Key {
  readonly name: string;
  running: number;
  readonly waiting: Set<Waiting>;
}

/**
 * Limits how much work runs and waits, in all and per key, so that no key blocks the others.
 *
 * | work     | becomes  | when                                                                                              |
 * | -------- | -------- | ------------------------------------------------------------------------------------------------- |
 * | new      | running  | a place is free, in all and of its key                                                            |
 * |          | rejected | too much waits: 503                                                                               |
 * |          | waiting  | otherwise                                                                                         |
 * | waiting  | running  | a place becomes free. Keys are served round-robin, and the work of a key in order of arrival      |
 * |          | rejected | it waits too long: 503. Or its signal is aborted                                                   |
 * | running  | over     | its place is disposed of, or was held for `maxHold`                                               |
 *
 * Keys without work are deleted.
 */
export class Limiter {
  readonly #options: LimiterOptions;
  readonly #keys = new Map<string, Key>();
  /** Keys with waiting work, the next one first. */
  readonly #queue = new Set<Key>();
  #running = 0;
  #waiting = 0;

  constructor(options: LimiterOptions) {
    this.#options = options;
  }

  get state(): { running: number; waiting: number } {
    return { running: this.#running, waiting: this.#waiting };
  }

  /** Whether other work waits for a place that work of this key holds. */
  isAwaited(name: string): boolean {
    const isFull = this.#running >= this.#options.running.inAll;
    return isFull ? this.#waiting > 0 : (this.#keys.get(name)?.waiting.size ?? 0) > 0;
  }

  /** @throws ApiError SERVICE_UNAVAILABLE; the errors of the work. */
  async run<T>(key: string, work: () => Promise<T>): Promise<T> {
    using _place = await this.take(key);
    return await work();
  }

  /** Returns a place that is free at once, or null. Dispose of it to release it. */
  tryTake(name: string): Disposable | null {
    const key = this.#keyOf(name);
    if (this.#hasPlace(key)) return this.#start(key);
    this.#forget(key);
    return null;
  }

  /**
   * Waits for a place. Dispose of it to release it.
   * @throws ApiError SERVICE_UNAVAILABLE; the reason of the signal when that is aborted first.
   */
  async take(name: string, signal?: AbortSignal): Promise<Disposable> {
    signal?.throwIfAborted();
    const key = this.#keyOf(name);
    return this.#hasPlace(key) ? this.#start(key) : inSpan('wait in a queue', () => this.#wait(key, signal));
  }

  #keyOf(name: string): Key {
    const known = this.#keys.get(name);
    if (known) return known;
    const key = { name, running: 0, waiting: new Set<Waiting>() };
    this.#keys.set(name, key);
    return key;
  }

  #forget(key: Key): void {
    if (key.running === 0 && key.waiting.size === 0) this.#keys.delete(key.name);
  }

  #hasPlace(key: Key): boolean {
    const { inAll, perKey } = this.#options.running;
    return this.#running < inAll && key.running < perKey;
  }

  #start(key: Key): Disposable {
    const { maxHold } = this.#options;
    let isHeld = true;
    const end = () => {
      if (!isHeld) return;
      isHeld = false;
      clearTimeout(timer);
      this.#end(key);
    };
    const timer = maxHold === undefined ? undefined : setTimeout(end, maxHold);
    key.running++;
    this.#running++;
    return { [Symbol.dispose]: end };
  }

  #end(key: Key): void {
    key.running--;
    this.#running--;
    this.#startWaiting();
    this.#forget(key);
  }

  #startWaiting(): void {
    for (const key of this.#queue) {
      if (this.#running >= this.#options.running.inAll) return;
      if (!this.#hasPlace(key)) continue;
      const next = key.waiting.values().next().value!;
      next.leave();
      // A key with more work moves to the end of the queue, where this loop reaches it again.
      if (this.#queue.delete(key)) this.#queue.add(key);
      next.start(this.#start(key));
    }
  }

  async #wait(key: Key, signal: AbortSignal | undefined): Promise<Disposable> {
    const { waiting, tooMany, maxWait } = this.#options;
    if (key.waiting.size >= waiting.perKey || this.#waiting >= waiting.inAll) {
      this.#forget(key);
      throw unavailable(tooMany);
    }
    const { promise, resolve, reject } = Promise.withResolvers<Disposable>();
    const entry: Waiting = {
      leave: () => {
        key.waiting.delete(entry);
        if (key.waiting.size === 0) this.#queue.delete(key);
        this.#waiting--;
        clearTimeout(timer);
        signal?.removeEventListener('abort', abort);
      },
      start: resolve,
      reject: reason => {
        entry.leave();
        this.#forget(key);
        reject(reason);
      },
    };
    const abort = () => entry.reject(signal!.reason as Error);
    signal?.addEventListener('abort', abort);
    const timer =
      maxWait && setTimeout(() => entry.reject(unavailable(maxWait.message)), maxWait.milliseconds);
    key.waiting.add(entry);
    this.#queue.add(key);
    this.#waiting++;
    return promise;
  }
}

function unavailable(message: string): ApiError {
  return new ApiError('SERVICE_UNAVAILABLE', message);
}
