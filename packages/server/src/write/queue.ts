/*
 * One queue for each organization in this process. A write passes these states:
 *
 * - waiting: it is in the queue of its organization. After 5 s it expires: it leaves the queue and is rejected.
 * - running: the queue has a slot and no transaction of its own in progress, so its first writes leave it together, in the order of
 *   arrival, up to the first two with a common target. Those that have waited for too long are rejected instead.
 * - apart: the database rolled the transaction back for certain. Each of its writes is run again, by itself.
 * - done: resolved with its output or rejected with an error. After an error that leaves open whether the transaction was committed,
 *   all of its writes are rejected: nothing is run twice.
 *
 * A queue exists while it has writes that wait or run.
 */
import { availableParallelism } from 'node:os';
import { ApiError } from '@kontor/contract';
import { Limiter } from '../lib/limiter.ts';

/** How long a write waits in the queue before it answers 503, in milliseconds (specification.md 2.10). */
export const writeTimeout = 5000;

/** Most writes of one transaction, and most that wait in one organization. */
const batchMaximum = 100;
const waitingMaximum = 10_000;

const tooLateMessage =
  'Other writes of the organization were under way for too long. Nothing was stored; send the request again.';

interface Waiting<Input, Output> {
  readonly input: Input;
  readonly targets: readonly string[];
  readonly since: number;
  /** Rejects it when its timeout is over before it runs. */
  readonly expiry: NodeJS.Timeout;
  readonly resolve: (output: Output) => void;
  readonly reject: (error: unknown) => void;
}

/** How a queue writes. */
export interface Writing<Input, Output> {
  /**
   * Writes the inputs in one transaction and returns one output each, in order. `timeout` is what is left to wait for the
   * lock of the organization, in milliseconds.
   */
  readonly write: (organizationId: string, inputs: Input[], timeout: number) => Promise<Output[]>;
  /** What no two inputs of one transaction may have in common. */
  readonly targets: (input: Input) => readonly string[];
  /** Whether the database has rolled everything back for certain, so that a part of it may succeed. */
  readonly isRejected: (error: unknown) => boolean;
  /** A clock in milliseconds. */
  readonly now: () => number;
}

export class WriteQueue<Input, Output> {
  readonly #writing: Writing<Input, Output>;
  /** A few transactions at once, so that more writes share one. One that takes longer than most waits for a lock, and gives its place away. */
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

  /** How many writes wait. */
  get waiting(): number {
    return [...this.#queues.values()].reduce((sum, queue) => sum + queue.size, 0);
  }

  /**
   * Writes the input when it is the next of its organization.
   * @throws SERVICE_UNAVAILABLE after {@link writeTimeout}, and those of the write.
   */
  submit(organizationId: string, input: Input): Promise<Output> {
    return new Promise((resolve, reject) => {
      const targets = this.#writing.targets(input);
      const queue = this.#queues.get(organizationId) ?? new Set();
      if (queue.size >= waitingMaximum) return reject(tooLate());
      const expire = () => {
        queue.delete(entry);
        reject(tooLate());
      };
      const expiry = setTimeout(expire, writeTimeout);
      const entry = { input, targets, since: this.#writing.now(), expiry, resolve, reject };
      queue.add(entry);
      if (!this.#queues.has(organizationId)) void this.#serve(organizationId, queue);
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
    const patient = this.#patient(entries);
    if (patient.length === 0) return;
    try {
      const inputs = patient.map(entry => entry.input);
      const outputs = await this.#writing.write(organizationId, inputs, this.#timeoutLeft(patient));
      patient.forEach((entry, index) => entry.resolve(outputs[index]!));
    } catch (error) {
      if (patient.length === 1 || !this.#writing.isRejected(error))
        patient.forEach(entry => entry.reject(error));
      else for (const entry of patient) await this.#write(organizationId, [entry]);
    }
  }

  /** Takes the next of the queue that may be written together. */
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
    }
    return entries;
  }

  /** Those that still may be written; the others have waited too long and are rejected, never written. */
  #patient(entries: Waiting<Input, Output>[]): Waiting<Input, Output>[] {
    const patient = entries.filter(entry => this.#timeoutLeft([entry]) > 0);
    for (const entry of entries) if (!patient.includes(entry)) entry.reject(tooLate());
    return patient;
  }

  /** Milliseconds until the first of them has waited for too long. */
  #timeoutLeft(entries: readonly { readonly since: number }[]): number {
    const since = Math.min(...entries.map(entry => entry.since));
    return Math.floor(writeTimeout - (this.#writing.now() - since));
  }
}

function tooLate(): ApiError {
  return new ApiError('SERVICE_UNAVAILABLE', tooLateMessage);
}
