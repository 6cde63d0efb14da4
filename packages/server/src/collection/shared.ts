/** Why shared work was ended: nobody waited for it any longer. */
export class Abandoned extends Error {
  override readonly name = 'Abandoned';
}

/** Work that several wait for. It goes on as long as one of them does, and is ended when the last one has left. */
export class Shared<T> {
  readonly #end = new AbortController();
  readonly #result: Promise<T>;
  #waiting = 0;

  /** Begins the work, whose signal is aborted with {@link Abandoned} when nobody waits for it any longer. */
  constructor(work: (signal: AbortSignal) => Promise<T>) {
    this.#result = work(this.#end.signal);
    // Whoever waits is told; when nobody does, nobody need be.
    this.#result.catch(() => {});
  }

  /** Whether it has been ended, so that it must not be waited for. */
  get isAbandoned(): boolean {
    return this.#end.signal.aborted;
  }

  /** Resolves when the work is over, however it went. */
  async over(): Promise<void> {
    await this.#result.catch(() => {});
  }

  /** The result. Errors: those of the work, and the reason of the signal as soon as that is aborted. */
  async wait(signal?: AbortSignal): Promise<T> {
    this.#waiting++;
    try {
      return await (signal ? unlessAborted(this.#result, signal) : this.#result);
    } finally {
      this.#waiting--;
      if (this.#waiting === 0) this.#end.abort(new Abandoned('nobody waits for it any longer'));
    }
  }
}

/** The result of the work, or the reason of the signal when that is aborted first. */
async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted();
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const abort = () => reject(signal.reason as Error);
  signal.addEventListener('abort', abort);
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}
