import { ApiError, malformed } from '@kontor/contract';

/** The first bytes of a body are not counted. Node buffers as much for any connection. */
export const freeBytes = 64 * 1024;

export interface BodyBudgetOptions {
  /** Bytes of all bodies. */
  readonly total: number;
  /** Bytes of the bodies of one owner. */
  readonly share: number;
  /** Counted bodies of one owner; the next one is rejected. */
  readonly bodiesOfOwner: number;
  /** A clock in milliseconds; default: that of the process. */
  readonly now?: () => number;
}

/** A sender below `rate` (bytes per second) is slow. The rate is measured over at least `period` milliseconds. */
const slowness = { rate: 128 * 1024, period: 2000 };

/** Milliseconds that a body may wait for memory, and between two inspections while bodies wait. */
const longestWait = 60_000;
const inspectionInterval = 250;

type Reject = (reason: ApiError) => void;

interface Owner {
  readonly name: string;
  held: number;
  /** In order of arrival. */
  readonly bodies: Set<CountedBody>;
}

interface CountedBody {
  readonly owner: Owner;
  readonly reject: Reject;
  state: 'receiving' | 'waiting' | 'complete';
  held: number;
  /** Bytes it waits for, since when, and the callback that resumes it. */
  missing: number;
  waitsSince: number;
  resume: () => void;
  /** Bytes received in the current period, its start, and the result of the last period. */
  received: number;
  measuredSince: number;
  isSlow: boolean;
}

/**
 * The memory for the request bodies of one port. It counts buffers as they fill, never the declared length.
 *
 * A body is in one of these states:
 * - **small**: it has at most {@link freeBytes} and is not counted. Every body begins here.
 * - **receiving**: its buffer is counted. When the buffer is full, the body asks for one of twice the size.
 * - **waiting**: there is no memory, so its connection is not read. It becomes receiving when there is memory, and is
 *   rejected with 503 after a minute.
 * - **complete**: all of it was received. It is counted until it was handled.
 * - **closed**: its memory was released because it was handled or rejected, or the client has disconnected.
 *
 * A body gets memory when its owner stays within the share and all owners stay within the total. The oldest body of an owner may exceed the share,
 * and the oldest of all may exceed the total. So bodies cannot block each other, and at most one body is beyond the total.
 *
 * Released memory goes to the owner that has least, and there to the oldest body. While a body waits, slow senders are rejected with 400, large
 * bodies first. When the share is full, those of the same owner are rejected. When the total is full, those of the owner that has most come first.
 */
export class BodyBudget {
  readonly #options: BodyBudgetOptions;
  readonly #now: () => number;
  readonly #owners = new Map<string, Owner>();
  /** In order of arrival. */
  readonly #bodies = new Set<CountedBody>();
  #held = 0;
  #inspections: NodeJS.Timeout | undefined;

  constructor(options: BodyBudgetOptions) {
    this.#options = options;
    this.#now = options.now ?? (() => performance.now());
  }

  /** The memory of a new body. Dispose of it when the body was handled. */
  open(owner: string): BodyMemory {
    let body: CountedBody | undefined;
    return {
      grow: async (size, reject) => {
        body ??= this.#enter(owner, reject);
        body.missing = size - body.held;
        if (this.#hasSpace(body)) this.#grant(body);
        else await this.#wait(body);
      },
      received(bytes) {
        if (body) body.received += bytes;
      },
      complete() {
        if (body) body.state = 'complete';
      },
      [Symbol.dispose]: () => {
        if (body) this.#close(body);
      },
    };
  }

  #enter(name: string, reject: Reject): CountedBody {
    const owner = this.#owners.get(name) ?? { name, held: 0, bodies: new Set() };
    if (owner.bodies.size >= this.#options.bodiesOfOwner)
      throw new ApiError('SERVICE_UNAVAILABLE', 'Too many large bodies at once; send fewer at a time');
    const body: CountedBody = {
      owner,
      reject,
      state: 'receiving',
      held: 0,
      missing: 0,
      waitsSince: 0,
      resume() {},
      received: 0,
      measuredSince: this.#now(),
      isSlow: false,
    };
    this.#owners.set(name, owner);
    owner.bodies.add(body);
    this.#bodies.add(body);
    return body;
  }

  #wait(body: CountedBody): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    Object.assign(body, { state: 'waiting', waitsSince: this.#now(), resume: resolve });
    this.#inspections ??= setInterval(() => this.#inspect(), inspectionInterval);
    this.#inspect();
    return promise;
  }

