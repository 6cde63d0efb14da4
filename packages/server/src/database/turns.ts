import { ApiError } from '@kontor/contract';

/** Passes the turn on to the next in line, once. */
export type Pass = () => void;

/**
 * Lets work on one thing (an organization, an employee) go on one at a time in this process, in the order of arrival. What
 * several processes do at once is decided by the database.
 */
export class Turns {
  /** Who waits, by the key. A key is there as long as somebody has its turn. */
  readonly #lines = new Map<string, Set<() => void>>();

  /** Runs the work when all earlier work of the key has ended, and answers as it does. */
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
    this.#lines.set(key, new Set());
    return this.#pass(key);
  }

  /**
   * Resolves when it is one's turn. Errors: SERVICE_UNAVAILABLE after `patience` milliseconds of waiting; when it is absent,
   * it takes as long as it takes.
   */
  async enter(key: string, patience?: number): Promise<Pass> {
    const turn = this.tryEnter(key);
    if (turn) return turn;
    await waitIn(this.#lines.get(key)!, patience);
    return this.#pass(key);
  }

  #pass(key: string): Pass {
    let passed = false;
    return () => {
      if (passed) return;
      passed = true;
      const line = this.#lines.get(key)!;
      const [next] = line;
      if (next) next();
      else this.#lines.delete(key);
    };
  }
}

function waitIn(line: Set<() => void>, patience?: number): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const proceed = () => {
    clearTimeout(timer);
    line.delete(proceed);
    resolve();
  };
  const giveUp = () => {
    line.delete(proceed);
    reject(tooLate());
  };
  const timer = patience === undefined ? undefined : setTimeout(giveUp, patience);
  line.add(proceed);
  return promise;
}

/** The refusal of a write that has waited too long for its turn. */
export function tooLate(): ApiError {
  return new ApiError(
    'SERVICE_UNAVAILABLE',
    'Other writes of the organization were under way for too long. Nothing was stored; send the request again.',
  );
}
