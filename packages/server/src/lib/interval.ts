/** Work that is done again and again. */
export interface Repetition {
  /** Lets no further run begin and aborts the signal of the one in progress; resolves when that is over. */
  stop(): Promise<void>;
}

/**
 * Does the work at once and then every so many milliseconds, never twice at the same time, until it is stopped. `failed` is told
 * why a run ended early; the next one takes up what it has left.
 */
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
