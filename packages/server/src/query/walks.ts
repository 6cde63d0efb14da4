import { BoundedMap } from './bounded-map.ts';
import type { Position } from './order.ts';

/** How long the end of a page is remembered, in milliseconds (specification.md 3.8). */
const lifetime = 120_000;

/** Most memory for the ends of pages, in bytes: some 25,000 of them. */
const capacity = 16 * 1024 * 1024;

/** Remembers where pages ended, so that the next page starts there. Best effort, per process. */
export class Walks {
  readonly #ends: BoundedMap<{ end: Position; until: number }>;
  readonly #now: () => number;

  /** @param now a clock in milliseconds, of any origin */
  constructor(now: () => number, bytes = capacity) {
    this.#now = now;
    this.#ends = new BoundedMap(bytes);
  }

  /** Where the page before this one ended, when that is still known. */
  startOf(walk: string, page: number): Position | null {
    const known = this.#ends.get(keyOf(walk, page - 1));
    return known && known.until > this.#now() ? known.end : null;
  }

  /** Remembers where a page ended. */
  endOf(walk: string, page: number, end: Position): void {
    const size = 2 * ((end.value?.length ?? 0) + end.id.length);
    this.#ends.set(keyOf(walk, page), { end, until: this.#now() + lifetime }, size);
  }
}

function keyOf(walk: string, page: number): string {
  return `${walk} ${page}`;
}
