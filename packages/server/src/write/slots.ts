/** Most pieces of work at once, and how long one counts, in milliseconds. */
export interface SlotOptions {
  readonly count: number;
  readonly hold: number;
}

/**
 * Lets a few pieces of work run at once, so that what waits can gather into larger batches. Work that takes long (it waits
 * for a lock, say) gives its slot away while it goes on, so that it holds up nobody else.
 */
export class Slots {
  readonly #options: SlotOptions;
  readonly #waiting: (() => void)[] = [];
  #free: number;

  constructor(options: SlotOptions) {
    this.#options = options;
    this.#free = options.count;
  }

  /** A slot that is free now: the function that gives it back, once; null when all are taken. */
  tryTake(): (() => void) | null {
    if (this.#free === 0) return null;
    this.#free -= 1;
    return this.#hold();
  }

  /** Resolves with a slot as soon as one is free, in the order of arrival. */
  async take(): Promise<() => void> {
    const free = this.tryTake();
    if (free) return free;
    await new Promise<void>(resolve => this.#waiting.push(resolve));
    return this.#hold();
  }

  #hold(): () => void {
    let held = true;
    const giveBack = () => {
      if (!held) return;
      held = false;
      clearTimeout(timer);
      const next = this.#waiting.shift();
      if (next) next();
      else this.#free += 1;
    };
    const timer = setTimeout(giveBack, this.#options.hold);
    return giveBack;
  }
}
