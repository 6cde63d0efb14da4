import { BoundedMap } from '../lib/bounded-map.ts';
import type { Estimate } from './path.ts';

/** The exact numbers of a list at an instant of the organization clock. */
export interface Totals extends Estimate {
  readonly clock: string;
}

/** Maximum of memory for totals, in bytes: about 10,000 of them. */
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

  /** Caches totals. Should they be older than the cached ones, the next request finds that by the clock. */
  keep(key: string, totals: Totals): void {
    this.#known.set(key, totals, 2 * totals.clock.length + 32);
  }
}

/** Maximum of memory, in bytes: about 10,000 lists. */
const emptyCapacity = 4 * 1024 * 1024;

interface Seen {
  readonly clock: string;
  /** Whether it was found empty at this clock twice. */
  readonly again: boolean;
}

/**
 * Lists that were found empty, with the organization clock of that. While the clock does not move they stay empty, and reading the
 * clock is cheaper than reading the list. Under constant writes the clock always moves, so it is read only for a list that
 * was found empty twice at the same clock.
 */
export class EmptyLists {
  readonly #seen = new BoundedMap<Seen>(emptyCapacity);

  /** The clock at which the list was found empty twice; null otherwise. */
  clockOf(list: string): string | null {
    const seen = this.#seen.get(list);
    return seen?.again ? seen.clock : null;
  }

  /** Records that the list is empty at this clock. */
  record(list: string, clock: string): void {
    const again = this.#seen.get(list)?.clock === clock;
    this.#seen.set(list, { clock, again }, 2 * clock.length + 16);
  }
}
