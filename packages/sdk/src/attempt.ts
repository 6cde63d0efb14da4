import { readText } from './body.ts';
import { ConnectionError, errorOf, KontorError, TimeoutError } from './errors.ts';
import type { AttemptEvent, Fetch, FetchInit } from './options.ts';
import { redactError, redactHeaders, redactText } from './redact.ts';
import { isNeverConnected } from './retry.ts';
import { startTimer } from './sleep.ts';

/** Reads a success. The attempt ends when it resolves; `abort` closes the connection also later. */
export type Read<T> = (response: Response, abort: AbortController, event: AttemptEvent) => Promise<T>;

/** Bytes of the body of an error. */
const maxErrorBytes = 2 ** 16;

export interface AttemptOptions {
  readonly fetch: Fetch;
  readonly baseUrl: string;
  /** Texts that no error may have. */
  readonly secrets: readonly string[];
  readonly event: AttemptEvent;
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
  init: Omit<FetchInit, 'signal'>,
  read: Read<T>,
  options: AttemptOptions,
): Promise<T> {
  const { secrets, signal } = options;
  const { requestId } = options.event;
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
    const cause = redactError(error, secrets);
    throw new ConnectionError(requestId, cause, isNeverConnected(cause));
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', abort);
  }
}

async function fetchAndRead<T>(
  url: string,
  init: FetchInit,
  read: Read<T>,
  { fetch, baseUrl, secrets, event, onHeaders }: AttemptOptions,
  controller: AbortController,
): Promise<T> {
  const response = (await fetch(url, init)) as Response;
  onHeaders(response);
  if (response.ok) return read(response, controller, event);
  // The status says whether the service rejected the request, also if its body breaks off or is too long.
  const text = await readText(response, maxErrorBytes).catch(() => null);
  const source = { status: response.status, headers: redactHeaders(response.headers, secrets), baseUrl };
  throw errorOf(source, redactText(text ?? '', secrets), event.requestId);
}

/** A promise that only rejects. Its rejection is handled, whether it takes part in a race any more or not. */
function withRejection(): { promise: Promise<never>; reject: (reason: Error) => void } {
  let reject!: (reason: Error) => void;
  const promise = new Promise<never>((_resolve, rejects) => (reject = rejects));
  promise.catch(() => {});
  return { promise, reject };
}
