import { ApiError, codeOf, ConnectionError, KontorError, RateLimitError } from './errors.ts';

/** The longest wait that the client chooses itself is a chance between 0 and these milliseconds, doubled with each failure. */
const backoff = { first: 500, longest: 8000 };
/** Errors of a connection that was never made, or whose TLS handshake failed: nothing is sent before that. */
const neverConnected =
  /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|UND_ERR_CONNECT_TIMEOUT|ConnectionRefused|CERT_\w+|ERR_TLS_CERT_ALTNAME_INVALID|DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_\w+|ERR_SSL_WRONG_VERSION_NUMBER|ERR_SSL_\S+_ALERT_(PROTOCOL_VERSION|HANDSHAKE_FAILURE))$/;
/** The same in words, where there is no code, or only one of later errors as well: of Bun, of undici with a proxy, and of Deno. */
const neverConnectedWords =
  /^(EPROTO: The TLS handshake failed|Proxy response \(\d+\) !== 200 when HTTP Tunneling|proxy authentication required|error sending request for url \(.+\): client error \(Connect\))/i;

export function isNeverConnected(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (neverConnected.test(codeOf(error) ?? '') || neverConnectedWords.test(error.message)) return true;
  return isNeverConnected(error.cause);
}

/** Whether the service may have stored a write that ended so. */
export function isOutcomeUnknown(error: unknown): boolean {
  if (error instanceof ConnectionError) return !error.neverSent;
  if (error instanceof ApiError) return error.retryable && !(error instanceof RateLimitError);
  return true;
}

interface Situation {
  readonly isWrite: boolean;
  /** Failed attempts, this one included, without those that the quota rejected. */
  readonly failures: number;
  readonly maxRetries: number;
  /** Milliseconds for waiting, before too little time is left for another attempt. */
  readonly remaining: number;
}

/** How many milliseconds to wait before the next attempt; null when there is none. The pacer waits for the quota, after 429. */
export function planRetry(
  error: unknown,
  { isWrite, failures, maxRetries, remaining }: Situation,
  random = Math.random,
): number | null {
  if (maxRetries === 0 || !(error instanceof KontorError) || !error.retryable || remaining < 0) return null;
  if (error instanceof RateLimitError) return 0;
  if (failures > maxRetries || (isWrite && isOutcomeUnknown(error))) return null;
  const asked = error instanceof ApiError ? (readRetryAfter(error.headers) ?? 0) : 0;
  const wait = Math.max(asked, random() * Math.min(backoff.longest, backoff.first * 2 ** (failures - 1)));
  return wait <= remaining ? wait : null;
}

/** Milliseconds of `Retry-After`, in seconds from the service or a date from a proxy. */
export function readRetryAfter(headers: Headers): number | null {
  const text = headers.get('retry-after');
  if (text === null) return null;
  if (/^\d+$/.test(text)) return Number(text) * 1000;
  const date = Date.parse(text);
  return Number.isNaN(date) ? null : Math.max(0, date - Date.now());
}