  #hasSpace(body: CountedBody): boolean {
    const { owner, missing } = body;
    const fitsShare = owner.held + missing <= this.#options.share || body === firstOf(owner.bodies);
    return fitsShare && this.#fitsTotal(body);
  }

  #fitsTotal(body: CountedBody): boolean {
    return this.#held + body.missing <= this.#options.total || body === firstOf(this.#bodies);
  }

  #grant(body: CountedBody): void {
    body.held += body.missing;
    body.owner.held += body.missing;
    this.#held += body.missing;
  }

  #close(body: CountedBody): void {
    if (!this.#bodies.delete(body)) return;
    const { owner, held } = body;
    owner.bodies.delete(body);
    if (owner.bodies.size === 0) this.#owners.delete(owner.name);
    owner.held -= held;
    this.#held -= held;
    this.#resumeWaiting();
  }

  #resumeWaiting(): void {
    for (;;) {
      const waiting = this.#waiting();
      if (waiting.length === 0) return this.#endInspections();
      const next = waiting.find(body => this.#hasSpace(body));
      if (!next) return;
      this.#grant(next);
      // The service caused the wait, so it does not count against the sender.
      Object.assign(next, { state: 'receiving', received: 0, measuredSince: this.#now() });
      next.resume();
    }
  }

  #endInspections(): void {
    clearInterval(this.#inspections);
    this.#inspections = undefined;
  }

  /** Waiting bodies, those of the owner with least memory first, then by age. */
  #waiting(): CountedBody[] {
    const waiting = [...this.#bodies].filter(({ state }) => state === 'waiting');
    return waiting.sort((one, other) => one.owner.held - other.owner.held);
  }

  /** Rejects bodies that have waited too long, and slow senders that hold memory others wait for. */
  #inspect(): void {
    const now = this.#now();
    for (const body of this.#bodies) measure(body, now);
    for (const body of this.#waiting()) {
      if (now - body.waitsSince >= longestWait) this.#reject(body, tooBusy());
      else this.#makeSpaceFor(body);
    }
  }

  #makeSpaceFor(body: CountedBody): void {
    const others = this.#fitsTotal(body) ? body.owner.bodies : this.#bodies;
    const slow = [...others].filter(({ state, isSlow }) => isSlow && state === 'receiving');
    slow.sort((one, other) => other.owner.held - one.owner.held || other.held - one.held);
    for (const sender of slow) {
      if (body.state !== 'waiting') return;
      this.#reject(sender, tooSlow());
    }
  }

  #reject(body: CountedBody, reason: ApiError): void {
    this.#close(body);
    body.reject(reason);
  }
}

export interface BodyMemory extends Disposable {
  /**
   * Resolves when there is memory for a buffer of this size. `reject` is called when it is taken away, now or later; reading must stop then.
   * @throws ApiError SERVICE_UNAVAILABLE when the owner has too many bodies.
   */
  grow(size: number, reject: Reject): Promise<void>;
  received(bytes: number): void;
  complete(): void;
}

/** Recomputes whether a sender is slow, once per period. */
function measure(body: CountedBody, now: number): void {
  const elapsed = now - body.measuredSince;
  if (body.state !== 'receiving' || elapsed < slowness.period) return;
  body.isSlow = (body.received / elapsed) * 1000 < slowness.rate;
  body.received = 0;
  body.measuredSince = now;
}

function firstOf<Value>(values: ReadonlySet<Value>): Value | undefined {
  return values.values().next().value;
}

function tooBusy(): ApiError {
  return new ApiError('SERVICE_UNAVAILABLE', 'Too many large bodies are being received; try again later');
}

function tooSlow(): ApiError {
  return malformed('The body arrived too slowly while others waited; send it again, faster');
}
