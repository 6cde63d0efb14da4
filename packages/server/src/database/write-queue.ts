import { ApiError } from '@kontor/contract';
import type { Slots } from './slots.ts';

/** How long a write waits for its turn before it answers 503, in milliseconds (decisions.md section 3). */
const writePatience = 5000;

/** Most writes that are committed together, and most that wait in one organization. */
const batchMaximum = 100;
const waitingMaximum = 10_000;

interface Waiting<Input, Output> {
  readonly input: Input;
  readonly since: number;
  readonly resolve: (output: Output) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Writes the inputs in one transaction and answers one output each, in order. `patience` is what is left to wait for the
 * lock of the organization, in milliseconds.
 */
export type WriteBatch<Input, Output> = (
  organizationId: string,
  inputs: Input[],
  patience: number,
) => Promise<Output[]>;

/**
 * Commits the waiting writes of one organization together: while one transaction is under way the next ones gather, so
 * that the lock of the organization is taken once for all of them. A batch that the data refuses is written again one by
 * one, which is safe since nothing of it was committed; a batch that ended without an answer is not.
 */
export class WriteQueue<Input, Output> {
  readonly #write: WriteBatch<Input, Output>;
  readonly #refused: (error: unknown) => boolean;
  readonly #slots: Slots;
  readonly #now: () => number;
  readonly #waiting = new Map<string, Waiting<Input, Output>[]>();

  /**
   * `refused` tells that the database rolled the batch back because of its data, so that a part of it may succeed; `slots`
   * bound the transactions of all organizations at once; `now` is a clock in milliseconds.
   */
  constructor(
    write: WriteBatch<Input, Output>,
    refused: (error: unknown) => boolean,
    options: { slots: Slots; now?: () => number },
  ) {
    this.#write = write;
    this.#refused = refused;
    this.#slots = options.slots;
    this.#now = options.now ?? (() => performance.now());
  }

  /**
   * Writes the input in its turn, for which it has waited `since` an instant of the clock. Errors: SERVICE_UNAVAILABLE
   * after `writePatience`, and those of the write.
   */
  submit(organizationId: string, input: Input, since = this.#now()): Promise<Output> {
    return new Promise((resolve, reject) => {
      const entry = { input, since, resolve, reject };
      const queue = this.#waiting.get(organizationId);
      if (queue && queue.length >= waitingMaximum) reject(busy());
      else if (queue) queue.push(entry);
      else void this.#drain(organizationId, [entry]);
    });
  }

  async #drain(organizationId: string, first: Waiting<Input, Output>[]): Promise<void> {
    const queue = first;
    this.#waiting.set(organizationId, queue);
    while (queue.length > 0) {
      const giveBack = this.#slots.tryTake() ?? (await this.#slots.take());
      await this.#writeTogether(organizationId, this.#takeTurn(queue)).finally(giveBack);
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

  #takeTurn(queue: Waiting<Input, Output>[]): Waiting<Input, Output>[] {
    return this.#patient(queue.splice(0, batchMaximum));
  }

  /** Those that still may be written; the others have waited too long and are refused, never written. */
  #patient(entries: Waiting<Input, Output>[]): Waiting<Input, Output>[] {
    const patient = entries.filter(entry => this.#patienceLeft([entry]) > 0);
    for (const entry of entries) if (!patient.includes(entry)) entry.reject(busy());
    return patient;
  }

  /** Milliseconds until the first of them has waited for too long. */
  #patienceLeft(entries: readonly Waiting<Input, Output>[]): number {
    const since = Math.min(...entries.map(entry => entry.since));
    return Math.floor(writePatience - (this.#now() - since));
  }
}

function busy(): ApiError {
  return new ApiError(
    'SERVICE_UNAVAILABLE',
    'Other writes of the organization were under way for too long. Nothing was stored; send the request again.',
  );
}
