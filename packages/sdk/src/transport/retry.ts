import { isInDoubt, type State } from './attempt.ts';
import { ApiError, KontorError, RateLimitError } from '../errors.ts';

/** The longest wait that the client chooses itself is a chance between 0 and these milliseconds, doubled with each failure. */
const backoff = { first: 500, longest: 8000 };

interface Situation {
  readonly state: State;
  /** Failed attempts, this one included, without those that the quota rejected. */
  readonly failures: number;
  readonly maxRetries: number;
  /** Milliseconds for waiting, before too little time is left for another attempt. */
  readonly remaining: number;
  /** The shortest wait. Default: none. */
  readonly minWait?: number;
}

/** How many milliseconds to wait before the next attempt; null when there is none. The pacer waits for the quota, after 429. */
export function planRetry(
  error: unknown,
  { state, failures, maxRetries, remaining, minWait = 0 }: Situation,
  random = Math.random,
): number | null {
  if (maxRetries === 0 || remaining < 0 || !(error instanceof KontorError)) return null;
  if (error instanceof RateLimitError) return 0;
  // A write in doubt is repeated until its deadline.
  if (failures > maxRetries && !isInDoubt(state)) return null;
  const asked = error instanceof ApiError ? (readRetryAfter(error.headers) ?? 0) : 0;
  const longest = Math.min(backoff.longest, backoff.first * 2 ** (failures - 1));
  const wait = Math.max(asked, minWait, random() * longest);
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
