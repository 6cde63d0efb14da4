/*
 * One queue for each organization in this process. A write has these states:
 *
 * - waiting: in the queue of its organization. After 5 s it expires: it leaves the queue and is rejected.
 * - running: the queue has a slot and no transaction of its own in progress. The first writes leave it as one batch, in the order of
 *   arrival, up to the first two with a common target. Those that have waited for too long are rejected instead.
 * - retried: the database certainly rolled the batch back. Each of its writes runs again, alone.
 * - done: resolved with its output or rejected with an error. If an error leaves open whether the transaction was committed, all writes of
 *   the batch are rejected: no write runs twice.
 *
 * A queue exists while it has waiting or running writes.
 */
import { availableParallelism } from 'node:os';
import { ApiError } from '@kontor/contract';
import { runForOrganization } from '../db/session-caller.ts';
import { Limiter } from '../lib/limiter.ts';
import { currentSpan, inSharedSpan, type Span, startSpan, runInSpan } from '../lib/tracing.ts';

/** Milliseconds that a write waits in the queue before it is rejected with 503 (specification.md 2.10). */
export const writeTimeout = 5000;

/** Maximum writes per transaction, and maximum waiting writes per organization. */
const batchMaximum = 100;
const waitingMaximum = 10_000;

const tooLateMessage =
  'The write waited too long for other writes of the organization. Nothing was stored; send the request again.';

interface Waiting<Input, Output> {
  readonly input: Input;
  readonly targets: readonly string[];
  readonly since: number;
  /** The span of its caller, and that of its wait. */
  readonly span: Span | undefined;
  readonly wait: Span | undefined;
  /** Rejects the write when its timeout expires before it runs. */
  readonly expiry: NodeJS.Timeout;
  readonly resolve: (output: Output) => void;
  readonly reject: (error: unknown) => void;
}

export interface Writing<Input, Output> {
  /**
   * Writes the inputs in one transaction and returns one output each, in order. `timeout` is the remaining time to wait for the
   * organization's lock, in milliseconds.
   */
  readonly write: (organizationId: string, inputs: Input[], timeout: number) => Promise<Output[]>;
  /** Two inputs of one transaction must not have a common target. */
  readonly targets: (input: Input) => readonly string[];
  /** Whether the database certainly rolled everything back, so that single writes may still succeed. */
  readonly isRejected: (error: unknown) => boolean;
  /** A clock in milliseconds. */
  readonly now: () => number;
}

export class WriteQueue<Input, Output> {
  readonly #writing: Writing<Input, Output>;
  /**
   * Few concurrent transactions, so that more writes share one. A slow one is probably waiting for a lock, so it gives up its slot after `maxHold`.
   */
  readonly #limiter = new Limiter({
    running: { inAll: Math.max(2, 2 * availableParallelism()), perKey: 1 },
    waiting: { inAll: Infinity, perKey: 1 },
    tooMany: tooLateMessage,
    maxHold: 25,
  });
  readonly #queues = new Map<string, Set<Waiting<Input, Output>>>();

  constructor(writing: Writing<Input, Output>) {
    this.#writing = writing;
  }

  get waiting(): number {
    return [...this.#queues.values()].reduce((sum, queue) => sum + queue.size, 0);
  }

  /**
   * Writes the input in a transaction of its organization, in the order of arrival.
   * @throws SERVICE_UNAVAILABLE after {@link writeTimeout}, errors of the write
   */
  submit(organizationId: string, input: Input): Promise<Output> {
    return new Promise((resolve, reject) => {
      const targets = this.#writing.targets(input);
      const queue = this.#queues.get(organizationId) ?? new Set();
      if (queue.size >= waitingMaximum) return reject(tooLate());
      const expire = () => {
        queue.delete(entry);
        const failure = tooLate();
        entry.wait?.end({ failure });
        reject(failure);
      };
      const expiry = setTimeout(expire, writeTimeout);
      const entry = {
        input,
        targets,
        since: this.#writing.now(),
        span: currentSpan(),
        wait: startSpan('wait in the write queue'),
        expiry,
        resolve,
        reject,
      };
      queue.add(entry);
      if (!this.#queues.has(organizationId))
        void runForOrganization(organizationId, 'writes', () =>
          runInSpan(undefined, () => this.#serve(organizationId, queue)),
        );
    });
  }

  async #serve(organizationId: string, queue: Set<Waiting<Input, Output>>): Promise<void> {
    this.#queues.set(organizationId, queue);
    while (queue.size > 0) {
      using _place = this.#limiter.tryTake(organizationId) ?? (await this.#limiter.take(organizationId));
      await this.#write(organizationId, this.#next(queue));
    }
    this.#queues.delete(organizationId);
  }

  async #write(organizationId: string, entries: Waiting<Input, Output>[]): Promise<void> {
    const inTime = this.#rejectExpired(entries);
    if (inTime.length === 0) return;
    try {
      const inputs = inTime.map(entry => entry.input);
      const outputs = await inSharedSpan(
        'write',
        inTime.map(entry => entry.span),
        () => this.#writing.write(organizationId, inputs, this.#timeoutLeft(inTime)),
      );
      inTime.forEach((entry, index) => entry.resolve(outputs[index]!));
    } catch (error) {
      if (inTime.length === 1 || !this.#writing.isRejected(error))
        inTime.forEach(entry => entry.reject(error));
      else for (const entry of inTime) await this.#write(organizationId, [entry]);
    }
  }

  #next(queue: Set<Waiting<Input, Output>>): Waiting<Input, Output>[] {
    const taken = new Set<string>();
    const entries: Waiting<Input, Output>[] = [];
    for (const entry of queue) {
      const { targets } = entry;
      if (entries.length === batchMaximum || targets.some(target => taken.has(target))) break;
      for (const target of targets) taken.add(target);
      entries.push(entry);
      queue.delete(entry);
      clearTimeout(entry.expiry);
      entry.wait?.end();
    }
    return entries;
  }

  /** Rejects the entries whose timeout has expired, and returns the others. */
  #rejectExpired(entries: Waiting<Input, Output>[]): Waiting<Input, Output>[] {
    const inTime = entries.filter(entry => this.#timeoutLeft([entry]) > 0);
    for (const entry of entries) if (!inTime.includes(entry)) entry.reject(tooLate());
    return inTime;
  }

  /** Milliseconds until the timeout of the oldest entry. */
  #timeoutLeft(entries: readonly { readonly since: number }[]): number {
    const since = Math.min(...entries.map(entry => entry.since));
    return Math.floor(writeTimeout - (this.#writing.now() - since));
  }
}

function tooLate(): ApiError {
  return new ApiError('SERVICE_UNAVAILABLE', tooLateMessage);
}
