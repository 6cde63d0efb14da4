export interface BufferOptions<Entries> {
  /** Milliseconds between two writes. */
  readonly interval: number;
  readonly create: () => Entries;
  readonly write: (organizationId: string, entries: Entries) => Promise<void>;
  /** Adds entries that could not be written to newer ones. */
  readonly keep: (earlier: Entries, to: Entries) => void;
  /** Receives an error of a round; the next one tries again. */
  readonly failed: (error: unknown) => void;
}

/** Buffers entries by organization and writes them in batches, outside of requests. */
export class OrganizationBuffer<Entries> {
  readonly #options: BufferOptions<Entries>;
  readonly #timer: NodeJS.Timeout;
  #buffers = new Map<string, Entries>();
  #flushing: Promise<void> = Promise.resolve();

  constructor(options: BufferOptions<Entries>) {
    this.#options = options;
    this.#timer = setInterval(() => void this.flush(), options.interval).unref();
  }

  of(organizationId: string): Entries {
    let entries = this.#buffers.get(organizationId);
    if (!entries) this.#buffers.set(organizationId, (entries = this.#options.create()));
    return entries;
  }

  /** Writes the buffer. Entries that cannot be written are kept for the next round. */
  flush(): Promise<void> {
    this.#flushing = this.#flushing.then(() => this.#write());
    return this.#flushing;
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.flush();
  }

  /**
   * Organizations may be on different nodes. Writing them one by one keeps an unavailable node from blocking the rest. After a failure the
   * round ends with its interval, so that a round without the database does not wait for each organization.
   */
  async #write(): Promise<void> {
    const { interval, write, keep, failed } = this.#options;
    const buffers = this.#buffers;
    this.#buffers = new Map();
    const end = performance.now() + interval;
    let failure: { error: unknown } | undefined;
    for (const [organizationId, entries] of buffers)
      try {
        if (failure && performance.now() > end) throw failure.error;
        await write(organizationId, entries);
      } catch (error) {
        failure = { error };
        keep(entries, this.of(organizationId));
      }
    if (failure) failed(failure.error);
  }
}
