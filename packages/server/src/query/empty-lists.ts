import { BoundedMap } from './bounded-map.ts';

/** Most memory, in bytes: some 10,000 lists. */
const capacity = 4 * 1024 * 1024;

interface Seen {
  readonly clock: string;
  /** Whether it was empty at this clock when it was looked at before, too. */
  readonly again: boolean;
}

/**
 * Lists that were found empty, and the organization clock of that: as long as the clock stands still they stay so, which is
 * cheaper to ask than to look again. Where others write all the time the clock never stands still, so it is asked only after
 * two looks have seen the same.
 */
export class EmptyLists {
  readonly #seen = new BoundedMap<Seen>(capacity);

  /** The clock to ask for; null where to look at the list itself is better. */
  clockOf(list: string): string | null {
    const seen = this.#seen.get(list);
    return seen?.again ? seen.clock : null;
  }

  /** The list was looked at and is empty. */
  found(list: string, clock: string): void {
    const again = this.#seen.get(list)?.clock === clock;
    this.#seen.set(list, { clock, again }, 2 * clock.length + 16);
  }
}
