import assert from 'node:assert/strict';
import { describe, test, type TestContext } from 'node:test';
import { type Fetch, Kontor, type KontorOptions, RateLimitError, WriteOutcomeUnknown } from '../src/index.ts';
import { id, virtualService, type VirtualService } from './support/virtual-service.ts';

const clientOf = ({ fetch }: VirtualService, options: KontorOptions = {}) =>
  new Kontor({ apiKey: 'kontor_key', baseUrl: 'http://127.0.0.1', fetch, ...options });

/** Updates one employee so often, so many at once. */
async function update(kontor: Kontor, count: number, workers: number): Promise<void> {
  const numbers = Array.from({ length: count }, (_, number) => number).values();
  const work = async () => {
    for (const number of numbers) await kontor.employees.update(id, { city: `City ${number}` });
  };
  await Promise.all(Array.from({ length: workers }, work));
}

/** Starts a service with a quota and a client of it. */
function start(t: TestContext, requests: number, seconds: number) {
  const service = virtualService(t, { requests, seconds });
  return { service, kontor: clientOf(service) };
}

/** The maximum of arrivals in any so many milliseconds. */
function findMaxRate(arrivals: readonly number[], milliseconds: number): number {
  let first = 0;
  return arrivals.reduce((max, at, index) => {
    while (arrivals[first]! <= at - milliseconds) first++;
    return Math.max(max, index - first + 1);
  }, 0);
}

const findLargestGap = (arrivals: readonly number[]) =>
  Math.max(...arrivals.slice(1).map((at, index) => at - arrivals[index]!));

describe('writes that exceed the quota', () => {
  for (const workers of [1, 8, 300])
    test(`wait for it and all succeed, ${workers} at once`, async t => {
      const { service, kontor } = start(t, 300, 60);
      await service.run(update(kontor, 900, workers));
      assert.deepEqual([service.arrivals.length, service.rejected], [900, 0]);
      // Three windows are over when the last one has half of its quota left.
      assert.ok(service.now() < 190_000, `${service.now()} ms`);
    });
});

describe('requests are spread over the window', () => {
  test('from its half on, and evenly in the windows after it', async t => {
    const { service, kontor } = start(t, 600, 60);
    await service.run(update(kontor, 2400, 8));
    const later = service.arrivals.filter(at => at > 10_000);
    assert.ok(
      findMaxRate(later, 6000) <= 75,
      `${findMaxRate(later, 6000)} requests in a tenth of the window`,
    );
    assert.ok(findLargestGap(later) <= 2000, `${findLargestGap(later)} ms without a request`);
  });

  test('so that another program with the key is never rejected, also beside two clients', async t => {
    const { service, kontor } = start(t, 600, 60);
    const statuses: number[] = [];
    const state = { isOver: false };
    const poll = async () => {
      while (!state.isOver) {
        statuses.push(await service.request());
        await new Promise(resolve => setTimeout(resolve, 1000));
      }
    };
    const work = Promise.all([update(kontor, 1000, 8), update(clientOf(service), 1000, 8)]);
    await service.run(Promise.all([work.finally(() => (state.isOver = true)), poll()]));
    assert.ok(statuses.length > 150);
    assert.deepEqual(new Set(statuses), new Set([200]));
    assert.equal(service.rejected, 0);
  });

  test('but a few requests do not wait', async t => {
    const { service, kontor } = start(t, 600, 60);
    await service.run(update(kontor, 250, 8));
    assert.ok(service.now() < 2000);
  });
});

