import assert from 'node:assert/strict';
import { describe, mock, test } from 'node:test';
import { pino } from 'pino';
import { memoryCounting, redisCounting } from '../../src/lib/counting.ts';
import { type Quota, quotaOf } from '../../src/http/admission.ts';
import { findFreePort } from '../support/service/free-port.ts';
import { noRedis, withRedis } from '../support/servers/redis.ts';
import { keys, type StubService, newEmployee, stubService, tenantA } from './stub-service.ts';

const hundred = { requests: 100, seconds: 60 };

async function withService(quota: Quota, use: (service: StubService) => Promise<void>): Promise<void> {
  const service = await stubService({ quota });
  try {
    await use(service);
  } finally {
    await service.close();
  }
}

/** Sends 400 requests at once and asserts that exactly 100 pass. */
async function assertExactlyHundredPass(services: StubService[]): Promise<void> {
  const answers = await Promise.all(
    Array.from({ length: 400 }, (_, i) => services[i % services.length]!.client.get('/employees')),
  );
  const passed = answers.filter(answer => answer.status === 200);
  const rejected = answers.filter(answer => answer.status === 429);
  assert.deepEqual([passed.length, rejected.length], [100, 300]);
  const left = passed.map(answer => Number(/r=(\d+)/.exec(String(answer.headers['ratelimit']))![1]));
  assert.deepEqual(
    left.toSorted((a, b) => a - b),
    Array.from({ length: 100 }, (_, i) => i),
  );
  for (const { body, headers } of rejected) {
    assert.equal(body.error.code, 'RATE_LIMIT_EXCEEDED');
    assert.match(String(headers['retry-after']), /^[1-9][0-9]*$/);
    assert.match(String(headers['ratelimit']), /^"default";r=0;t=[1-9]/);
  }
}

test('400 requests at once against a quota of 100 let exactly 100 through, in memory', () =>
  withService(quotaOf(memoryCounting(), hundred), service => assertExactlyHundredPass([service])));

describe('the quota headers', () => {
  test('have the policy of the key, or the default one', () =>
    withService(quotaOf(memoryCounting(), { requests: 600, seconds: 60 }), async ({ client }) => {
      const ordinary = await client.get('/employees');
      assert.equal(ordinary.headers['ratelimit-policy'], '"default";q=600;w=60');
      assert.match(String(ordinary.headers['ratelimit']), /^"default";r=599;t=(60|59)$/);
      const own = await client.get('/employees', { key: keys.small });
      assert.equal(own.headers['ratelimit-policy'], '"default";q=3;w=60');
      assert.match(String(own.headers['ratelimit']), /^"default";r=2;t=/);
    }));

  test('go out with 2xx, 403, 404 and 429, and not with 400, 401, 406, 413, 415, 500, health and unknown routes', async () => {
    const service = await stubService({
      defaultQuota: { requests: 9, seconds: 60 },
      handlers: {
        getEmployee: async () => {
          throw new Error('broken');
        },
      },
    });
    const { client } = service;
    const has = (answer: { headers: object }) =>
      'ratelimit' in answer.headers && 'ratelimit-policy' in answer.headers;
    const create = (type: string, bytes: number) =>
      client.request('POST', '/employees', { headers: { 'content-type': type }, raw: 'x'.repeat(bytes) });
    const withQuota = [
      await client.get('/employees'),
      await client.post('/employees', newEmployee),
      await client.get('/employees', { tenant: 'f'.repeat(24) }),
    ];
    assert.deepEqual(
      withQuota.map(answer => [answer.status, has(answer)]),
      [
        [200, true],
        [201, true],
        [403, true],
      ],
    );
    const without = [
      await client.get('/employees?page=0'),
      await client.get('/employees', { headers: { accept: 'text/html' } }),
      await create('text/plain', 1),
      await create('application/json', 6_000_000),
      await client.get('/employees/65f0c0ffee0123456789abcd'),
      await client.get('/employees', { key: 'wrong' }),
      await client.get('/health'),
      await client.get('/nothing'),
    ];
    assert.deepEqual(
      without.map(answer => [answer.status, has(answer)]),
      [400, 406, 415, 413, 500, 401, 200, 404].map(status => [status, false]),
    );
    // Eight requests were authenticated, bad ones included: one is left.
    assert.equal((await client.get('/employees')).status, 200);
    const rejected = await client.get('/employees', { tenant: tenantA });
    assert.deepEqual([rejected.status, has(rejected)], [429, true]);
    await service.close();
  });
});

