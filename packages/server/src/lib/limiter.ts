import { ApiError } from '@kontor/contract';
import { inSpan } from './tracing.ts';

export interface LimiterOptions {
  readonly running: { readonly inAll: number; readonly perKey: number };
  /** Work that may wait; more is rejected at once. */
  readonly waiting: { readonly inAll: number; readonly perKey: number };
  readonly tooMany: string;
  /** Milliseconds that work may wait, and the message after that. Absent: no limit. */
  readonly maxWait?: { readonly milliseconds: number; readonly message: string };
  /** Milliseconds after which running work releases its place, although it continues. Absent: never. */
  readonly maxHold?: number;
  /** Absent: no key is throttled. */
  readonly expensive?: {
    /** Milliseconds after which work counts as expensive. */
    readonly after: number;
    /** Milliseconds for which its key is throttled from then on. */
    readonly throttledFor: number;
    /** Milliseconds in which a request must be answered. */
    readonly timeout: number;
  };
  /** A clock in milliseconds; default: that of the process. */
  readonly now?: () => number;
}

interface Waiting {
  /** When the request of the work came in. */
  readonly since: number;
  leave(): void;
  start(place: Disposable): void;
  reject(reason: Error): void;
}

interface Key {
  readonly name: string;
  running: number;
  readonly waiting: Waiting[];
  throttledUntil: number;
  /** Milliseconds of its last work. */
  lastDuration: number;
  /** The shorter one of the last two durations, so that a single slow run rejects nothing. */
  duration: number;
}

/**
 * Limits how much work runs and waits, in all and per key, so that no key blocks the others.
 *
 * | work     | becomes  | when                                                                                              |
 * | -------- | -------- | ------------------------------------------------------------------------------------------------- |
 * | new      | running  | a place is free, in all and of its key                                                            |
 * |          | rejected | too much waits: 503                                                                               |
 * |          | waiting  | otherwise                                                                                         |
 * | waiting  | running  | a place becomes free. Keys are served round-robin; within a key, the oldest request is next       |
 * |          | rejected | it waits too long, or could not be answered in time (below): 503. Or its signal is aborted        |
 * | running  | over     | its place is disposed of, or was held for `maxHold`                                               |
 *
 * A key is throttled after `expensive` work: it has one place. Work that could not be answered in time behind its running work is rejected with the
 * seconds to wait. Keys without work are deleted unless they are throttled.
 */
export class Limiter {
  readonly #options: LimiterOptions;
  readonly #now: () => number;
  readonly #keys = new Map<string, Key>();
  /** Keys with waiting work, the next one first. */
  readonly #queue = new Set<Key>();
  readonly #throttled = new Set<Key>();
  #running = 0;
  #waiting = 0;

  constructor(options: LimiterOptions) {
    this.#options = options;
    this.#now = options.now ?? (() => performance.now());
  }

  get state(): { running: number; waiting: number } {
    return { running: this.#running, waiting: this.#waiting };
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
   * Waits for a place. Dispose of it to release it. `since` is when the request came in; default: now.
   * @throws ApiError SERVICE_UNAVAILABLE; the reason of the signal when that is aborted first.
   */
  async take(name: string, signal?: AbortSignal, since = this.#now()): Promise<Disposable> {
    signal?.throwIfAborted();
    const key = this.#keyOf(name);
    return this.#hasPlace(key)
      ? this.#start(key)
      : inSpan('wait in a queue', () => this.#wait(key, since, signal));
  }

  #keyOf(name: string): Key {
    const known = this.#keys.get(name);
    if (known) return known;
    const key = { name, running: 0, waiting: [], throttledUntil: 0, lastDuration: 0, duration: 0 };
    this.#keys.set(name, key);
    return key;
  }

  #forget(key: Key): void {
    if (key.running === 0 && key.waiting.length === 0 && !this.#throttled.has(key))
      this.#keys.delete(key.name);
  }

  #isThrottled({ throttledUntil }: Key): boolean {
    return this.#now() < throttledUntil;
  }

  #hasPlace(key: Key): boolean {
    const { inAll, perKey } = this.#options.running;
    return this.#running < inAll && key.running < (this.#isThrottled(key) ? 1 : perKey);
  }

  #start(key: Key): Disposable {
    const { maxHold } = this.#options;
    const began = this.#now();
    let isHeld = true;
    const end = () => {
      if (!isHeld) return;
      isHeld = false;
      clearTimeout(timer);
      this.#end(key, this.#now() - began);
    };
    const timer = maxHold === undefined ? undefined : setTimeout(end, maxHold);
    key.running++;
    this.#running++;
    return { [Symbol.dispose]: end };
  }

  #end(key: Key, duration: number): void {
    key.running--;
    this.#running--;
    key.duration = Math.min(duration, key.lastDuration);
    key.lastDuration = duration;
    this.#updateThrottled(key, duration);
    this.#rejectLate(key);
    this.#startWaiting();
    this.#forget(key);
  }

  /** Throttles the key if its work was expensive, and deletes keys that are no longer throttled. */
  #updateThrottled(key: Key, duration: number): void {
    const { expensive } = this.#options;
    if (expensive && duration > expensive.after) {
      key.throttledUntil = this.#now() + expensive.throttledFor;
      this.#throttled.delete(key);
      this.#throttled.add(key);
    }
    for (const other of this.#throttled) {
      if (this.#isThrottled(other)) return;
      this.#throttled.delete(other);
      this.#forget(other);
    }
  }

  /** Rejects work of a throttled key that could not be answered in time behind the work before it. */
  #rejectLate(key: Key): void {
    const { expensive, tooMany } = this.#options;
    if (!expensive || !this.#isThrottled(key)) return;
    for (let index = 0; index < key.waiting.length;) {
      const { since, reject } = key.waiting[index]!;
      const wait = (key.running + index + 1) * key.duration;
      if (this.#now() + wait <= since + expensive.timeout) index++;
      else reject(unavailable(tooMany, Math.ceil(wait / 1000)));
    }
  }

  #startWaiting(): void {
    for (const key of this.#queue) {
      if (this.#running >= this.#options.running.inAll) return;
      if (!this.#hasPlace(key)) continue;
      const next = key.waiting[0]!;
      next.leave();
      // A key with more work moves to the end of the queue, where this loop reaches it again.
      if (this.#queue.delete(key)) this.#queue.add(key);
      next.start(this.#start(key));
    }
  }

  async #wait(key: Key, since: number, signal: AbortSignal | undefined): Promise<Disposable> {
    const { waiting, tooMany, maxWait } = this.#options;
    if (key.waiting.length >= waiting.perKey || this.#waiting >= waiting.inAll) {
      this.#forget(key);
      throw unavailable(tooMany);
    }
    const { promise, resolve, reject } = Promise.withResolvers<Disposable>();
    const entry: Waiting = {
      since,
      leave: () => {
        key.waiting.splice(key.waiting.indexOf(entry), 1);
        if (key.waiting.length === 0) this.#queue.delete(key);
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
    key.waiting.splice(key.waiting.findLastIndex(other => other.since <= since) + 1, 0, entry);
    this.#queue.add(key);
    this.#waiting++;
    this.#rejectLate(key);
    return promise;
  }
}

function unavailable(message: string, retryAfter?: number): ApiError {
  return new ApiError('SERVICE_UNAVAILABLE', message, retryAfter === undefined ? {} : { retryAfter });
}
