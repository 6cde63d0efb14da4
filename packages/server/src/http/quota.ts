import type { Logger } from 'pino';
import { Redis } from 'ioredis';
import { type RateLimiterAbstract, RateLimiterMemory, RateLimiterRedis } from 'rate-limiter-flexible';

/** At most `requests` in a window of `seconds`, which begins with the first of them. */
export interface QuotaPolicy {
  readonly requests: number;
  readonly seconds: number;
}

/** What one request found: whether it may pass, and what is left for the next ones. */
export interface QuotaState {
  readonly allowed: boolean;
  readonly policy: QuotaPolicy;
  /** Requests left in the window. */
  readonly remaining: number;
  /** Whole seconds, at least 1, until the window ends and all requests are available again. */
  readonly resetSeconds: number;
}

export interface Quota {
  /** Counts one request of a key, by its own policy or else the default one. Never rejects. */
  consume(keyId: string, policy: QuotaPolicy | null): Promise<QuotaState>;
  close(): Promise<void>;
}

/** How long Redis may take for a request, and how long it is left alone once it failed; in milliseconds. */
const redisPatience = 500;
const redisPause = 1000;

// The limiters only count; whether a count is too high is decided here, as every key may have a policy of its own.
const counting = { points: Number.MAX_SAFE_INTEGER, duration: 60, keyPrefix: 'kontor:quota' };

/** A quota that is counted in this process. */
export function memoryQuota(defaultPolicy: QuotaPolicy): Quota {
  const limiter = new RateLimiterMemory(counting);
  return {
    consume: async (keyId, policy) => count(limiter, keyId, policy ?? defaultPolicy),
    close: async () => {},
  };
}

/**
 * A quota that all processes with the same Redis (or Valkey) share. While Redis fails, each process counts on its own,
 * which is logged when it begins and when it ends; `pause` is how long a Redis that failed is left alone, in milliseconds.
 * Resolves when Redis is connected, or has failed to in time.
 */
export async function redisQuota(
  url: string,
  defaultPolicy: QuotaPolicy,
  logger: Logger,
  pause: number = redisPause,
): Promise<Quota> {
  const client = new Redis(url, {
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    commandTimeout: redisPatience,
    connectTimeout: 2000,
    lazyConnect: true,
    retryStrategy: attempt => Math.min(attempt * 100, 1000),
  });
  const shared = new RateLimiterRedis({ ...counting, storeClient: client, rejectIfRedisNotReady: true });
  const own = new RateLimiterMemory(counting);
  let failedAt: number | null = null;
  // Without a listener an error of the connection would end the process; the next request notices and logs it.
  client.on('error', () => {});
  await client.connect().catch(() => {});

  async function consume(keyId: string, policy: QuotaPolicy): Promise<QuotaState> {
    if (failedAt !== null && performance.now() - failedAt < pause) return count(own, keyId, policy);
    try {
      const state = await count(shared, keyId, policy);
      if (failedAt !== null) logger.info('quota: Redis answers again, quotas are shared');
      failedAt = null;
      return state;
    } catch (error) {
      if (failedAt === null)
        logger.error(
          { reason: (error as Error).message },
          'quota: Redis does not answer, each process counts on its own meanwhile',
        );
      failedAt = performance.now();
      return count(own, keyId, policy);
    }
  }
  return {
    consume: (keyId, policy) => consume(keyId, policy ?? defaultPolicy),
    close: async () => client.disconnect(),
  };
}

async function count(limiter: RateLimiterAbstract, keyId: string, policy: QuotaPolicy): Promise<QuotaState> {
  const { consumedPoints, msBeforeNext } = await limiter.consume(keyId, 1, {
    customDuration: policy.seconds,
  });
  return {
    allowed: consumedPoints <= policy.requests,
    policy,
    remaining: Math.max(0, policy.requests - consumedPoints),
    resetSeconds: Math.max(1, Math.ceil(msBeforeNext / 1000)),
  };
}

/** `RateLimit-Policy` and `RateLimit` (draft-ietf-httpapi-ratelimit-headers-11, sections 3 and 4). */
export function quotaHeaders({
  policy,
  remaining,
  resetSeconds,
}: QuotaState): [policy: string, state: string] {
  return [`"default";q=${policy.requests};w=${policy.seconds}`, `"default";r=${remaining};t=${resetSeconds}`];
}
