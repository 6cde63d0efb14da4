import { setTimeout as delay } from 'node:timers/promises';
import type { Random } from './random.ts';
import type { Change, Changes } from './changes.ts';
import type { Reads } from './reads.ts';
import type { Question, Round } from './round.ts';

/** How many requests are in progress at once, and how long each client waits before its next one; milliseconds. */
const clients = 20;
const pause = { from: 5, to: 50 };
/** Before the next one after a 503, so that an outage is no storm of requests. */
const longPause = { from: 50, to: 150 };

type Made = Question | Change | null;

/** Asks many questions of all kinds. */
export class Workload {
  readonly #random: Random;
  /** The requests, with their relative frequency. */
  readonly #mix: readonly (readonly [number, () => Made])[];

  constructor(parts: { reads: Reads; changes: Changes; random: Random }) {
    const { reads, changes } = parts;
    this.#random = parts.random;
    this.#mix = [
      [14, () => reads.get()],
      [6, () => reads.list()],
      [8, () => reads.byEmail()],
      [8, () => reads.poll()],
      [2, () => reads.health()],
      [4, () => reads.unknown()],
      [2, () => reads.retiredKey()],
      [1, () => reads.malformedKey()],
      [14, () => changes.createEmployee()],
      [12, () => changes.updateEmployee()],
      [4, () => changes.createDivision()],
      [6, () => changes.createIncident()],
      [6, () => changes.decideOrder()],
      [8, () => changes.dryRun()],
      [5, () => changes.rejected()],
    ];
  }

  /** Runs all clients until `over`, and resolves when each has its last answer. */
  async run(round: Round, over: () => boolean): Promise<void> {
    await Promise.all(Array.from({ length: clients }, () => this.#runClient(round, over)));
  }

  async #runClient(round: Round, over: () => boolean): Promise<void> {
    while (!over()) {
      const made = this.#next();
      const { question, done } = 'question' in made ? made : { question: made, done: () => {} };
      const calm = await this.#ask(round, question);
      done();
      const { from, to } = calm ? pause : longPause;
      await delay(this.#random.integer(from, to));
    }
  }

  /** Asks, and what is to be asked after a success; answers whether the service could answer. */
  async #ask(round: Round, question: Question): Promise<boolean> {
    const answer = await round.ask(question);
    if (answer === null || answer.status === 503) return false;
    if (question.next && answer.status < 300 && question.oracle(answer) === null)
      return this.#ask(round, question.next(answer));
    return true;
  }

  #next(): Question | Change {
    const all = this.#mix.reduce((sum, [weight]) => sum + weight, 0);
    for (;;) {
      let left = this.#random.next() * all;
      const chosen = this.#mix.find(([weight]) => (left -= weight) < 0) ?? this.#mix[0]!;
      const made = chosen[1]();
      if (made !== null) return made;
    }
  }
}
