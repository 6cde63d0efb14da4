import { readText } from '../body.ts';
import {
  ApiError,
  codeOf,
  ConnectionError,
  errorOf,
  KontorError,
  RateLimitError,
  TimeoutError,
} from '../errors.ts';
import type { AttemptEvent, Fetch, FetchInit } from '../options.ts';
import { redactError, redactHeaders, redactText } from '../redact.ts';
import { startTimer } from './sleep.ts';

/**
 * The state of a call before an attempt. `read`: it stores nothing. `once`: a write that would be stored again. `write`: a write that the
 * service recognizes, and that is not stored. `lost`: one that may be stored, or is being stored. `settled`: one that may be stored, and
 * which the service has ended.
 */
export type State = 'read' | 'once' | 'write' | 'lost' | 'settled';

/** How a call ends that is not repeated: with the error of its last attempt, or as a write with an unknown outcome. */
export type End = 'failed' | 'unknown';

/**
 * How an attempt failed. `unsent`: nothing left this machine. `quota`: 429. `lost`: no answer, or 5xx. `rejected`: the service has
 * stored neither this attempt nor one that it ended before. `denied`: it has not stored this attempt. `foreign`: a success that is not
 * Kontor's, or an abort.
 */
export type Failure = 'unsent' | 'quota' | 'lost' | 'rejected' | 'denied' | 'foreign';

/**
 * The next state of a call after a failed attempt: then the call is repeated. If no time is left for that, it ends: `lost` and `settled` as
 * `unknown`, the others as `failed`. A rejected `lost` write is repeated when it is settled: the service may have read before it stored.
 */
// prettier-ignore
export const transitions: Readonly<Record<State, Readonly<Record<Failure, State | End>>>> = {
  read:    { unsent: 'read',    quota: 'read',    lost: 'read',    rejected: 'failed', denied: 'failed',  foreign: 'failed' },
  once:    { unsent: 'once',    quota: 'once',    lost: 'unknown', rejected: 'failed', denied: 'failed',  foreign: 'unknown' },
  write:   { unsent: 'write',   quota: 'write',   lost: 'lost',    rejected: 'failed', denied: 'failed',  foreign: 'unknown' },
  lost:    { unsent: 'lost',    quota: 'lost',    lost: 'lost',    rejected: 'lost',   denied: 'unknown', foreign: 'unknown' },
  settled: { unsent: 'settled', quota: 'settled', lost: 'lost',    rejected: 'failed', denied: 'unknown', foreign: 'unknown' },
};

export const isInDoubt = (state: State | End) =>
  state === 'lost' || state === 'settled' || state === 'unknown';
export const hasEnded = (state: State | End): state is End => state === 'failed' || state === 'unknown';

/**
 * Statuses of `rejected`: the service first looks for an earlier attempt, or rejects each attempt for its form. Not among them are 401 and
 * 403, which come before that, and 404, with which the service also hides what an earlier attempt has stored.
 */
const rejections: readonly number[] = [400, 406, 409, 413, 415, 422];

/** How an attempt failed that called `fetch`, or did not. */
export function failureOf(error: unknown, isSent: boolean): Failure {
  if (!isSent || (error instanceof ConnectionError && error.neverSent)) return 'unsent';
  if (error instanceof RateLimitError) return 'quota';
  if (error instanceof KontorError && error.retryable) return 'lost';
  if (!(error instanceof ApiError)) return 'foreign';
  return rejections.includes(error.status) && error.code !== 'UNEXPECTED_ANSWER' ? 'rejected' : 'denied';
}

/** Errors of a connection that was never made, or whose TLS handshake failed: nothing is sent before that. */
const neverConnected =
  /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|UND_ERR_CONNECT_TIMEOUT|ConnectionRefused|CERT_\w+|ERR_TLS_CERT_ALTNAME_INVALID|DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_\w+|ERR_SSL_WRONG_VERSION_NUMBER|ERR_SSL_\S+_ALERT_(PROTOCOL_VERSION|HANDSHAKE_FAILURE))$/;
/** The same in words, where there is no code, or only one of later errors as well: of Bun, of undici with a proxy, and of Deno. */
const neverConnectedWords =
  /^(EPROTO: The TLS handshake failed|Proxy response \(\d+\) !== 200 when HTTP Tunneling|proxy authentication required|error sending request for url \(.+\): client error \(Connect\))/i;

function isNeverConnected(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (neverConnected.test(codeOf(error) ?? '') || neverConnectedWords.test(error.message)) return true;
  return isNeverConnected(error.cause);
}

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
