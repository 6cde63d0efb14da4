import { BoundedMap } from './bounded-map.ts';
import type { Estimate } from './path.ts';
import { Shared } from './shared.ts';

/** The exact numbers of a list at an instant of the organization clock. */
export interface Totals extends Estimate {
  readonly clock: string;
}

/** Most memory for totals, in bytes: some 10,000 of them. */
const capacity = 4 * 1024 * 1024;

/**
 * The latest known totals of lists. A total is exact for the clock that it carries and an estimate for any other: all that
 * can change it, rows and the tree of divisions, moves the clock.
 */
export class TotalsCache {
  readonly #known: BoundedMap<Totals>;
  readonly #pending = new Map<string, Shared<Totals>>();

  constructor(bytes = capacity) {
    this.#known = new BoundedMap(bytes);
  }

  /** The latest known totals. */
  get(key: string): Totals | undefined {
    return this.#known.get(key);
  }

  /** The totals that somebody is counting right now, if anybody is. */
  pending(key: string): Shared<Totals> | undefined {
    const pending = this.#pending.get(key);
    return pending?.isAbandoned ? undefined : pending;
  }

  /** Keeps totals, unless later ones may be there already: then which are later will show with the next request. */
  keep(key: string, totals: Totals): void {
    this.#known.set(key, totals, 2 * totals.clock.length + 32);
  }

  /** Counts, and lets others who ask meanwhile wait for the result. The signal tells that nobody does any longer. */
  count(key: string, count: (signal: AbortSignal) => Promise<Totals>): Shared<Totals> {
    const counting: Shared<Totals> = new Shared(async signal => {
      try {
        const totals = await count(signal);
        this.keep(key, totals);
        return totals;
      } finally {
        if (this.#pending.get(key) === counting) this.#pending.delete(key);
      }
    });
    this.#pending.set(key, counting);
    return counting;
  }
}
