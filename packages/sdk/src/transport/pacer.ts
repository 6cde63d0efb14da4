import { readRetryAfter } from './retry.ts';
import { startTimer } from './sleep.ts';

/** Requests in flight while nothing is known about the window of the quota. */
const maxBlind = 10;
/** The shortest wait after 429 in milliseconds, also if a proxy says 0 or a time in the past. */
const minPause = 1000;

/** Milliseconds without a request after which the next ones go at once again. */
const idle = 5000;
/** The part of the quota that waiting requests leave to other programs. */
const reserve = 1 / 50;

/** The window of the quota as the last answer described it. Times are those of `performance.now()`. */
interface Window {
  readonly limit: number;
  readonly remaining: number;
  readonly resetAt: number;
}

interface Waiter {
  readonly isRepeat: boolean;
  go(): void;
}

/**
 * The queue in which requests wait for the quota of the key. It is in one of three states.
 * - Blind, before the first answer and after each window: a few requests are in flight.
 * - Known, after an answer with `RateLimit`: requests go at once while more than half of the quota is left, then evenly until the window
 *   ends. They stay even in the next windows, until none is sent for a while. So other programs with the key always find some quota.
 * - Unlimited, after an answer without `RateLimit`: requests go at once.
 * After 429 all requests wait, whatever the state.
 */
export class Pacer {
  readonly #queue: Waiter[] = [];
  #window: Window | null = null;
  #isUnlimited = false;
  /** Whether requests go evenly also in the first half of a quota. */
  #isEven = false;
  #inFlight = 0;
  #sentAt = -Infinity;
  #pausedUntil = -Infinity;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** Milliseconds of the pause after 429. */
  get pause(): number {
    return Math.max(0, this.#pausedUntil - performance.now());
  }

  /**
   * Waits until a request may be sent; then `leave()` must follow. Resolves with false after `maxWait` milliseconds. With 0 the request
   * does not wait. A repeated request waits in front of the others.
   */
  async enter(maxWait: number, isRepeat: boolean, signal: AbortSignal | undefined): Promise<boolean> {
    const now = performance.now();
    const isReady = this.#queue.length === 0 && this.#readyAt(now, 0) <= now;
    if (isReady && now - this.#sentAt > idle) this.#isEven = false;
    if (isReady || maxWait === 0) {
      this.#send();
      return true;
    }
    return new Promise((resolve, reject) => {
      const end = (settle: () => void) => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', abort);
        settle();
      };
      const remove = () => {
        this.#queue.splice(this.#queue.indexOf(waiter), 1);
        this.#dispatch();
      };
      const waiter: Waiter = { isRepeat, go: () => end(() => resolve(true)) };
      const abort = () => end(() => (remove(), reject(signal!.reason as Error)));
      const timer = startTimer(() => end(() => (remove(), resolve(false))), maxWait);
      signal?.addEventListener('abort', abort, { once: true });
      const place = isRepeat ? this.#queue.findIndex(other => !other.isRepeat) : -1;
      this.#queue.splice(place === -1 ? this.#queue.length : place, 0, waiter);
      this.#dispatch();
    });
  }

  /** Records that a request is no longer in flight. Without a response it was not answered. */
  leave(response?: Response): void {
    this.#inFlight--;
    if (response !== undefined) this.#read(response);
    this.#dispatch();
  }

  #read({ ok, status, headers }: Response): void {
    const now = performance.now();
    const state = /;\s*r=(\d+)\s*;\s*t=(\d+)/.exec(headers.get('ratelimit') ?? '');
    if (state !== null) {
      const [remaining, seconds] = [Number(state[1]), Number(state[2])];
      const policy = /;\s*q=(\d+)/.exec(headers.get('ratelimit-policy') ?? '')?.[1];
      const limit = policy === undefined ? Math.max(remaining, this.#window?.limit ?? 0) : Number(policy);
      const resetAt = now + seconds * 1000;
      // The service rounds up, so the earliest end is the closest one.
      const known = this.#window !== null && this.#window.resetAt > now ? this.#window.resetAt : Infinity;
      this.#window = { limit, remaining, resetAt: Math.min(known, resetAt) };
      this.#isUnlimited = false;
    } else if (ok) this.#isUnlimited = true;
    if (status === 429)
      this.#pausedUntil = Math.max(this.#pausedUntil, now + Math.max(minPause, readRetryAfter(headers) ?? 0));
  }

  /** When the next request may be sent, which leaves a part of the quota; Infinity if an answer has to arrive before. */
  #readyAt(now: number, left: number): number {
    if (this.#pausedUntil > now) return this.#pausedUntil;
    if (this.#isUnlimited) return now;
    if (this.#window === null || this.#window.resetAt <= now)
      return this.#inFlight < maxBlind ? now : Infinity;
    const { limit, remaining, resetAt } = this.#window;
    const available = remaining - this.#inFlight - Math.floor(limit * left);
    if (available <= 0) return resetAt;
    if (!this.#isEven && available > limit / 2) return now;
    return Math.min(resetAt, this.#sentAt + (resetAt - now) / available);
  }

  #dispatch(): void {
    clearTimeout(this.#timer);
    while (this.#queue.length > 0) {
      const now = performance.now();
      const readyAt = this.#readyAt(now, reserve);
      if (readyAt > now) {
        if (readyAt === Infinity) return;
        this.#isEven = true;
        this.#timer = startTimer(() => this.#dispatch(), readyAt - now);
        return;
      }
      this.#send();
      this.#queue.shift()!.go();
    }
  }

  #send(): void {
    this.#inFlight++;
    this.#sentAt = performance.now();
  }
}
