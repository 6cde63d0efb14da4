/** Passes the turn on to the next in line, once. */
export type Pass = () => void;

/**
 * Lets work on one thing (an organization, an employee) go on one at a time in this process, in the order of arrival. What
 * several processes do at once is decided by the database.
 */
export class Turns {
  /** Who waits, by the key. A key is there as long as somebody has its turn. */
  readonly #lines = new Map<string, (() => void)[]>();

  /** Runs the work when all earlier work of the key has ended, and returns what it does. */
  async take<T>(key: string, work: () => Promise<T>): Promise<T> {
    const pass = await this.enter(key);
    try {
      return await work();
    } finally {
      pass();
    }
  }

  /** The turn, when nobody has it; else null. */
  tryEnter(key: string): Pass | null {
    if (this.#lines.has(key)) return null;
    this.#lines.set(key, []);
    return this.#pass(key);
  }

  /** Resolves when it is one's turn, however long that takes. */
  async enter(key: string): Promise<Pass> {
    const turn = this.tryEnter(key);
    if (turn) return turn;
    await new Promise<void>(resolve => this.#lines.get(key)!.push(resolve));
    return this.#pass(key);
  }

  #pass(key: string): Pass {
    let passed = false;
    return () => {
      if (passed) return;
      passed = true;
      const next = this.#lines.get(key)!.shift();
      if (next) next();
      else this.#lines.delete(key);
    };
  }
}
