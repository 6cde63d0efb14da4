/** Work that stops when the signal is aborted: no caller waits for it. */
type Work<T> = (signal: AbortSignal) => Promise<T>;

/**
 * Lets callers that need the same result at the same time share one run of the work. A caller whose signal is aborted is rejected at
 * once with its reason. A run continues while a caller waits for it, and is aborted with the last one.
 *
 * A run is *next* (it begins when the one in progress is over), then *in progress*, then over: settled or aborted.
 */
export class SingleFlight<T> {
  readonly #inProgress = new Map<string, Run<T>>();
  readonly #next = new Map<string, Run<T>>();

  /** The result of the run in progress; undefined when there is none. */
  inProgress(name: string, signal?: AbortSignal): Promise<T> | undefined {
    return this.#inProgress.get(name)?.join(signal);
  }

  /** The result of a run that begins now. */
  begin(name: string, work: Work<T>, signal?: AbortSignal): Promise<T> {
    if (signal?.aborted) return Promise.reject(signal.reason as Error);
    const run = new Run(work, () => this.#forget(name, run));
    this.#inProgress.set(name, run);
    return run.join(signal);
  }

  /** The result of the next run. It begins when the one in progress is over, so no caller gets what was begun before its call. */
  next(name: string, work: Work<T>, signal?: AbortSignal): Promise<T> {
    const run = this.#next.get(name) ?? this.#prepare(name, work);
    return run.join(signal);
  }

  #prepare(name: string, work: Work<T>): Run<T> {
    const before = this.#inProgress.get(name);
    const whenNext: Work<T> = async signal => {
      // Also when there is none in progress: callers that one event wakes one after the other share the run.
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

/** Work in progress with the callers that wait for it. */
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

  /** Resolves when the work has settled or no caller waits for it. */
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
