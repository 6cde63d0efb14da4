import type { Logger } from 'pino';

export interface Counted {
  readonly count: number;
  /** Milliseconds until the window ends and counting starts again. */
  readonly milliseconds: number;
}

/** Counts by name. The first count of a name starts its window. */
export interface Counting {
  /** Adds one to the count of the name, in a window of so many seconds. Never rejects. */
  add(name: string, seconds: number): Promise<Counted>;
  /** Subtracts one from the count; at zero the window ends. Never rejects. */
  giveBack(name: string): Promise<void>;
  /** Ends the window of the name. Never rejects. */
  reset(name: string): Promise<void>;
  close(): void;
}

/** Timeout of a request to Redis, and how long no request is sent after a failure; in milliseconds. */
const redisTimeout = 500;
const redisPause = 1000;

interface Window {
  count: number;
  readonly expiresAt: number;
  readonly timer: NodeJS.Timeout;
}

/** Counts in this process. Each function has no `await`, so concurrent calls cannot interleave. */
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

/** {@link Counting.add} as one atomic step, since other processes count at the same time. */
const addScript = `
  local count = redis.call('incr', KEYS[1])
  if count == 1 then redis.call('pexpire', KEYS[1], ARGV[1]) end
  return { count, redis.call('pttl', KEYS[1]) }`;

/** {@link Counting.giveBack} as one atomic step. A missing name stays missing: its window has ended. */
const giveBackScript = `
  local count = tonumber(redis.call('get', KEYS[1]) or 0)
  if count > 1 then redis.call('decr', KEYS[1]) else redis.call('del', KEYS[1]) end`;

/**
 * While Redis fails, each process counts alone and tries Redis again after `pause` milliseconds. The start and the end of that are logged.
 * Resolves when Redis is connected, or failed to connect in time.
 */
export async function redisCounting(
  url: string,
  logger: Logger,
  pause: number = redisPause,
): Promise<Counting> {
  // Loaded here, as most services have no Redis: the client costs each start 40 ms.
  const { Redis } = await import('ioredis');
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
  // Without a listener a connection error would end the process. The next request detects and logs it.
  client.on('error', () => {});
  await client.connect().catch(() => {});

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
          'quota: Redis does not answer; each process counts on its own until it does',
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
