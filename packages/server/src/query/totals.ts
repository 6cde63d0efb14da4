import { BoundedMap } from '../lib/bounded-map.ts';
import type { Estimate } from './path.ts';

/** The exact numbers of a list at an instant of the organization clock. */
export interface Totals extends Estimate {
  readonly clock: string;
}

/** Memory limit in bytes, enough for about 10,000 totals. */
const capacity = 4 * 1024 * 1024;

/**
 * Caches the latest totals of lists. A total is exact at its own clock and an estimate at any other.
 * Every change that affects it, of rows or of the division tree, moves the clock.
 */
export class TotalsCache {
  readonly #known: BoundedMap<Totals>;

  constructor(bytes = capacity) {
    this.#known = new BoundedMap(bytes);
  }

  get(key: string): Totals | undefined {
    return this.#known.get(key);
  }

  /** Caches totals. If they are older than the cached ones, the next request detects it by the clock. */
  keep(key: string, totals: Totals): void {
    this.#known.set(key, totals, 2 * totals.clock.length + 32);
  }
}

/** Memory limit in bytes, enough for about 10,000 lists. */
const emptyCapacity = 4 * 1024 * 1024;

interface Seen {
  readonly clock: string;
  /** Whether the list was found empty at this clock twice. */
  readonly again: boolean;
}

/**
 * Caches the clock at which lists were found empty. They stay empty until it moves, and reading the clock is cheaper than the list.
 * Under constant writes the clock always moves, so only two empty results at the same clock count.
 */
export class EmptyLists {
  readonly #seen = new BoundedMap<Seen>(emptyCapacity);

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
