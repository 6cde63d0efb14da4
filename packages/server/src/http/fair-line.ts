import { ApiError } from '@kontor/contract';

export interface FairLineOptions {
  /** Most that are at work at once. */
  readonly places: number;
  /** Most of one key that are at work at once. */
  readonly placesOfKey: number;
  /** Most of one key that wait; the next one is refused at once. */
  readonly waitingOfKey: number;
  /** Most that wait in all. */
  readonly waiting: number;
  /** The message when too many wait. */
  readonly tooMany?: string;
  /** Milliseconds after which a piece of work was dear, and for which its key has a single place from then on. */
  readonly dear: { readonly after: number; readonly penance: number };
  /** A clock in milliseconds; else that of the process. */
  readonly now?: () => number;
}

interface Waiting {
  enter(): void;
}

/**
 * Lets so many pieces of work go on at once, of which no key has more than its part, so that none starves the others. Those
 * who wait come in turn: one of each key, and of a key in the order of arrival. A key whose work was dear has one place for
 * a while: a third of the sessions is all of a small machine.
 */
export class FairLine {
  readonly #options: FairLineOptions;
  readonly #atWork = new Map<string, number>();
  /** Who waits, by key; the key whose turn is next comes first. */
  readonly #waiting = new Map<string, Set<Waiting>>();
  #free: number;
  #waitingCount = 0;
  /** Until when a key whose work was dear has one place. */
  readonly #dearUntil = new Map<string, number>();
  readonly #now: () => number;

  constructor(options: FairLineOptions) {
    this.#options = options;
    this.#free = options.places;
    this.#now = options.now ?? (() => performance.now());
  }

  /** Who is at work and who waits, for metrics. */
  get state(): { atWork: number; waiting: number } {
    return { atWork: this.#options.places - this.#free, waiting: this.#waitingCount };
  }

  /**
   * Takes a place until it is disposed of.
   * @throws ApiError SERVICE_UNAVAILABLE at once when too many wait; the reason of the signal when that is aborted first.
   */
  async take(key: string, signal?: AbortSignal): Promise<Disposable> {
    signal?.throwIfAborted();
    if (this.#mayEnter(key)) this.#enter(key);
    else await this.#wait(key, signal);
    const began = this.#now();
    return { [Symbol.dispose]: () => this.#leave(key, began) };
  }

  #mayEnter(key: string): boolean {
    return this.#free > 0 && (this.#atWork.get(key) ?? 0) < this.#placesOf(key);
  }

  #placesOf(key: string): number {
    const until = this.#dearUntil.get(key);
    if (until === undefined) return this.#options.placesOfKey;
    if (this.#now() < until) return 1;
    this.#dearUntil.delete(key);
    return this.#options.placesOfKey;
  }

  /** The latest comes last; those whose while is over are forgotten, so that keys that never come again leave nothing behind. */
  #remember(dear: string, until: number): void {
    this.#dearUntil.delete(dear);
    this.#dearUntil.set(dear, until);
    for (const [key, end] of this.#dearUntil) {
      if (end > this.#now()) return;
      this.#dearUntil.delete(key);
    }
  }

  #enter(key: string): void {
    this.#free--;
    this.#atWork.set(key, (this.#atWork.get(key) ?? 0) + 1);
  }

  #leave(key: string, began: number): void {
    const { after, penance } = this.#options.dear;
    const now = this.#now();
    if (now - began > after) this.#remember(key, now + penance);
    this.#free++;
    const left = this.#atWork.get(key)! - 1;
    if (left === 0) this.#atWork.delete(key);
    else this.#atWork.set(key, left);
    this.#admit();
  }

  /** Lets in whose key has not its part already, as long as there are places. */
  #admit(): void {
    for (const [key, line] of this.#waiting) {
      if (this.#free === 0) return;
      if (!this.#mayEnter(key)) continue;
      const [next] = line;
      this.#enter(key);
      next!.enter();
      // Behind the other keys, when it has more that wait; there this loop meets it again.
      if (this.#waiting.delete(key) && line.size > 0) this.#waiting.set(key, line);
    }
  }

  #wait(key: string, signal?: AbortSignal): Promise<void> {
    const line = this.#waiting.get(key) ?? new Set();
    const { waiting, waitingOfKey, tooMany } = this.#options;
    if (line.size >= waitingOfKey || this.#waitingCount >= waiting)
      throw new ApiError(
        'SERVICE_UNAVAILABLE',
        tooMany ?? 'Too many lists are asked for at once; ask for fewer at a time',
      );
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const step = () => {
      line.delete(entry);
      if (line.size === 0) this.#waiting.delete(key);
      this.#waitingCount--;
      signal?.removeEventListener('abort', leave);
    };
    const leave = () => {
      step();
      reject(signal!.reason as Error);
    };
    const entry = {
      enter() {
        step();
        resolve();
      },
    };
    this.#waiting.set(key, line.add(entry));
    this.#waitingCount++;
    signal?.addEventListener('abort', leave);
    return promise;
  }
}
