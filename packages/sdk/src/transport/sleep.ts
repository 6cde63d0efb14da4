/** The longest wait of a timer, in milliseconds. A longer one would end at once. */
const longest = 2 ** 31 - 1;

/** `setTimeout` for any duration, also an infinite one. */
export function startTimer(run: () => void, milliseconds: number): ReturnType<typeof setTimeout> {
  return setTimeout(run, Math.min(milliseconds, longest));
}

/** Waits. Rejects with the reason of the signal when it aborts meanwhile. */
export function sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason as Error);
    const abort = () => {
      clearTimeout(timer);
      reject(signal!.reason as Error);
    };
    const timer = startTimer(() => {
      signal?.removeEventListener('abort', abort);
      resolve();
    }, milliseconds);
    signal?.addEventListener('abort', abort, { once: true });
  });
}
