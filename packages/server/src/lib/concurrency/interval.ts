export interface Repetition {
  /** Starts no further run, aborts the signal of the current one, and resolves when that has ended. */
  stop(): Promise<void>;
}

/** Runs the work at once and then in each interval, never twice at the same time. `failed` receives errors; the next run continues the work. */
export function repeat(
  work: (signal: AbortSignal) => Promise<void>,
  { interval, failed }: { interval: number; failed: (error: unknown) => void },
): Repetition {
  const stopping = new AbortController();
  const { signal } = stopping;
  let running: Promise<void> | null = null;
  const run = async () => {
    try {
      await work(signal);
    } catch (error) {
      if (!signal.aborted) failed(error);
    }
    running = null;
  };
  const begin = () => {
    running ??= run();
  };
  begin();
  const timer = setInterval(begin, interval);
  return {
    async stop() {
      stopping.abort();
      clearInterval(timer);
      await running;
    },
  };
}

/** Returns a function that runs the work once an interval has passed, since now or since the last run. Its calls must not overlap. */
export function throttle(work: () => Promise<void>, interval: number): () => Promise<void> {
  let last = performance.now();
  return async () => {
    if (performance.now() - last < interval) return;
    await work();
    last = performance.now();
  };
}
