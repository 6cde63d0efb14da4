import { ApiError } from '@kontor/contract';
import type { Counting } from '../../lib/counting.ts';

interface Limit {
  readonly attempts: number;
  readonly seconds: number;
}

/** Limits of invitations sent through the portal, per invited user and per organization. */
export const invitationLimits = {
  ofUser: { attempts: 10, seconds: 3600 },
  ofOrganization: { attempts: 500, seconds: 3600 },
};

/** Limit of API keys that an organization creates through the portal. */
export const keyLimit = { attempts: 500, seconds: 3600 };

/** Counts an invitation. `userId` is null for a new user. @throws ApiError RATE_LIMIT_EXCEEDED */
export async function countInvitation(
  counting: Counting,
  organizationId: string,
  userId: string | null = null,
): Promise<void> {
  const { ofUser, ofOrganization } = invitationLimits;
  if (userId !== null) await count(counting, `invite:${organizationId}:${userId}`, ofUser, 'invitations');
  await count(counting, `invite:${organizationId}`, ofOrganization, 'invitations');
}

/** @throws ApiError RATE_LIMIT_EXCEEDED */
export function countKey(counting: Counting, organizationId: string): Promise<void> {
  return count(counting, `keys:${organizationId}`, keyLimit, 'new API keys');
}

/** Counts an attempt under the counter `name`. @throws ApiError RATE_LIMIT_EXCEEDED above the limit */
export async function count(
  counting: Counting,
  name: string,
  { attempts, seconds }: Limit,
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
