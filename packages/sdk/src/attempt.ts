import { ConnectionError, errorOf, KontorError, TimeoutError } from './errors.ts';
import type { Fetch } from './options.ts';
import { redactError, redactHeaders, redactText } from './redact.ts';
import { isNeverConnected } from './retry.ts';
import { startTimer } from './sleep.ts';

/** Reads a success. The attempt ends when it resolves; `abort` closes the connection also later. */
export type Read<T> = (response: Response, abort: AbortController) => Promise<T>;

export interface AttemptOptions {
  readonly fetch: Fetch;
  readonly apiKey: string;
  readonly requestId: string;
  /** Milliseconds, and what they are called in the error. */
  readonly timeout: number;
  readonly timeoutName: string;
  readonly signal: AbortSignal | undefined;
  readonly onHeaders: (response: Response) => void;
}

/**
 * Sends a request once and reads the answer. The timeout covers connecting and the whole answer, also with a `fetch` that ignores its
 * signal.
 * @throws KontorError, or the reason of the signal
 */
export async function sendOnce<T>(
  url: string,
  init: RequestInit,
  read: Read<T>,
  options: AttemptOptions,
): Promise<T> {
  const { apiKey, requestId, signal } = options;
  const controller = new AbortController();
  const { promise: aborted, reject } = withRejection();
  const end = (reason: Error) => {
    controller.abort(reason);
    reject(reason);
  };
  const abort = () => end(signal!.reason as Error);
  if (signal?.aborted) throw signal.reason as Error;
  signal?.addEventListener('abort', abort, { once: true });
  const timer = startTimer(
    () => end(new TimeoutError(requestId, `No answer within ${options.timeoutName}`)),
    options.timeout,
  );
  try {
    return await Promise.race([
      fetchAndRead(url, { ...init, signal: controller.signal }, read, options, controller),
      aborted,
    ]);
  } catch (error) {
    if (signal?.aborted && error === signal.reason) throw error;
    if (error instanceof KontorError) throw error;
    const cause = redactError(error, apiKey);
    throw new ConnectionError(requestId, cause, isNeverConnected(cause));
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', abort);
  }
}

async function fetchAndRead<T>(
  url: string,
  init: RequestInit,
  read: Read<T>,
  { fetch, apiKey, requestId, onHeaders }: AttemptOptions,
  controller: AbortController,
): Promise<T> {
  const response = await fetch(url, init);
  onHeaders(response);
  if (response.ok) return read(response, controller);
  // The status says whether the service rejected the request, also if its body breaks off.
  const text = await response.text().catch(() => '');
  throw errorOf(
    response.status,
    redactHeaders(response.headers, apiKey),
    redactText(text, apiKey),
    requestId,
  );
}

/** A promise that only rejects. Its rejection is handled, whether it takes part in a race any more or not. */
function withRejection(): { promise: Promise<never>; reject: (reason: Error) => void } {
  let reject!: (reason: Error) => void;
  const promise = new Promise<never>((_resolve, rejects) => (reject = rejects));
  promise.catch(() => {});
  return { promise, reject };
}
