/** Work that is to stop when the signal says so, since nobody waits for it any longer. */
type Work<T> = (signal: AbortSignal) => Promise<T>;

/**
 * Lets those who want the same thing at the same time share one run of the work for it. Who leaves (`signal`) stops waiting at
 * once, with the reason of the signal; a run goes on as long as somebody waits for it, and is aborted with the last one.
 */
export class SharedRuns<T> {
  readonly #underWay = new Map<string, Run<T>>();
  readonly #next = new Map<string, Run<T>>();

  /** The result of the run under way; undefined when nothing is under way. */
  underWay(name: string, signal?: AbortSignal): Promise<T> | undefined {
    return this.#underWay.get(name)?.join(signal);
  }

  /** The result of a run that begins now, and is under way from now on. */
  begin(name: string, work: Work<T>, signal?: AbortSignal): Promise<T> {
    if (signal?.aborted) return Promise.reject(signal.reason as Error);
    const run = new Run(work, () => this.#forget(name, run));
    this.#underWay.set(name, run);
    return run.join(signal);
  }

  /** The result of the next run, which begins when the one under way is over: nobody gets what was begun before they asked. */
  next(name: string, work: Work<T>, signal?: AbortSignal): Promise<T> {
    const run = this.#next.get(name) ?? this.#prepare(name, work);
    return run.join(signal);
  }

  #prepare(name: string, work: Work<T>): Run<T> {
    const before = this.#underWay.get(name);
    const inTurn: Work<T> = async signal => {
      // Also when nothing is under way: those whom one event wakes, one after the other, are to go together.
      await before?.over;
      signal.throwIfAborted();
      this.#next.delete(name);
      this.#underWay.set(name, run);
      return work(signal);
    };
    const run = new Run(inTurn, () => this.#forget(name, run));
    this.#next.set(name, run);
    return run;
  }

  #forget(name: string, run: Run<T>): void {
    for (const runs of [this.#underWay, this.#next]) if (runs.get(name) === run) runs.delete(name);
  }
}

/** Work under way with those who wait for it. */
class Run<T> {
  readonly #result: Promise<T>;
  readonly #nobodyWaits = new AbortController();
  readonly #over = Promise.withResolvers<void>();
  readonly #forget: () => void;
  #waiting = 0;

  /** @param forget called when nobody may join any more */
  constructor(work: Work<T>, forget: () => void) {
    this.#forget = forget;
    this.#result = work(this.#nobodyWaits.signal);
    this.#result.then(
      () => this.#end(),
      () => this.#end(),
    );
  }

  /** Resolves when the work has ended or nobody waits for it. */
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
    this.#nobodyWaits.abort(reason);
  }

  #end(): void {
    this.#forget();
    this.#over.resolve();
  }
}