describe('a quota', () => {
  test('that is not known yet meets a few requests only', async t => {
    const { service, kontor } = start(t, 20, 10);
    await service.run(update(kontor, 200, 200));
    assert.ok(service.rejected <= 10, `${service.rejected} were rejected`);
  });

  for (const requests of [30, 900])
    test(`that changes to ${requests} in the meantime is followed`, async t => {
      const { service, kontor } = start(t, 300, 10);
      const work = update(kontor, 1200, 8);
      await service.run(Promise.race([work, new Promise(resolve => setTimeout(resolve, 15_000))]));
      service.quota = { requests, seconds: 10 };
      await service.run(work);
      assert.ok(service.rejected <= 16, `${service.rejected} were rejected`);
      const left = 1200 - 450;
      assert.ok(service.now() < 25_000 + (left / requests) * 11_000, `${service.now()} ms`);
    });

  test('that another program uses up is waited for, by reads as well', async t => {
    const { service, kontor } = start(t, 10, 60);
    await service.run(Promise.all(Array.from({ length: 12 }, () => service.request())));
    await service.run(kontor.employees.get(id));
    assert.ok(service.now() >= 60_000);
    assert.equal(service.rejected, 3);
  });

  test('that a server does not report is not waited for', async t => {
    const service = virtualService(t, null);
    await service.run(update(clientOf(service), 1000, 100));
    assert.ok(service.now() < 1000);
  });

  test('is not used for health()', async t => {
    const { service } = start(t, 10, 60);
    const fetch: Fetch = async (url, init) =>
      url.endsWith('/health') ? Response.json({ status: 'ok' }) : service.fetch(url, init);
    const kontor = clientOf({ ...service, fetch });
    const waiting = update(kontor, 12, 12);
    assert.equal((await service.run(kontor.health())).status, 'ok');
    await service.run(waiting);
  });
});

describe('maxQuotaWait', () => {
  test('rejects a call that would wait longer, and does not send it', async t => {
    const { service, kontor } = start(t, 10, 60);
    const errors: unknown[] = [];
    const calls = Array.from({ length: 30 }, () =>
      kontor.employees.update(id, {}, { maxQuotaWait: 5000 }).catch((error: unknown) => errors.push(error)),
    );
    await service.run(Promise.all(calls));
    assert.ok(errors.length >= 19);
    for (const error of errors) {
      assert.ok(error instanceof RateLimitError && error.retryable, String(error));
      assert.match(error.message, /within 5000 ms \(maxQuotaWait\): the request was not sent$/);
    }
    assert.equal(service.arrivals.length + errors.length, 30);
  });

  test('0 sends at once, and fails with the answer of the service', async t => {
    const { service, kontor } = start(t, 10, 60);
    const calls = Array.from({ length: 12 }, () => kontor.employees.get(id, { maxQuotaWait: 0 }));
    const ended = await service.run(Promise.allSettled(calls));
    assert.equal(ended.filter(({ status }) => status === 'fulfilled').length, 10);
    assert.equal(service.arrivals.length, 12);
  });

  test('is five minutes by default, and the deadline does not count it', async t => {
    const { service, kontor } = start(t, 1, 250);
    await service.run(update(kontor, 2, 1));
    assert.ok(service.now() >= 250_000);
    service.quota = { requests: 1, seconds: 310 };
    await service.run(update(kontor, 1, 1));
    await assert.rejects(service.run(update(kontor, 1, 1)), RateLimitError);
  });

  test('a signal ends the wait with its reason, and the write is not sent', async t => {
    const { service, kontor } = start(t, 2, 60);
    await service.run(update(kontor, 2, 2));
    const controller = new AbortController();
    const reason = new Error('enough');
    const call = kontor.employees
      .update(id, {}, { signal: controller.signal })
      .catch((error: unknown) => error);
    setTimeout(() => controller.abort(reason), 1000);
    assert.equal(await service.run(call), reason);
    assert.equal(service.arrivals.length, 2);
  });
});

describe('nothing is sent again with less time left than the deadline of the service', () => {
  for (const [seconds, attempts] of [
    [45, 2],
    [55, 1],
  ] as const)
    test(`after a wait of ${seconds} s there are ${attempts} attempts`, async t => {
      const service = virtualService(t, null);
      const fetch = async () => {
        service.arrivals.push(service.now());
        return service.arrivals.length > 1
          ? Response.json({ id })
          : Response.json({}, { status: 503, headers: { 'retry-after': String(seconds) } });
      };
      const kontor = clientOf({ ...service, fetch });
      await service.run(kontor.employees.get(id).catch(() => {}));
      assert.equal(service.arrivals.length, attempts);
    });

  test('a write that is cancelled before it is sent has the reason of its signal', async t => {
    const service = virtualService(t, null);
    const controller = new AbortController();
    const reason = new Error('enough');
    const kontor = clientOf(service, { hooks: { onRequest: () => controller.abort(reason) } });
    const call = kontor.employees.update(id, {}, { signal: controller.signal });
    const error = await service.run(call.catch((error: unknown) => error));
    assert.ok(!(error instanceof WriteOutcomeUnknown));
    assert.equal(error, reason);
    assert.equal(service.arrivals.length, 0);
  });
});
