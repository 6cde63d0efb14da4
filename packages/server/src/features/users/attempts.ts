import { ApiError } from '@kontor/contract';
import type { Counting } from '../../http/counting.ts';
import { networkOf } from '../../http/network.ts';

/** Most challenges that somebody may have made in so many seconds: a session, or a network where nobody is signed in. */
export const challengeLimit = { attempts: 100, seconds: 900 };

/** Counts that something was begun, by a session or, where nobody is signed in, a network. @throws ApiError RATE_LIMIT_EXCEEDED. */
export function countBeginning(
  { counting }: { counting: Counting },
  sessionId: string,
  address: string,
): Promise<void> {
  return count(counting, `begun:${sessionId || networkOf(address)}`, challengeLimit);
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
