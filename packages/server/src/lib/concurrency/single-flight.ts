/** Work that stops when its signal is aborted, since no caller waits for it. */
type Work<T> = (signal: AbortSignal) => Promise<T>;

/**
 * Lets concurrent callers that need the same result share one run of the work. A caller with an aborted signal is rejected at once with the reason.
 * A run is aborted when its last caller has left.
 *
 * A run is *next* (it begins when the current one is over), then *in progress*, then over: settled or aborted.
 */
export class SingleFlight<T> {
  readonly #inProgress = new Map<string, Run<T>>();
  readonly #next = new Map<string, Run<T>>();

  inProgress(name: string, signal?: AbortSignal): Promise<T> | undefined {
    return this.#inProgress.get(name)?.join(signal);
  }

  begin(name: string, work: Work<T>, signal?: AbortSignal): Promise<T> {
    if (signal?.aborted) return Promise.reject(signal.reason as Error);
    const run = new Run(work, () => this.#forget(name, run));
    this.#inProgress.set(name, run);
    return run.join(signal);
  }

  /** The result of the next run. It begins when the current one is over, so it never started before this call. */
  next(name: string, work: Work<T>, signal?: AbortSignal): Promise<T> {
    const run = this.#next.get(name) ?? this.#prepare(name, work);
    return run.join(signal);
  }

  #prepare(name: string, work: Work<T>): Run<T> {
    const before = this.#inProgress.get(name);
    const whenNext: Work<T> = async signal => {
      // Also without a current run: callers that one event resumes share the run.
      await before?.over;
      signal.throwIfAborted();
      this.#next.delete(name);
      this.#inProgress.set(name, run);
      return work(signal);
    };
    const run = new Run(whenNext, () => this.#forget(name, run));
    this.#next.set(name, run);
    return run;
  }

  #forget(name: string, run: Run<T>): void {
    for (const runs of [this.#inProgress, this.#next]) if (runs.get(name) === run) runs.delete(name);
  }
}

class Run<T> {
  readonly #result: Promise<T>;
  readonly #abandoned = new AbortController();
  readonly #over = Promise.withResolvers<void>();
  readonly #forget: () => void;
  #waiting = 0;

  /** @param forget called when no caller may join */
  constructor(work: Work<T>, forget: () => void) {
    this.#forget = forget;
    this.#result = work(this.#abandoned.signal);
    this.#result.then(
      () => this.#end(),
      () => this.#end(),
    );
  }

  /** Resolves when the work has settled or its last caller has left. */
  get over(): Promise<void> {
    return this.#over.promise;
  }

  async join(signal?: AbortSignal): Promise<T> {
    this.#waiting++;
    const { promise: left, reject } = Promise.withResolvers<never>();
    const leave = () => {
      reject(signal!.reason as Error);
      if (--this.#waiting === 0) this.#abandon(signal!.reason);
    };
    if (signal?.aborted) leave();
    signal?.addEventListener('abort', leave);
    try {
      return await Promise.race([left, this.#result]);
    } finally {
      signal?.removeEventListener('abort', leave);
    }
  }

  #abandon(reason: unknown): void {
    this.#end();
    this.#abandoned.abort(reason);
  }

  #end(): void {
    this.#forget();
    this.#over.resolve();
  }
}
