/**
 * Lets callers who ask for the same thing at the same time share one answer. Nobody gets an answer that was begun before it
 * was asked for: while one is under way, those who come wait for the next.
 */
export class Departures<T> {
  readonly #next = new Map<string, Promise<T>>();
  readonly #underWay = new Map<string, Promise<T>>();

  /** The answer of the next run, which is the caller's work or that of another with this key. */
  join(key: string, work: () => Promise<T>): Promise<T> {
    const next = this.#next.get(key) ?? this.#depart(key, work);
    this.#next.set(key, next);
    return next;
  }

  async #depart(key: string, work: () => Promise<T>): Promise<T> {
    // Also when nothing is under way: those whom one event wakes, one after the other, are to go together.
    await this.#underWay.get(key)?.catch(() => undefined);
    this.#next.delete(key);
    const run = work();
    this.#underWay.set(key, run);
    try {
      return await run;
    } finally {
      if (this.#underWay.get(key) === run) this.#underWay.delete(key);
    }
  }
}
