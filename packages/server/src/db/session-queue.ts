import { ApiError } from '@kontor/contract';
import { inSpan } from '../lib/tracing.ts';
import { NoSession } from './failure.ts';
import type { SessionCaller } from './session-caller.ts';

export interface SessionQueueOptions {
  /** Sessions of the pool. */
  readonly size: number;
  /** Sessions that a caller may use for work that is not brief. Default: a third. */
  readonly perCaller?: number;
  /** Sessions that only the service itself may use. */
  readonly reserved?: number;
  /** Milliseconds that work may wait. */
  readonly timeout: number;
  /** Absent: no caller is throttled. */
  readonly expensive?: {
    /** Milliseconds after which work counts as expensive. */
    readonly after: number;
    /** Milliseconds for which its caller is throttled from then on. */
    readonly throttledFor: number;
  };
  /** A clock in milliseconds; default: that of the process. */
  readonly now?: () => number;
}

/** Work that may wait; more is rejected at once. Brief work is not counted. */
const maxWaiting = { inAll: 2000, ofCaller: 200 };

const tooMany =
  'Too many slow requests are in progress; send fewer at a time, and again after the seconds that Retry-After says';

/** Sessions in use at one level: of the callers in all, of an organization, of a caller. */
class Usage {
  slow = 0;
  all = 0;

  /** Brief work has a session more, so that it does not wait for slow work of its own caller. */
  allows(isBrief: boolean, max: number): boolean {
    return this.all <= max && (isBrief || this.slow < max);
  }

  add(isBrief: boolean, change: 1 | -1): void {
    this.all += change;
    if (!isBrief) this.slow += change;
  }
}

interface Waiting {
  readonly isBrief: boolean;
  /** When its request arrived, and when its answer is too late. */
  readonly since: number;
  readonly until: number;
  leave(): void;
  start(): void;
  reject(reason: Error): void;
}

interface Organization {
  /** Null: the service itself. */
  readonly id: string | null;
  readonly usage: Usage;
  readonly callers: Map<string, Caller>;
  /** Callers with waiting work, the next one first. */
  readonly queue: Set<Caller>;
}

interface Caller {
  readonly id: string;
  readonly organization: Organization;
  readonly usage: Usage;
  /** The oldest request first. */
  readonly waiting: Waiting[];
  throttledUntil: number;
  /** Milliseconds of its last work. */
  lastDuration: number;
  /** The shorter one of the last two durations, so that a single slow run rejects nothing. */
  duration: number;
}

/**
 * Decides who gets the next session of a pool. A place is the right to use one.
 *
 * | work    | becomes  | when                                                                                                |
 * | ------- | -------- | --------------------------------------------------------------------------------------------------- |
 * | new     | running  | a place is free: in all, and of those of all callers, of its organization and of its caller         |
 * |         | rejected | too much waits: 503                                                                                 |
 * |         | waiting  | otherwise                                                                                           |
 * | waiting | running  | a place becomes free. Organizations are served round-robin, and in each its callers; the oldest     |
 * |         |          | request of a caller is next                                                                         |
 * |         | rejected | it waits too long, or could not be answered in time (below): 503. Or its signal is aborted          |
 * | running | over     | its place is disposed of                                                                            |
 *
 * A caller is throttled after `expensive` work: it has one place. When work of it ends, waiting work that could not be answered in time after it is
 * rejected with the seconds to wait. The service itself is an organization that may use all places. Callers without work are deleted unless they are throttled.
 */
export class SessionQueue {
  readonly #options: SessionQueueOptions;
  readonly #max: { readonly callers: number; readonly organization: number; readonly caller: number };
  readonly #now: () => number;
  readonly #organizations = new Map<string | null, Organization>();
  /** Organizations with waiting work, the next one first. */
  readonly #queue = new Set<Organization>();
  readonly #throttled = new Set<Caller>();
  readonly #ofCallers = new Usage();
  #running = 0;
  #waiting = 0;

