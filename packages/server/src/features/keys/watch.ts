/** For how long a process has looked without a break, which is for how long it could have heard of a key. */
export class Watch {
  readonly #gap: number;
  readonly #now: () => number;
  #since: number | null = null;
  #last = 0;

  /**
   * @param gap milliseconds between two looks that are a break
   * @param now a clock in milliseconds, of any origin
   */
  constructor(gap: number, now: () => number = () => performance.now()) {
    this.#gap = gap;
    this.#now = now;
  }

  /** Whole seconds since the first look behind the last break. */
  get seconds(): number {
    const now = this.#now();
    return this.#since === null || now - this.#last > this.#gap ? 0 : Math.floor((now - this.#since) / 1000);
  }

  /** It has looked, and the database has replied. */
  looked(): void {
    const now = this.#now();
    if (this.#since === null || now - this.#last > this.#gap) this.#since = now;
    this.#last = now;
  }
}
