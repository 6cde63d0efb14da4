import { availableParallelism } from 'node:os';
import { ApiError } from '@kontor/contract';
import { Limiter } from '../lib/limiter.ts';

/** How long a write waits for its turn before it answers 503, in milliseconds (specification.md 2.10). */
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
  /** Refuses it when its patience is over before its turn comes. */
  readonly expiry: NodeJS.Timeout;
  readonly resolve: (output: Output) => void;
  readonly reject: (error: unknown) => void;
}

/** How a queue writes. */
export interface Writing<Input, Output> {
  /**
   * Writes the inputs in one transaction and returns one output each, in order. `patience` is what is left to wait for the
   * lock of the organization, in milliseconds.
   */
  readonly write: (organizationId: string, inputs: Input[], timeout: number) => Promise<Output[]>;
  /** What no two inputs of one transaction may have in common. */
  readonly targets: (input: Input) => readonly string[];
  /** Whether the database has rolled everything back for certain, so that a part of it may succeed. */
  readonly isRefused: (error: unknown) => boolean;
  /** A clock in milliseconds. */
  readonly now: () => number;
}

/**
 * The one line of each organization in this process. What gathers while one of its transactions is under way goes into the
 * next one together, in the order of arrival, as far as no two have a target in common. A transaction that the database
 * refuses is written again one by one, which is safe since nothing of it was committed; one that ended without an answer is
 * not.
 */
export class WriteQueue<Input, Output> {
  readonly #writing: Writing<Input, Output>;
  /** A few transactions at once, so that more writes share one. One that takes longer than most waits for a lock, and gives its place away. */
  readonly #limiter = new Limiter({
    running: { inAll: Math.max(2, 2 * availableParallelism()), perKey: 1 },
    waiting: { inAll: Infinity, perKey: 1 },
    tooMany: tooLateMessage,
    maxHold: 25,
  });
  readonly #lines = new Map<string, Set<Waiting<Input, Output>>>();

  constructor(writing: Writing<Input, Output>) {
    this.#writing = writing;
  }

  /** How many writes wait for their turn. */
  get waiting(): number {
    return [...this.#lines.values()].reduce((sum, line) => sum + line.size, 0);
  }

  /**
   * Writes the input in its turn.
   * @throws SERVICE_UNAVAILABLE after {@link writeTimeout}, and those of the write.
   */
  submit(organizationId: string, input: Input): Promise<Output> {
    return new Promise((resolve, reject) => {
      const targets = this.#writing.targets(input);
      const line = this.#lines.get(organizationId) ?? new Set();
      if (line.size >= waitingMaximum) return reject(tooLate());
      const expire = () => {
        line.delete(entry);
        reject(tooLate());
      };
      const expiry = setTimeout(expire, writeTimeout);
      const entry = { input, targets, since: this.#writing.now(), expiry, resolve, reject };
      line.add(entry);
      if (!this.#lines.has(organizationId)) void this.#serve(organizationId, line);
    });
  }

  async #serve(organizationId: string, line: Set<Waiting<Input, Output>>): Promise<void> {
    this.#lines.set(organizationId, line);
    while (line.size > 0) {
      using _place = this.#limiter.tryTake(organizationId) ?? (await this.#limiter.take(organizationId));
      await this.#write(organizationId, this.#next(line));
    }
    this.#lines.delete(organizationId);
  }

  async #write(organizationId: string, entries: Waiting<Input, Output>[]): Promise<void> {
    const patient = this.#patient(entries);
    if (patient.length === 0) return;
    try {
      const inputs = patient.map(entry => entry.input);
      const outputs = await this.#writing.write(organizationId, inputs, this.#timeoutLeft(patient));
      patient.forEach((entry, index) => entry.resolve(outputs[index]!));
    } catch (error) {
      if (patient.length === 1 || !this.#writing.isRefused(error))
        patient.forEach(entry => entry.reject(error));
      else for (const entry of patient) await this.#write(organizationId, [entry]);
    }
  }

  /** Takes the next of the line that may be written together. */
  #next(line: Set<Waiting<Input, Output>>): Waiting<Input, Output>[] {
    const taken = new Set<string>();
    const entries: Waiting<Input, Output>[] = [];
    for (const entry of line) {
      const { targets } = entry;
      if (entries.length === batchMaximum || targets.some(target => taken.has(target))) break;
      for (const target of targets) taken.add(target);
      entries.push(entry);
      line.delete(entry);
      clearTimeout(entry.expiry);
    }
    return entries;
  }

  /** Those that still may be written; the others have waited too long and are refused, never written. */
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
