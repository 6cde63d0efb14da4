/*
 * One queue for each key. Waiting inputs are processed in batches. An input has these states:
 *
 * - waiting: in the queue of its key. After the timeout it expires: it leaves the queue and is rejected.
 * - running: the queue has a slot and no batch of its own in progress. The first inputs leave it as one batch, in the order of arrival, up to
 *   the first two with a common target. Those that have waited for too long are rejected instead.
 * - retried: the batch was certainly undone. Each of its inputs runs again, alone.
 * - done: resolved with its output or rejected with an error. If an error leaves open whether the batch took effect, all its inputs are
 *   rejected: no input runs twice.
 *
 * A queue exists while it has waiting or running inputs.
 */
import { availableParallelism } from 'node:os';
import { ApiError } from '@kontor/contract';
import { Limiter } from './limiter.ts';
import { currentSpan, inSharedSpan, type Span, startSpan, runInSpan } from '../tracing.ts';

/** Maximum inputs per batch, and maximum waiting inputs per key. */
const batchMaximum = 100;
const waitingMaximum = 10_000;

interface Waiting<Input, Output> {
  readonly input: Input;
  readonly targets: readonly string[];
  readonly since: number;
  /** The span of its caller, and that of its wait. */
  readonly span: Span | undefined;
  readonly wait: Span | undefined;
  /** Rejects the input when its timeout expires before it runs. */
  readonly expiry: NodeJS.Timeout;
  readonly resolve: (output: Output) => void;
  readonly reject: (error: unknown) => void;
}

export interface BatchQueueOptions<Input, Output> {
  /** Processes a batch and returns one output each, in order. `timeout` is the time that is left to its oldest input, in milliseconds. */
  readonly process: (key: string, inputs: Input[], timeout: number) => Promise<Output[]>;
  /** Two inputs of one batch must not have a common target. */
  readonly targets: (input: Input) => readonly string[];
  /** Whether the batch was certainly undone, so that single inputs may still succeed. */
  readonly isUndone: (error: unknown) => boolean;
  /** Milliseconds that an input waits before it is rejected, and the message then. */
  readonly timeout: number;
  readonly tooLate: string;
  /** A clock in milliseconds. */
  readonly now: () => number;
}

export class BatchQueue<Input, Output> {
  readonly #options: BatchQueueOptions<Input, Output>;
  readonly #limiter: Limiter;
  readonly #queues = new Map<string, Set<Waiting<Input, Output>>>();

  constructor(options: BatchQueueOptions<Input, Output>) {
    this.#options = options;
    // Few concurrent batches, so that more inputs share one. A slow one is probably waiting for a lock, so it gives up its slot after `maxHold`.
    this.#limiter = new Limiter({
      running: { inAll: Math.max(2, 2 * availableParallelism()), perKey: 1 },
      waiting: { inAll: Infinity, perKey: 1 },
      tooMany: options.tooLate,
      maxHold: 25,
    });
  }

  get waiting(): number {
    return [...this.#queues.values()].reduce((sum, queue) => sum + queue.size, 0);
  }

  /**
   * Processes the input in a batch of its key, in the order of arrival.
   * @throws ApiError SERVICE_UNAVAILABLE after the timeout; errors of the batch
   */
  submit(key: string, input: Input): Promise<Output> {
    return new Promise((resolve, reject) => {
      const targets = this.#options.targets(input);
      const queue = this.#queues.get(key) ?? new Set();
      if (queue.size >= waitingMaximum) return reject(this.#tooLate());
      const expire = () => {
        queue.delete(entry);
        const failure = this.#tooLate();
        entry.wait?.end({ failure });
        reject(failure);
      };
      const expiry = setTimeout(expire, this.#options.timeout);
      const entry = {
        input,
        targets,
        since: this.#options.now(),
        span: currentSpan(),
        wait: startSpan('wait in the write queue'),
        expiry,
        resolve,
        reject,
      };
      queue.add(entry);
      if (!this.#queues.has(key)) void runInSpan(undefined, () => this.#serve(key, queue));
    });
  }

  async #serve(key: string, queue: Set<Waiting<Input, Output>>): Promise<void> {
    this.#queues.set(key, queue);
    while (queue.size > 0) {
      using _place = this.#limiter.tryTake(key) ?? (await this.#limiter.take(key));
      await this.#process(key, this.#next(queue));
    }
    this.#queues.delete(key);
  }

  async #process(key: string, entries: Waiting<Input, Output>[]): Promise<void> {
    const batch = this.#rejectExpired(entries);
    if (batch.length === 0) return;
    try {
      const inputs = batch.map(entry => entry.input);
      const outputs = await inSharedSpan(
        'write',
        batch.map(entry => entry.span),
        () => this.#options.process(key, inputs, this.#timeoutLeft(batch)),
      );
      batch.forEach((entry, index) => entry.resolve(outputs[index]!));
    } catch (error) {
      if (batch.length === 1 || !this.#options.isUndone(error)) batch.forEach(entry => entry.reject(error));
      else for (const entry of batch) await this.#process(key, [entry]);
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
    const left = entries.filter(entry => this.#timeoutLeft([entry]) > 0);
    for (const entry of entries) if (!left.includes(entry)) entry.reject(this.#tooLate());
    return left;
  }

  /** Milliseconds until the timeout of the oldest entry. */
  #timeoutLeft(entries: readonly { readonly since: number }[]): number {
    const { timeout, now } = this.#options;
    const since = Math.min(...entries.map(entry => entry.since));
    return Math.floor(timeout - (now() - since));
  }

  #tooLate(): ApiError {
    return new ApiError('SERVICE_UNAVAILABLE', this.#options.tooLate);
  }
}
