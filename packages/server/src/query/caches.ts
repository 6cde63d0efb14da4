import { BoundedMap } from '../lib/bounded-map.ts';
import type { Position } from './order.ts';
import type { Estimate } from './path.ts';

/** The exact numbers of a list at an instant of the organization clock. */
export interface Totals extends Estimate {
  readonly clock: string;
}

/** Memory limits in bytes, enough for about 10,000 totals, 10,000 empty lists and 25,000 positions. */
const totalsCapacity = 4 * 1024 * 1024;
const emptyCapacity = 4 * 1024 * 1024;
const positionsCapacity = 16 * 1024 * 1024;

/** Milliseconds that a position stays cached (specification.md 3.8). */
const positionLifetime = 120_000;

/**
 * Caches the latest totals of lists. A total is exact at its own clock and an estimate at any other.
 * Every change that affects it, of rows or of the division tree, moves the clock.
 */
export class TotalsCache {
  readonly #known: BoundedMap<Totals>;

  constructor(bytes = totalsCapacity) {
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

/**
 * Caches the clock at which lists were found empty. They stay empty until it moves, and reading the clock is cheaper than the list.
 * Under constant writes the clock always moves, so only two empty results at the same clock count.
 */
export class EmptyLists {
  readonly #seen = new BoundedMap<{ clock: string; twice: boolean }>(emptyCapacity);

  clockOf(list: string): string | null {
    const seen = this.#seen.get(list);
    return seen?.twice ? seen.clock : null;
  }

  /** Records that the list is empty at this clock. */
  record(list: string, clock: string): void {
    const twice = this.#seen.get(list)?.clock === clock;
    this.#seen.set(list, { clock, twice }, 2 * clock.length + 16);
  }
}

/** Caches where pages ended, so that the next page starts there. Best effort, per process. */
export class PagePositions {
  readonly #positions: BoundedMap<{ end: Position; until: number }>;
  readonly #now: () => number;

  /** @param now a clock in milliseconds, of any origin */
  constructor(now: () => number, bytes = positionsCapacity) {
    this.#now = now;
    this.#positions = new BoundedMap(bytes);
  }

  /** The end of the previous page; null when it is not cached. */
  startOf(position: string, page: number): Position | null {
    const known = this.#positions.get(`${position} ${page - 1}`);
    return known && known.until > this.#now() ? known.end : null;
  }

  endOf(position: string, page: number, end: Position): void {
    const size = 2 * ((end.value?.length ?? 0) + end.id.length);
    this.#positions.set(`${position} ${page}`, { end, until: this.#now() + positionLifetime }, size);
  }
}
