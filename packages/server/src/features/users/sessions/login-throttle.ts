import { createHmac } from 'node:crypto';
import { ApiError } from '@kontor/contract';
import { emailKey } from '../../../lib/email-key.ts';
import type { Counting } from '../../../lib/counting.ts';
import type { Pepper } from '../../../auth/secrets.ts';
import { RejectedError } from '../../../auth/rejection.ts';
import { networkOf } from '../../../lib/network.ts';
import { deviceCookieName, deviceOf } from './cookies.ts';

/*
 * Limits how often a password is guessed (OWASP: Blocking Brute Force Attacks, device cookies). States of an attempt:
 *
 * known    The browser has signed in to the account before, and its device cookie has fewer than 5 failures in 15 minutes.
 *          The attempt is allowed, whatever other clients have done. A failure counts for the device only.
 * open     The email has fewer than 5 failures in 15 minutes from this network, and fewer than 100 in an hour from all networks.
 *          The attempt is allowed. A failure counts for the network and for the account.
 * limited  Any other. 429: no password is hashed, no statement is sent, and nothing is counted.
 *
 * An attempt is counted before it begins, so concurrent attempts cannot exceed a limit. It is uncounted after a success and after a
 * failure of the service. A success resets the counters of its network and device. Nothing depends on whether the account exists.
 */
export const loginLimits = {
  device: { failures: 5, seconds: 900 },
  network: { failures: 5, seconds: 900 },
  account: { failures: 100, seconds: 3600 },
};

export interface Counters {
  readonly counting: Counting;
  readonly pepper: Pepper;
}

export interface Browser {
  readonly address: string;
  /** The value of a cookie; undefined when it is missing or sent twice. */
  readonly cookieOf: (name: string) => string | undefined;
}

export interface Claim {
  /** Passwords and passkeys have separate counters, so failures with one do not block the other. */
  readonly by: 'password' | 'passkey';
  /** The email, or the user handle of a passkey. The account need not exist. */
  readonly account: string;
  /** The email of the device cookie; null when a passkey's user is unknown. */
  readonly email: string | null;
}

export function passwordOf(email: string): Claim {
  return { by: 'password', account: emailKey(email), email };
}

interface Counter {
  readonly of: keyof typeof loginLimits;
  readonly name: string;
}

/**
 * Runs an attempt within the limits. {@link RejectedError} counts as a failed attempt, any other error as a failure of the service.
 * `attempt` receives the client for the hash queue: a known device, or else the network.
 * @throws ApiError RATE_LIMIT_EXCEEDED; errors of the attempt
 */
export async function limitFailures<T>(
  counters: Counters,
  claim: Claim,
  browser: Browser,
  attempt: (client: string) => Promise<T>,
): Promise<T> {
  const { counting } = counters;
  const { device, network, account } = countersOf(counters, claim, browser);
  const isKnown = device !== null && (await reserve(counting, [device])) === null;
  const reserved = isKnown ? [device] : [network, account];
  const exceeded = isKnown ? null : await reserve(counting, reserved);
  if (exceeded) throw limitExceeded(claim, exceeded);
  try {
    const result = await attempt(isKnown ? device.name : networkOf(browser.address));
    const failures = [network, ...(device ? [device] : [])];
    await Promise.all(failures.map(({ name }) => counting.reset(name)));
    if (!isKnown) await counting.giveBack(account.name);
    return result;
  } catch (error) {
    if (!(error instanceof RejectedError)) await giveBack(counting, reserved);
    throw error;
  }
}

function countersOf(
  { pepper }: Counters,
  { by, account, email }: Claim,
  { address, cookieOf }: Browser,
): { device: Counter | null; network: Counter; account: Counter } {
  // Counters may be stored in Redis, which must not receive personal data.
  const hashed = createHmac('sha256', pepper).update(`sign-in ${by} ${account}`).digest('base64url');
  const nonce = email === null ? null : deviceOf(pepper, cookieOf(deviceCookieName), email);
  return {
    device: nonce === null ? null : { of: 'device', name: `sign-in:${by}:device:${nonce}` },
    network: { of: 'network', name: `sign-in:${hashed}:${networkOf(address)}` },
    account: { of: 'account', name: `sign-in:${hashed}` },
  };
}

interface Exceeded extends Counter {
  readonly milliseconds: number;
}

/** Increments all counters. If one exceeds its limit, it is returned and none stays incremented. */
async function reserve(counting: Counting, counters: readonly Counter[]): Promise<Exceeded | null> {
  for (const [i, counter] of counters.entries()) {
    const { failures, seconds } = loginLimits[counter.of];
    const { count, milliseconds } = await counting.add(counter.name, seconds);
    if (count <= failures) continue;
    await giveBack(counting, counters.slice(0, i + 1));
    return { ...counter, milliseconds };
  }
  return null;
}

async function giveBack(counting: Counting, counters: readonly Counter[]): Promise<void> {
  await Promise.all(counters.map(({ name }) => counting.giveBack(name)));
}

const advice = {
  password: {
    account: 'for this email',
    instead: "use a browser that has signed in before, a passkey, or 'Forgot password'",
  },
  passkey: {
    account: 'with passkeys of this user',
    instead: 'use a browser that has signed in before, or the password',
  },
};

function limitExceeded({ by }: Claim, { of, milliseconds }: Exceeded): ApiError {
  const retryAfter = Math.max(1, Math.ceil(milliseconds / 1000));
  const { account, instead } = advice[by];
  const from = of === 'account' ? '' : ' from your network';
  return new ApiError(
    'RATE_LIMIT_EXCEEDED',
    `Too many failed sign-ins ${account}${from}; wait ${retryAfter} seconds, or ${instead}`,
    { retryAfter },
  );
}
