import type { TestContext } from 'node:test';
import type { Fetch, FetchInit } from '../../src/index.ts';

/** Milliseconds from a request to its answer. */
const latency = 20;
const step = 5;

/** A service with the quota of one key, on a clock that passes only while `run()` waits. */
export interface VirtualService {
  /** Sends a request to the service. */
  readonly fetch: Fetch;
  /** Sends a request as another program does that does not wait. Returns the status. */
  request(): Promise<number>;
  /** When requests arrived, in milliseconds from the start. */
  readonly arrivals: number[];
  /** Requests that were answered with 429. */
  rejected: number;
  quota: { requests: number; seconds: number } | null;
  now(): number;
  /** Lets time pass until the work has ended. */
  run<T>(work: Promise<T>): Promise<T>;
}

/** Mocks the clock and the timers of a test. The window of the quota begins with its first request, as that of Kontor does. */
export function virtualService(t: TestContext, quota: VirtualService['quota']): VirtualService {
  let now = 0;
  let window = { resetAt: 0, count: 0 };
  t.mock.timers.enable({ apis: ['setTimeout'] });
  t.mock.method(performance, 'now', () => now);
  t.mock.method(Math, 'random', () => 0);
  const service: VirtualService = {
    arrivals: [],
    rejected: 0,
    quota,
    now: () => now,
    async request() {
      return (await service.fetch('', {} as FetchInit)).status;
    },
    fetch: async () => {
      service.arrivals.push(now);
      const [status, headers] = count();
      await new Promise(resolve => setTimeout(resolve, latency));
      const error = { error: { code: 'RATE_LIMIT_EXCEEDED', message: 'a message' } };
      return Response.json(status === 429 ? error : { id }, {
        status,
        headers: { ...headers, 'content-type': 'application/json' },
      });
    },
    async run(work) {
      const state = { isOver: false };
      const end = () => void (state.isOver = true);
      void work.then(end, end);
      while (!state.isOver) {
        now += step;
        t.mock.timers.tick(step);
        await new Promise(setImmediate);
      }
      return work;
    },
  };

  function count(): [status: number, headers: Record<string, string>] {
    if (service.quota === null) return [200, {}];
    const { requests, seconds } = service.quota;
    if (now >= window.resetAt) window = { resetAt: now + seconds * 1000, count: 0 };
    window.count++;
    const reset = Math.ceil((window.resetAt - now) / 1000);
    const headers = {
      'ratelimit-policy': `"default";q=${requests};w=${seconds}`,
      ratelimit: `"default";r=${Math.max(0, requests - window.count)};t=${reset}`,
    };
    if (window.count <= requests) return [200, headers];
    service.rejected++;
    return [429, { ...headers, 'retry-after': String(reset) }];
  }

  return service;
}

/** The identifier of every resource that the service answers. */
export const id = '65f0c0ffee0123456789abcd';
