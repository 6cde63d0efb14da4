import { BoundedMap } from '../lib/bounded-map.ts';
import type { Position } from './order.ts';

/** Milliseconds that a position stays cached (specification.md 3.8). */
const lifetime = 120_000;

/** Memory limit in bytes, enough for about 25,000 positions. */
const capacity = 16 * 1024 * 1024;

/** Caches where pages ended, so that the next page starts there. Best effort, per process. */
export class PagePositions {
  readonly #positions: BoundedMap<{ end: Position; until: number }>;
  readonly #now: () => number;

  /** @param now a clock in milliseconds, of any origin */
  constructor(now: () => number, bytes = capacity) {
    this.#now = now;
    this.#positions = new BoundedMap(bytes);
  }

  /** The end of the previous page; null when it is not cached. */
  startOf(position: string, page: number): Position | null {
    const known = this.#positions.get(keyOf(position, page - 1));
    return known && known.until > this.#now() ? known.end : null;
  }

  endOf(position: string, page: number, end: Position): void {
    const size = 2 * ((end.value?.length ?? 0) + end.id.length);
    this.#positions.set(keyOf(position, page), { end, until: this.#now() + lifetime }, size);
  }
}

function keyOf(position: string, page: number): string {
  return `${position} ${page}`;
}
