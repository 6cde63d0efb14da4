import { createHmac } from 'node:crypto';
import { ApiError } from '@kontor/contract';
import { emailKey } from '../../email-key.ts';
import type { Counting } from '../../http/counting.ts';
import { networkOf } from '../../http/failing-addresses.ts';

/** Most attempts to show the password of one e-mail, or a passkey of one user: from one network, and from all, each in so many seconds. */
export const attemptLimits = {
  ofNetwork: { attempts: 20, seconds: 900 },
  ofAll: { attempts: 100, seconds: 3600 },
};

/** Most challenges that somebody may have made in so many seconds: a session, or a network where nobody is signed in. */
export const challengeLimit = { attempts: 100, seconds: 900 };

/** Most invitations that one user may be sent, and most that an organization sends by the portal, each in so many seconds. */
export const invitationLimits = {
  ofUser: { attempts: 10, seconds: 3600 },
  ofOrganization: { attempts: 500, seconds: 3600 },
};

/** Most API keys that an organization makes by the portal in so many seconds. */
export const keyLimit = { attempts: 500, seconds: 3600 };

/** What attempts are counted with. */
interface Counters {
  readonly counting: Counting;
  readonly pepper: Buffer;
}

/**
 * Counts an attempt to show the password, whether it succeeds or not, and whether anybody has the e-mail: so a refusal tells nothing. Whoever
 * is locked out by a stranger can still sign in from elsewhere, until very many strangers try.
 * @throws ApiError RATE_LIMIT_EXCEEDED
 */
export function countAttempt(
  counters: Counters,
  { email, address }: { email: string; address: string },
): Promise<void> {
  return countFor(counters, `sign-in ${emailKey(email)}`, address);
}

/**
 * The same of a passkey, by what the authenticator calls its user. It is counted by itself, so that nobody is kept from the passkey by who
 * tries passwords.
 * @throws ApiError RATE_LIMIT_EXCEEDED
 */
export function countPasskeyAttempt(
  counters: Counters,
  { handle, address }: { handle: string; address: string },
): Promise<void> {
  return countFor(counters, `passkey ${handle}`, address);
}

/** Counts that something was begun, by a session or, where nobody is signed in, a network. @throws ApiError RATE_LIMIT_EXCEEDED. */
export function countBeginning({ counting }: Counters, sessionId: string, address: string): Promise<void> {
  return count(counting, `begun:${sessionId || networkOf(address)}`, challengeLimit);
}

/** Counts an invitation, which is a mail to an address that a user of the portal chooses. @throws ApiError RATE_LIMIT_EXCEEDED. */
export async function countInvitation(
  counting: Counting,
  { organizationId, userId }: { organizationId: string; userId: string | null },
): Promise<void> {
  const { ofUser, ofOrganization } = invitationLimits;
  if (userId !== null) await count(counting, `invite:${organizationId}:${userId}`, ofUser, 'invitations');
  await count(counting, `invite:${organizationId}`, ofOrganization, 'invitations');
}

/** Counts an API key that a user of the portal makes. @throws ApiError RATE_LIMIT_EXCEEDED. */
export function countKey(counting: Counting, organizationId: string): Promise<void> {
  return count(counting, `keys:${organizationId}`, keyLimit, 'new API keys');
}

async function countFor({ counting, pepper }: Counters, account: string, address: string): Promise<void> {
  // Counters may be in a Redis, which is no place for addresses of people.
  const name = createHmac('sha256', pepper).update(account).digest('base64url');
  await count(counting, `sign-in:${name}:${networkOf(address)}`, attemptLimits.ofNetwork);
  await count(counting, `sign-in:${name}`, attemptLimits.ofAll);
}

/** Counts one more under a name. @throws ApiError RATE_LIMIT_EXCEEDED when these are too many of it. */
export async function count(
  counting: Counting,
  name: string,
  { attempts, seconds }: { attempts: number; seconds: number },
  what = 'attempts to sign in',
): Promise<void> {
  const { count, milliseconds } = await counting.add(name, seconds);
  if (count <= attempts) return;
  const retryAfter = Math.max(1, Math.ceil(milliseconds / 1000));
  throw new ApiError(
    'RATE_LIMIT_EXCEEDED',
    `There were too many ${what}; wait ${retryAfter} seconds, as Retry-After says`,
    { retryAfter },
  );
}