test('each key has a quota of its own', () =>
  withService(quotaOf(memoryCounting(), { requests: 1, seconds: 60 }), async ({ client }) => {
    assert.equal((await client.get('/employees')).status, 200);
    assert.equal((await client.get('/employees')).status, 429);
    assert.equal((await client.get('/employees', { key: keys.tenantA })).status, 200);
  }));

test('waiting Retry-After seconds succeeds, also when the window began in the middle of a second', async () => {
  mock.timers.enable({ apis: ['Date', 'setTimeout'], now: 1_000_000_000_123 });
  try {
    const quota = quotaOf(memoryCounting(), { requests: 1, seconds: 10 });
    await quota.consume('key', null);
    mock.timers.tick(3_656);
    const rejected = await quota.consume('key', null);
    assert.deepEqual([rejected.allowed, rejected.resetSeconds], [false, 7]);
    mock.timers.tick(rejected.resetSeconds * 1000);
    assert.equal((await quota.consume('key', null)).allowed, true);
  } finally {
    mock.timers.reset();
  }
});

describe('over Redis', { skip: noRedis }, () => {
  test('400 requests at once against a quota of 100 let exactly 100 through, over two services', () =>
    withRedis(async redis => {
      const logger = pino({ level: 'silent' });
      const one = await redisCounting(redis.url, logger);
      const two = await redisCounting(redis.url, logger);
      const quotas = [quotaOf(one, hundred), quotaOf(two, hundred)] as const;
      await withService(quotas[0], a => withService(quotas[1], b => assertExactlyHundredPass([a, b])));
      one.close();
      two.close();
    }));

  test('the window ends after its seconds', () =>
    withRedis(async redis => {
      const counting = await redisCounting(redis.url, pino({ level: 'silent' }));
      const quota = quotaOf(counting, { requests: 1, seconds: 1 });
      assert.equal((await quota.consume('key', null)).allowed, true);
      let state = await quota.consume('key', null);
      assert.deepEqual([state.allowed, state.resetSeconds], [false, 1]);
      while (!state.allowed) state = await quota.consume('key', null);
      assert.equal(state.remaining, 0);
      counting.close();
    }));

  test('while Redis is away each process counts on its own, which is logged once, and once when it is back', () =>
    withRedis(async redis => {
      const log: { level: number; msg: string }[] = [];
      const logger = pino({}, { write: (line: string) => void log.push(JSON.parse(line)) });
      const counting = await redisCounting(redis.url, logger, 0);
      const quota = quotaOf(counting, { requests: 3, seconds: 60 });
      assert.equal((await quota.consume('key', null)).remaining, 2);
      await redis.stop();
      const own = [];
      for (let i = 0; i < 5; i++) own.push((await quota.consume('key', null)).allowed);
      assert.deepEqual(own, [true, true, true, false, false]);
      assert.deepEqual(
        log.map(line => line.level),
        [50],
      );
      await redis.start();
      while (log.length < 2) {
        await quota.consume('key', null);
        await new Promise(setImmediate);
      }
      assert.deepEqual(
        log.map(line => line.level),
        [50, 30],
      );
      counting.close();
    }));

  test('a Redis that is not there at the start is counted without', async () => {
    const port = await findFreePort();
    const counting = await redisCounting(`redis://127.0.0.1:${port}`, pino({ level: 'silent' }));
    const quota = quotaOf(counting, { requests: 1, seconds: 60 });
    assert.equal((await quota.consume('key', null)).allowed, true);
    assert.equal((await quota.consume('key', null)).allowed, false);
    counting.close();
  });
});
