import { Shared } from './shared.ts';

/**
 * Lets callers who ask for the same thing at the same time share one run of the work. Nobody gets a result that was begun
 * before it was asked for: while one run is under way, those who come wait for the next.
 */
export class NextRun<T> {
  readonly #next = new Map<string, Shared<T>>();
  readonly #underWay = new Map<string, Shared<T>>();

  /** The result of the next run, which is the caller's work or that of another with this key. Errors: as of `Shared`. */
  join(key: string, work: (signal: AbortSignal) => Promise<T>, signal?: AbortSignal): Promise<T> {
    const next = this.#next.get(key);
    return (next && !next.isAbandoned ? next : this.#begin(key, work)).wait(signal);
  }

  #begin(key: string, work: (signal: AbortSignal) => Promise<T>): Shared<T> {
    const before = this.#underWay.get(key);
    const run: Shared<T> = new Shared(async signal => {
      // Also when nothing is under way: those whom one event wakes, one after the other, are to go together.
      await before?.over();
      if (this.#next.get(key) === run) this.#next.delete(key);
      signal.throwIfAborted();
      this.#underWay.set(key, run);
      try {
        return await work(signal);
      } finally {
        if (this.#underWay.get(key) === run) this.#underWay.delete(key);
      }
    });
    this.#next.set(key, run);
    return run;
  }
}
