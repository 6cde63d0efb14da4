import { ApiError } from '@kontor/contract';
import type { Counting } from '../../lib/counting.ts';
import { networkOf } from '../../http/request/client-address.ts';

/** Most challenges that somebody may have made in so many seconds: a session, or a network where nobody is signed in. */
export const challengeLimit = { attempts: 100, seconds: 900 };

/** Most invitations that one user may be sent, and most that an organization sends by the portal, each in so many seconds. */
export const invitationLimits = {
  ofUser: { attempts: 10, seconds: 3600 },
  ofOrganization: { attempts: 500, seconds: 3600 },
};

/** Most API keys that an organization makes by the portal in so many seconds. */
export const keyLimit = { attempts: 500, seconds: 3600 };

/** Counts that something was begun, by a session or, where nobody is signed in, a network. @throws ApiError RATE_LIMIT_EXCEEDED. */
export function countBeginning(
  { counting }: { counting: Counting },
  sessionId: string,
  address: string,
): Promise<void> {
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
