/** Between two sweeps, in milliseconds. */
const interval = 60_000;

/**
 * Sweeps at once and then every minute, until it is stopped. `swept` is told how many files were removed, if any; `failed`
 * why a sweep ended early, which the next one takes up.
 */
export function startSweeper(
  sweep: () => Promise<number>,
  { swept, failed }: { swept: (files: number) => void; failed: (error: unknown) => void },
): { stop(): void } {
  let stopped = false;
  let sweeping = false;
  const run = async () => {
    if (sweeping) return;
    sweeping = true;
    try {
      const files = await sweep();
      if (files > 0) swept(files);
    } catch (error) {
      if (!stopped) failed(error);
    }
    sweeping = false;
  };
  void run();
  const timer = setInterval(() => void run(), interval);
  return {
    stop() {
      stopped = true;
      clearInterval(timer);
    },
  };
}
