import type { Logger } from 'pino';
import { Redis } from 'ioredis';
import { type RateLimiterAbstract, RateLimiterMemory, RateLimiterRedis } from 'rate-limiter-flexible';

/** What was counted under a name in the present window. */
export interface Counted {
  readonly count: number;
  /** Milliseconds until the window ends and counting begins anew. */
  readonly milliseconds: number;
}

/** Counts things by name, each in a window that begins with the first of them. */
export interface Counting {
  /** Counts one more under the name, in a window of so many seconds. Never rejects. */
  add(name: string, seconds: number): Promise<Counted>;
  close(): void;
}

/** How long Redis may take for a request, and how long it is left alone once it failed; in milliseconds. */
const redisPatience = 500;
const redisPause = 1000;

// The limiters only count; whether a count is too high is decided by who asks.
const settings = { points: Number.MAX_SAFE_INTEGER, duration: 60, keyPrefix: 'kontor' };

/** Counts in this process. */
export function memoryCounting(): Counting {
  const limiter = new RateLimiterMemory(settings);
  return { add: (name, seconds) => addTo(limiter, name, seconds), close() {} };
}

/**
 * Counts in a Redis (or Valkey) that processes share. While it fails, each process counts on its own, which is logged when it
 * begins and when it ends; `pause` is how long a Redis that failed is left alone, in milliseconds.
 * Resolves when Redis is connected, or has failed to in time.
 */
export async function redisCounting(
  url: string,
  logger: Logger,
  pause: number = redisPause,
): Promise<Counting> {
  const client = new Redis(url, {
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    commandTimeout: redisPatience,
    connectTimeout: 2000,
    lazyConnect: true,
    retryStrategy: attempt => Math.min(attempt * 100, 1000),
  });
  const shared = new RateLimiterRedis({ ...settings, storeClient: client, rejectIfRedisNotReady: true });
  const own = new RateLimiterMemory(settings);
  let failedAt: number | null = null;
  // Without a listener an error of the connection would end the process; the next request notices and logs it.
  client.on('error', () => {});
  await client.connect().catch(() => {});

  return {
    async add(name, seconds) {
      if (failedAt !== null && performance.now() - failedAt < pause) return addTo(own, name, seconds);
      try {
        const counted = await addTo(shared, name, seconds);
        if (failedAt !== null) logger.info('quota: Redis answers again, quotas are shared');
        failedAt = null;
        return counted;
      } catch (error) {
        if (failedAt === null)
          logger.error(
            { reason: (error as Error).message },
            'quota: Redis does not answer, each process counts on its own meanwhile',
          );
        failedAt = performance.now();
        return addTo(own, name, seconds);
      }
    },
    close: () => client.disconnect(),
  };
}

async function addTo(limiter: RateLimiterAbstract, name: string, seconds: number): Promise<Counted> {
  const { consumedPoints, msBeforeNext } = await limiter.consume(name, 1, { customDuration: seconds });
  return { count: consumedPoints, milliseconds: msBeforeNext };
}