  constructor(options: SessionQueueOptions) {
    const { size, reserved = 0, perCaller = Math.floor(size / 3) } = options;
    this.#options = options;
    this.#max = {
      callers: Math.max(1, size - reserved - 1),
      organization: Math.max(1, Math.floor(size / 2)),
      caller: Math.max(1, perCaller),
    };
    this.#now = options.now ?? (() => performance.now());
  }

  /** Work that waits is counted without brief work. */
  get state(): { running: number; waiting: number } {
    return { running: this.#running, waiting: this.#waiting };
  }

  /**
   * Returns a place, at once if one is free. Dispose of it to release it. `sent` is null for the service itself.
   * @throws ApiError SERVICE_UNAVAILABLE; {@link NoSession} after the timeout; the reason of the signal when it is aborted first
   */
  take(sent: SessionCaller | null, isBrief: boolean): Disposable | Promise<Disposable> {
    const caller = this.#callerOf(sent);
    if (this.#hasPlace(caller, isBrief)) return this.#start(caller, isBrief);
    return inSpan('wait in a queue', () => this.#wait(caller, sent, isBrief));
  }

  #callerOf(sent: SessionCaller | null): Caller {
    const organization = this.#organizationOf(sent && sent.organizationId);
    const id = sent === null ? '' : sent.id;
    const known = organization.callers.get(id);
    if (known) return known;
    const caller: Caller = {
      id,
      organization,
      usage: new Usage(),
      waiting: [],
      throttledUntil: 0,
      lastDuration: 0,
      duration: 0,
    };
    organization.callers.set(id, caller);
    return caller;
  }

  #organizationOf(id: string | null): Organization {
    const known = this.#organizations.get(id);
    if (known) return known;
    const organization = { id, usage: new Usage(), callers: new Map(), queue: new Set<Caller>() };
    this.#organizations.set(id, organization);
    return organization;
  }

  #forget(caller: Caller): void {
    if (caller.usage.all > 0 || caller.waiting.length > 0 || this.#throttled.has(caller)) return;
    const { organization } = caller;
    organization.callers.delete(caller.id);
    if (organization.callers.size === 0) this.#organizations.delete(organization.id);
  }

  #isThrottled({ throttledUntil }: Caller): boolean {
    return throttledUntil > 0 && this.#now() < throttledUntil;
  }

  #hasPlace(caller: Caller, isBrief: boolean): boolean {
    if (this.#running >= this.#options.size) return false;
    const { organization, usage } = caller;
    if (organization.id === null) return true;
    const max = this.#max;
    return (
      this.#ofCallers.allows(isBrief, max.callers) &&
      organization.usage.allows(isBrief, max.organization) &&
      usage.allows(isBrief, this.#isThrottled(caller) ? 1 : max.caller)
    );
  }

  #start(caller: Caller, isBrief: boolean): Disposable {
    const began = this.#now();
    let isHeld = true;
    this.#count(caller, isBrief, 1);
    return {
      [Symbol.dispose]: () => {
        if (!isHeld) return;
        isHeld = false;
        this.#count(caller, isBrief, -1);
        this.#end(caller, this.#now() - began);
      },
    };
  }

  #count({ organization, usage }: Caller, isBrief: boolean, change: 1 | -1): void {
    this.#running += change;
    usage.add(isBrief, change);
    organization.usage.add(isBrief, change);
    if (organization.id !== null) this.#ofCallers.add(isBrief, change);
  }

  #end(caller: Caller, duration: number): void {
    caller.duration = Math.min(duration, caller.lastDuration);
    caller.lastDuration = duration;
    this.#updateThrottled(caller, duration);
    this.#rejectLate(caller);
    this.#startWaiting();
    this.#forget(caller);
  }

  /** Throttles the caller if its work was expensive, and deletes callers that are no longer throttled. */
  #updateThrottled(caller: Caller, duration: number): void {
    const { expensive } = this.#options;
    if (expensive && caller.organization.id !== null && duration > expensive.after) {
      caller.throttledUntil = this.#now() + expensive.throttledFor;
      this.#throttled.delete(caller);
      this.#throttled.add(caller);
    }
    for (const other of this.#throttled) {
      if (this.#isThrottled(other)) return;
      this.#throttled.delete(other);
      this.#forget(other);
    }
  }

  /**
   * Rejects work of a throttled caller that could not be answered in time after the work before it. Only when work ends: a rejection at once
   * would be followed by the next request at once.
   */
  #rejectLate(caller: Caller): void {
    if (!this.#isThrottled(caller)) return;
    for (let index = 0; index < caller.waiting.length;) {
      const { until, reject } = caller.waiting[index]!;
      const wait = (caller.usage.slow + index + 1) * caller.duration;
      if (this.#now() + wait <= until) index++;
      else reject(unavailable(Math.ceil(wait / 1000)));
    }
  }

  #startWaiting(): void {
    for (const organization of this.#queue) {
      if (this.#running >= this.#options.size) return;
      const next = this.#nextOf(organization);
      if (!next) continue;
      next.leave();
      // An organization with more work moves to the end of the queue, where this loop reaches it again.
      if (this.#queue.delete(organization)) this.#queue.add(organization);
      next.start();
    }
  }

  #nextOf({ queue }: Organization): Waiting | undefined {
    for (const caller of queue) {
      if (!this.#hasPlace(caller, true)) continue;
      const hasPlace = this.#hasPlace(caller, false);
      const next = hasPlace ? caller.waiting[0]! : caller.waiting.find(({ isBrief }) => isBrief);
      if (!next) continue;
      queue.delete(caller);
      queue.add(caller);
      return next;
    }
    return undefined;
  }

  async #wait(caller: Caller, sent: SessionCaller | null, isBrief: boolean): Promise<Disposable> {
    const { organization, waiting } = caller;
    // A batch of brief work is that of several requests.
    const { since = this.#now(), until = Infinity, signal } = (!isBrief && sent?.awaited) || {};
    const isFull = waiting.length >= maxWaiting.ofCaller || this.#waiting >= maxWaiting.inAll;
    if (signal?.aborted || (isFull && organization.id !== null && !isBrief)) {
      this.#forget(caller);
      throw signal?.aborted ? signal.reason : unavailable();
    }
    const { promise, resolve, reject } = Promise.withResolvers<Disposable>();
    const entry: Waiting = {
      isBrief,
      since,
      until,
      leave: () => {
        waiting.splice(waiting.indexOf(entry), 1);
        if (waiting.length === 0 && organization.queue.delete(caller) && organization.queue.size === 0)
          this.#queue.delete(organization);
        if (!isBrief) this.#waiting--;
        clearTimeout(timer);
        signal?.removeEventListener('abort', abort);
      },
      start: () => resolve(this.#start(caller, isBrief)),
      reject: reason => {
        entry.leave();
        this.#forget(caller);
        reject(reason);
      },
    };
    const abort = () => entry.reject(signal!.reason as Error);
    signal?.addEventListener('abort', abort);
    const { timeout } = this.#options;
    const timer =
      timeout === Infinity ? undefined : setTimeout(() => entry.reject(noneFree(timeout)), timeout);
    waiting.splice(waiting.findLastIndex(other => other.since <= since) + 1, 0, entry);
    organization.queue.add(caller);
    this.#queue.add(organization);
    if (!isBrief) this.#waiting++;
    return promise;
  }
}

function noneFree(timeout: number): NoSession {
  return new NoSession(`no session was free within ${timeout} ms`);
}

function unavailable(retryAfter?: number): ApiError {
  return new ApiError('SERVICE_UNAVAILABLE', tooMany, retryAfter === undefined ? {} : { retryAfter });
}
