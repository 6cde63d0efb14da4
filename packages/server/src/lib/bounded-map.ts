/** A map of bounded size that evicts the least recently used entries. The caller gives the size of each entry. */
export class BoundedMap<V> {
  readonly #entries = new Map<string, { value: V; bytes: number }>();
  readonly #capacity: number;
  #bytes = 0;

  /** @param capacity maximum in bytes, with keys and an allowance for each entry */
  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  /** Estimate for all entries. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Marks the entry as used. */
  get(key: string): V | undefined {
    const entry = this.#entries.get(key);
    if (!entry) return undefined;
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    return entry.value;
  }

  /** @param size bytes of the value, without its key */
  set(key: string, value: V, size: number): void {
    this.delete(key);
    const bytes = allowance + 2 * key.length + size;
    this.#entries.set(key, { value, bytes });
    this.#bytes += bytes;
    if (this.#bytes > this.#capacity) this.#forget();
  }

  /** Evicts a share at once: to find its oldest entry, a Map passes over all that were deleted before. */
  #forget(): void {
    for (const oldest of this.#entries.keys()) {
      if (this.#bytes <= this.#capacity * (1 - share)) return;
      this.delete(oldest);
    }
  }

  delete(key: string): void {
    const entry = this.#entries.get(key);
    if (!entry) return;
    this.#entries.delete(key);
    this.#bytes -= entry.bytes;
  }
}

/** Approximate bytes of a Map entry with its objects. */
const allowance = 200;

const share = 1 / 16;
