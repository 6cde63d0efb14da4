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
  readonly tooManyMessage?: string;
  /** When a key is throttled to a single place; absent: never. */
  readonly dear?: {
    /** Milliseconds after which a piece of work was dear. */
    readonly after: number;
    /** Milliseconds for which its key has a single place from then on. */
    readonly penance: number;
    /** Milliseconds in which a request must be answered: one that cannot be is refused before it takes a place. Absent: any time. */
    readonly timeout?: number;
  };
  /** A clock in milliseconds; else that of the process. */
  readonly now?: () => number;
}

interface Waiting {
  /** When the request came in that the work is for. */
  readonly since: number;
  enter(): void;
  reject(reason: Error): void;
}

/** What is known of a key while it has work here, or is throttled. */
interface KeyState {
  atWork: number;
  /** By the age of their requests. */
  readonly waiting: Waiting[];
  /** Until when it has a single place. */
  dearUntil: number;
  /** How long the latest piece of work took, in milliseconds. */
  lastTook: number;
  /** The shorter one of the latest two, so that a single slow one refuses nobody. */
  duration: number;
}

/**
 * Lets so many pieces of work go on at once, of which no key has more than its part, so that none starves the others. Those
 * who wait come in turn: one of each key, and of a key the one whose request is the oldest, so that a request with several pieces of
 * work is answered before younger ones begin. A key whose work was dear has one place for a while: a third of the sessions is
 * all of a small machine.
 */
export class FairLine {
  readonly #options: FairLineOptions;
  readonly #keys = new Map<string, KeyState>();
  /** Keys with work that waits; the key whose turn is next comes first. */
  readonly #turns = new Set<string>();
  /** Throttled keys; the one that was throttled last comes last. */
  readonly #dear = new Set<string>();
  #free: number;
  #waitingCount = 0;
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
   * Takes a place until it is disposed of. `since`: when the request came in that it is for; now unless said.
   * @throws ApiError SERVICE_UNAVAILABLE when too many wait, or the work could not be done in time; the reason of the signal when that
   * is aborted first.
   */
  async take(key: string, signal?: AbortSignal, since = this.#now()): Promise<Disposable> {
    signal?.throwIfAborted();
    const state = this.#stateOf(key);
    if (this.#mayEnter(state)) this.#enter(state);
    else await this.#wait(key, state, { since, signal }).finally(() => this.#forget(key));
    const began = this.#now();
    return { [Symbol.dispose]: () => this.#leave(key, state, began) };
  }

  #stateOf(key: string): KeyState {
    const known = this.#keys.get(key);
    if (known) return known;
    const state = { atWork: 0, waiting: [], dearUntil: 0, lastTook: 0, duration: 0 };
    this.#keys.set(key, state);
    return state;
  }

  #mayEnter(state: KeyState): boolean {
    return this.#free > 0 && state.atWork < this.#placesOf(state);
  }

  #isDear({ dearUntil }: KeyState): boolean {
    return this.#now() < dearUntil;
  }

  #placesOf(state: KeyState): number {
    return this.#isDear(state) ? 1 : this.#options.placesOfKey;
  }

  #enter(state: KeyState): void {
    this.#free--;
    state.atWork++;
  }

  #leave(key: string, state: KeyState, began: number): void {
    const took = this.#now() - began;
    state.duration = Math.min(took, state.lastTook);
    state.lastTook = took;
    state.atWork--;
    this.#free++;
    this.#throttle(key, state, took);
    this.#refuseLate(state);
    this.#admit();
    this.#forget(key);
  }

  /** Throttles the key where its work was dear, and forgets those whose while is over, so that keys that never come again leave nothing. */
  #throttle(key: string, state: KeyState, took: number): void {
    const { dear } = this.#options;
    if (dear && took > dear.after) {
      state.dearUntil = this.#now() + dear.penance;
      this.#dear.delete(key);
      this.#dear.add(key);
    }
    for (const other of this.#dear) {
      if (this.#isDear(this.#keys.get(other)!)) return;
      this.#dear.delete(other);
      this.#forget(other);
    }
  }

  #forget(key: string): void {
    const state = this.#keys.get(key);
    if (state && state.atWork === 0 && state.waiting.length === 0 && !this.#dear.has(key))
      this.#keys.delete(key);
  }

  /** Lets in whose key has not its part already, as long as there are places. */
  #admit(): void {
    for (const key of this.#turns) {
      if (this.#free === 0) return;
      const state = this.#keys.get(key)!;
      if (!this.#mayEnter(state)) continue;
      this.#enter(state);
      state.waiting[0]!.enter();
      // Behind the other keys, when it has more that wait; there this loop meets it again.
      if (this.#turns.delete(key) && state.waiting.length > 0) this.#turns.add(key);
    }
  }

  /** Milliseconds until the work at this place of the line of a key is done, as far as its last work tells. */
  #expectedWait(state: KeyState, index: number): number {
    return (state.atWork + index + 1) * state.duration;
  }

  /** Refuses what waits behind so much dear work that it could not be answered in time. */
  #refuseLate(state: KeyState): void {
    const timeout = this.#options.dear?.timeout;
    if (timeout === undefined || !this.#isDear(state)) return;
    for (let index = 0; index < state.waiting.length;) {
      const { since, reject } = state.waiting[index]!;
      const wait = this.#expectedWait(state, index);
      if (this.#now() + wait <= since + timeout) index++;
      else reject(tooMany(undefined, wait));
    }
  }

  async #wait(
    key: string,
    state: KeyState,
    { since, signal }: { since: number; signal: AbortSignal | undefined },
  ): Promise<void> {
    const { waiting, waitingOfKey, tooManyMessage } = this.#options;
    if (state.waiting.length >= waitingOfKey || this.#waitingCount >= waiting) throw tooMany(tooManyMessage);
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const stopWaiting = () => {
      state.waiting.splice(state.waiting.indexOf(entry), 1);
      if (state.waiting.length === 0) this.#turns.delete(key);
      this.#waitingCount--;
      signal?.removeEventListener('abort', leave);
    };
    const leave = () => entry.reject(signal!.reason as Error);
    const entry: Waiting = {
      since,
      enter() {
        stopWaiting();
        resolve();
      },
      reject(reason) {
        stopWaiting();
        reject(reason);
      },
    };
    const behind = state.waiting.findLastIndex(other => other.since <= since);
    state.waiting.splice(behind + 1, 0, entry);
    this.#turns.add(key);
    this.#waitingCount++;
    signal?.addEventListener('abort', leave);
    this.#refuseLate(state);
    return promise;
  }
}

function tooMany(
  message = 'Too many slow requests are in progress; send fewer at a time, and again after the seconds that Retry-After says',
  wait?: number,
): ApiError {
  return new ApiError(
    'SERVICE_UNAVAILABLE',
    message,
    wait === undefined ? {} : { retryAfter: Math.ceil(wait / 1000) },
  );
}
