import { BoundedMap } from './bounded-map.ts';
import type { Estimate } from './path.ts';

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

  constructor(bytes = capacity) {
    this.#known = new BoundedMap(bytes);
  }

  /** The latest known totals. */
  get(key: string): Totals | undefined {
    return this.#known.get(key);
  }

  /** Keeps totals, unless later ones may be there already: then which are later will show with the next request. */
  keep(key: string, totals: Totals): void {
    this.#known.set(key, totals, 2 * totals.clock.length + 32);
  }
}
