/**
 * Lets work on one thing (an employee, say) go on one at a time in this process, in the order of arrival. It spares the
 * retries of writers that would overtake each other; what two processes do at once is decided by the database.
 */
export class Turns {
  readonly #last = new Map<string, Promise<void>>();

  /** Runs the work when all earlier work of the key has ended, and answers as it does. */
  async take<T>(key: string, work: () => Promise<T>): Promise<T> {
    const before = this.#last.get(key);
    const turn = Promise.withResolvers<void>();
    this.#last.set(key, turn.promise);
    try {
      await before;
      return await work();
    } finally {
      if (this.#last.get(key) === turn.promise) this.#last.delete(key);
      turn.resolve();
    }
  }
}
