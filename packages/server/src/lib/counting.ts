import type { Logger } from 'pino';
import { Redis } from 'ioredis';

/** What was counted under a name in the present window. */
export interface Counted {
  readonly count: number;
  /** Milliseconds until the window ends and counting begins again. */
  readonly milliseconds: number;
}

/** Counts things by name, each in a window that begins with the first of them. */
export interface Counting {
  /** Counts one more under the name, in a window of so many seconds. Never rejects. */
  add(name: string, seconds: number): Promise<Counted>;
  /** Takes one back of what is counted under the name; the window ends with the last one. Never rejects. */
  giveBack(name: string): Promise<void>;
  /** Ends the window of the name. Never rejects. */
  reset(name: string): Promise<void>;
  close(): void;
}

/** How long Redis may take for a request, and how long it is left alone once it failed; in milliseconds. */
const redisTimeout = 500;
const redisPause = 1000;

interface Window {
  count: number;
  readonly expiresAt: number;
  readonly timer: NodeJS.Timeout;
}

/** Counts in this process. Each function does its work at once, so that calls at the same time cannot mix. */
export function memoryCounting(): Counting {
  const windows = new Map<string, Window>();
  const end = (name: string) => {
    clearTimeout(windows.get(name)?.timer);
    windows.delete(name);
  };
  const begin = (name: string, seconds: number): Window => {
    end(name);
    const timer = setTimeout(() => windows.delete(name), seconds * 1000).unref();
    const window = { count: 0, expiresAt: Date.now() + seconds * 1000, timer };
    windows.set(name, window);
    return window;
  };
  return {
    async add(name, seconds) {
      let window = windows.get(name);
      // A timer may be late.
      if (window === undefined || window.expiresAt <= Date.now()) window = begin(name, seconds);
      return { count: ++window.count, milliseconds: window.expiresAt - Date.now() };
    },
    async giveBack(name) {
      const window = windows.get(name);
      if (window && --window.count <= 0) end(name);
    },
    async reset(name) {
      end(name);
    },
    close() {},
  };
}

/** {@link Counting.add} in one step, since other processes count at the same time. */
const addScript = `
  local count = redis.call('incr', KEYS[1])
  if count == 1 then redis.call('pexpire', KEYS[1], ARGV[1]) end
  return { count, redis.call('pttl', KEYS[1]) }`;

/** {@link Counting.giveBack} in one step. Nothing is taken back of a name that is not there: its window has ended. */
const giveBackScript = `
  local count = tonumber(redis.call('get', KEYS[1]) or 0)
  if count > 1 then redis.call('decr', KEYS[1]) else redis.call('del', KEYS[1]) end`;

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
    commandTimeout: redisTimeout,
    connectTimeout: 2000,
    lazyConnect: true,
    retryStrategy: attempt => Math.min(attempt * 100, 1000),
    keyPrefix: 'kontor:',
  });
  const own = memoryCounting();
  let failedAt: number | null = null;
  // Without a listener an error of the connection would end the process; the next request notices and logs it.
  client.on('error', () => {});
  await client.connect().catch(() => {});

  /** Does it in Redis, or in this process while Redis fails. */
  async function run<T>(inRedis: () => Promise<T>, here: () => Promise<T>): Promise<T> {
    if (failedAt !== null && performance.now() - failedAt < pause) return here();
    try {
      const result = await inRedis();
      if (failedAt !== null) logger.info('quota: Redis answers again, quotas are shared');
      failedAt = null;
      return result;
    } catch (error) {
      if (failedAt === null)
        logger.error(
          { reason: (error as Error).message },
          'quota: Redis does not answer, each process counts on its own meanwhile',
        );
      failedAt = performance.now();
      return here();
    }
  }

  async function addInRedis(name: string, seconds: number): Promise<Counted> {
    const answer = await client.eval(addScript, 1, name, seconds * 1000);
    const [count, milliseconds] = answer as [number, number];
    return { count, milliseconds };
  }

  const discard = async (work: Promise<unknown>) => void (await work);
  return {
    add: (name, seconds) =>
      run(
        () => addInRedis(name, seconds),
        () => own.add(name, seconds),
      ),
    giveBack: name =>
      run(
        () => discard(client.eval(giveBackScript, 1, name)),
        () => own.giveBack(name),
      ),
    reset: name =>
      run(
        () => discard(client.del(name)),
        () => own.reset(name),
      ),
    close: () => client.disconnect(),
  };
}
