import { ApiError } from '@kontor/contract';
import type { Counting } from '../../lib/counting.ts';

interface Limit {
  readonly attempts: number;
  readonly seconds: number;
}

/**
 * Counts an attempt under the counter `name`, before anything is known of its client. A write of a signed-in user limits itself
 * instead, see `checkHourlyLimit`.
 * @throws ApiError RATE_LIMIT_EXCEEDED above the limit
 */
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
