import { ApiError } from '@kontor/contract';
import type { WriteTurns } from './write-turns.ts';

/** How long a write waits for its turn before it answers 503, in milliseconds (specification.md 2.10). */
export const writePatience = 5000;

/** Most writes that are committed together, and most that wait in one organization. */
const batchMaximum = 100;
const waitingMaximum = 10_000;

interface Waiting<Input, Output> {
  readonly input: Input;
  readonly since: number;
  /** Refuses it when its patience is over before its turn comes. */
  readonly expiry: NodeJS.Timeout;
  readonly resolve: (output: Output) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Writes the inputs in one transaction and returns one output each, in order. `patience` is what is left to wait for the
 * lock of the organization, in milliseconds.
 */
export type WriteBatch<Input, Output> = (
  organizationId: string,
  inputs: Input[],
  patience: number,
) => Promise<Output[]>;

/**
 * Commits the waiting writes of one organization together: while one transaction is under way the next ones gather, so
 * that the lock of the organization is taken once for all of them. A batch that the database refuses is written again one
 * by one, which is safe since nothing of it was committed; a batch that ended without an answer is not.
 */
export class WriteQueue<Input, Output> {
  readonly #write: WriteBatch<Input, Output>;
  readonly #refused: (error: unknown) => boolean;
  readonly #turns: WriteTurns;
  readonly #now: () => number;
  readonly #waiting = new Map<string, Set<Waiting<Input, Output>>>();

  /**
   * `refused` tells that the database has rolled the batch back for certain, so that a part of it may succeed; `turns` are
   * those of all writes of the process; `now` is a clock in milliseconds.
   */
  constructor(
    write: WriteBatch<Input, Output>,
    refused: (error: unknown) => boolean,
    options: { turns: WriteTurns; now?: () => number },
  ) {
    this.#write = write;
    this.#refused = refused;
    this.#turns = options.turns;
    this.#now = options.now ?? (() => performance.now());
  }

  /**
   * Writes the input in its turn, for which it has waited `since` an instant of the clock.
   * @throws SERVICE_UNAVAILABLE after `writePatience`, and those of the write.
   */
  submit(organizationId: string, input: Input, since = this.#now()): Promise<Output> {
    return new Promise((resolve, reject) => {
      const queue = this.#waiting.get(organizationId) ?? new Set();
      if (queue.size >= waitingMaximum) return reject(tooLate());
      const expire = () => {
        queue.delete(entry);
        this.#turns.waiting--;
        reject(tooLate());
      };
      const expiry = setTimeout(expire, this.#patienceLeft([{ since }]));
      const entry = { input, since, expiry, resolve, reject };
      queue.add(entry);
      this.#turns.waiting++;
      if (!this.#waiting.has(organizationId)) void this.#drain(organizationId, queue);
    });
  }

  async #drain(organizationId: string, queue: Set<Waiting<Input, Output>>): Promise<void> {
    this.#waiting.set(organizationId, queue);
    while (queue.size > 0) {
      const pass = this.#turns.tryTake(organizationId) ?? (await this.#turns.take(organizationId));
      await this.#writeTogether(organizationId, this.#takeTurn(queue)).finally(pass);
    }
    this.#waiting.delete(organizationId);
  }

  async #writeTogether(organizationId: string, entries: Waiting<Input, Output>[]): Promise<void> {
    if (entries.length === 0) return;
    try {
      const inputs = entries.map(entry => entry.input);
      const outputs = await this.#write(organizationId, inputs, Math.max(1, this.#patienceLeft(entries)));
      entries.forEach((entry, index) => entry.resolve(outputs[index]!));
    } catch (error) {
      if (entries.length === 1 || !this.#refused(error)) entries.forEach(entry => entry.reject(error));
      else for (const entry of entries) await this.#writeTogether(organizationId, this.#patient([entry]));
    }
  }

  #takeTurn(queue: Set<Waiting<Input, Output>>): Waiting<Input, Output>[] {
    const entries = [...queue.values().take(batchMaximum)];
    for (const entry of entries) {
      queue.delete(entry);
      this.#turns.waiting--;
      clearTimeout(entry.expiry);
    }
    return this.#patient(entries);
  }

  /** Those that still may be written; the others have waited too long and are refused, never written. */
  #patient(entries: Waiting<Input, Output>[]): Waiting<Input, Output>[] {
    const patient = entries.filter(entry => this.#patienceLeft([entry]) > 0);
    for (const entry of entries) if (!patient.includes(entry)) entry.reject(tooLate());
    return patient;
  }

  /** Milliseconds until the first of them has waited for too long. */
  #patienceLeft(entries: readonly { readonly since: number }[]): number {
    const since = Math.min(...entries.map(entry => entry.since));
    return Math.floor(writePatience - (this.#now() - since));
  }
}

function tooLate(): ApiError {
  return new ApiError(
    'SERVICE_UNAVAILABLE',
    'Other writes of the organization were under way for too long. Nothing was stored; send the request again.',
  );
}
