import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, test, type TestContext } from 'node:test';
import { inspect } from 'node:util';
import {
  ApiError,
  ConflictError,
  ConnectionError,
  type CreateOptions,
  Kontor,
  type KontorOptions,
  RateLimitError,
  ServerError,
  TimeoutError,
  type UpdateOptions,
  WriteOutcomeUnknown,
} from '../src/index.ts';
import { planRetry } from '../src/transport/retry.ts';
import {
  answer,
  cut,
  failure,
  hang,
  type ScriptedServer,
  scriptedServer,
  type Step,
} from './support/scripted-server.ts';

const id = '65f0c0ffee0123456789abcd';
const apiKey = `kontor_0123456789ab_${'S'.repeat(43)}_abcdef`;
const employee = answer(200, { id });
const person = { email: 'maria@example.com', firstName: 'Maria', lastName: 'Schulz' };

/** An answer that ends before its length. */
const breaksOff =
  (status: number, headers: Record<string, string> = {}): Step =>
  response => {
    response.writeHead(status, { 'content-length': '100', ...headers }).write('{"id"');
    response.socket!.end();
  };

/** A server with a client of it that does not wait before it repeats. */
async function start(t: TestContext, steps: readonly Step[], options: KontorOptions = {}) {
  t.mock.method(Math, 'random', () => 0);
  const server = await scriptedServer(...steps);
  const kontor = new Kontor({ apiKey, baseUrl: server.url, serviceDeadline: 0, ...options });
  return { kontor, server };
}

/** An address at which nothing listens. */
async function closedUrl(): Promise<string> {
  const server = createServer();
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return `http://127.0.0.1:${port}`;
}

describe('a read', () => {
  for (const [name, step] of Object.entries({ cut, '500': failure(500, 'X'), '503': failure(503, 'X') }))
    test(`is repeated three times after ${name}, each time with another request identifier`, async t => {
      const { kontor, server } = await start(t, [step, step, step, employee]);
      assert.equal((await kontor.employees.get(id)).id, id);
      const ids = server.requests.map(({ headers }) => headers['x-request-id']);
      assert.equal(new Set(ids).size, 4);
    });

  test('fails with the last error after that', async t => {
    const { kontor, server } = await start(t, [failure(500, 'INTERNAL_SERVER_ERROR')]);
    const error = await kontor.employees.get(id).catch((error: unknown) => error);
    assert.ok(error instanceof ServerError && error.retryable);
    assert.deepEqual([error.status, error.code], [500, 'INTERNAL_SERVER_ERROR']);
    assert.equal(error.requestId, server.requests[3]!.headers['x-request-id']);
    assert.equal(server.requests.length, 4);
  });

  test('whose answer breaks off is repeated', async t => {
    const { kontor } = await start(t, [breaksOff(200), employee]);
    assert.equal((await kontor.employees.get(id)).id, id);
  });

  test('of 4xx is not repeated', async t => {
    const { kontor, server } = await start(t, [failure(404, 'NOT_FOUND')]);
    await assert.rejects(kontor.employees.get(id), { name: 'NotFoundError', status: 404, retryable: false });
    assert.equal(server.requests.length, 1);
  });

  test('with dryRun is one, whatever its method', async t => {
    const { kontor } = await start(t, [cut, answer(200, { id })]);
    assert.equal((await kontor.employees.create(person, { dryRun: true })).id, id);
  });
});

test('maxRetries: 0 sends one request, also after 429, 500 and a broken connection', async t => {
  for (const step of [cut, failure(500, 'X'), failure(429, 'X', { 'retry-after': '1' })]) {
    const { kontor, server } = await start(t, [step, employee], { maxRetries: 0 });
    await assert.rejects(kontor.employees.get(id));
    assert.equal(server.requests.length, 1);
  }
});

/** The `Idempotency-Key` of each request that arrived. */
const keysOf = ({ requests }: ScriptedServer) => requests.map(({ headers }) => headers['idempotency-key']);

const lost: Record<string, Step> = {
  'a broken connection': cut,
  '500': failure(500, 'INTERNAL_SERVER_ERROR'),
  '502 of a proxy': response => response.writeHead(502, { 'content-type': 'text/html' }).end('<html>'),
  '503': failure(503, 'SERVICE_UNAVAILABLE'),
  'an answer that breaks off': breaksOff(201),
};

describe('a write', () => {
  const keyed: Record<string, (kontor: Kontor, options?: CreateOptions) => Promise<{ id: string }>> = {
    'employees.create': (kontor, options) => kontor.employees.create(person, options),
    'divisions.create': (kontor, options) => kontor.divisions.create({ name: 'Einkauf' }, options),
    'incidents.create': (kontor, options) =>
      kontor.incidents.create({ employeeId: id, type: 'other' }, options),
    'orders.decide': (kontor, options) => kontor.orders.decide(id, { decision: 'approved' }, options),
    'incidents.uploadAttachment': (kontor, options) =>
      kontor.incidents.uploadAttachment(id, new Uint8Array(9), options),
  };
  for (const [name, write] of Object.entries(keyed)) {
    for (const [reason, step] of Object.entries(lost))
      test(`is repeated with the same key and the same body: ${name} after ${reason}`, async t => {
        const { kontor, server } = await start(t, [step, step, answer(201, { id })]);
        assert.equal((await write(kontor)).id, id);
        const [key] = keysOf(server);
        assert.match(key as string, /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/);
        assert.deepEqual(keysOf(server), [key, key, key]);
        assert.equal(new Set(server.bodies).size, 1);
        const types = new Set(server.requests.map(({ headers }) => headers['content-type']));
        assert.equal(types.size, 1);
        assert.equal(new Set(server.requests.map(({ headers }) => headers['x-request-id'])).size, 3);
      });

    test(`has another key for each call, or that of the caller: ${name}`, async t => {
      const { kontor, server } = await start(t, [answer(201, { id })]);
      for (const options of [{}, {}, { idempotencyKey: 'row-17' }]) await write(kontor, options);
      await write(kontor, { headers: { 'idempotency-key': 'row-18' } });
      const keys = keysOf(server);
      assert.equal(new Set(keys).size, 4);
      assert.deepEqual(keys.slice(2), ['row-17', 'row-18']);
    });
  }

  test('whose answers stay lost is repeated until the deadline, and then has an unknown outcome and its key', async t => {
    let elapsed = 0;
    t.mock.method(performance, 'now', () => elapsed);
    const hooks = { onRetry: () => void (elapsed += 5000) };
    const { kontor, server } = await start(t, [cut], { hooks, deadline: 60_000, serviceDeadline: 10_000 });
    const error = await kontor.employees.create(person).catch((error: unknown) => error);
    assert.ok(error instanceof WriteOutcomeUnknown && !error.retryable);
    assert.ok(error.cause instanceof ConnectionError);
    assert.deepEqual([error.code, error.idempotencyKey], ['WRITE_OUTCOME_UNKNOWN', keysOf(server)[0]]);
    // More than `maxRetries`: at 0, 5, … 55 seconds. The last one cannot be followed by 10 seconds.
    assert.equal(server.requests.length, 12);
    assert.equal(new Set(keysOf(server)).size, 1);
  });

  test('with maxRetries: 0 is sent once, and has an unknown outcome', async t => {
    const { kontor, server } = await start(t, [cut, answer(201, { id })], { maxRetries: 0 });
    await assert.rejects(kontor.employees.create(person), WriteOutcomeUnknown);
    assert.equal(server.requests.length, 1);
  });

  test('that may be stored has an unknown outcome when the quota or a signal ends it', async t => {
    const spent = failure(429, 'RATE_LIMIT_EXCEEDED', { 'retry-after': '60' });
    const { kontor } = await start(t, [cut, spent], { maxQuotaWait: 1000 });
    const error = await kontor.employees.create(person).catch((error: unknown) => error);
    assert.ok(error instanceof WriteOutcomeUnknown && error.cause instanceof RateLimitError);
    const controller = new AbortController();
    const reason = new Error('enough');
    const hooks = { onRetry: () => controller.abort(reason) };
    const waiting = await start(t, [cut], { hooks });
    const { signal } = controller;
    const aborted = await waiting.kontor.employees
      .create(person, { signal })
      .catch((error: unknown) => error);
    assert.ok(aborted instanceof WriteOutcomeUnknown && aborted.cause === reason);
  });

  test('that may be stored was rejected where the service says so after its deadline', async t => {
    const { kontor } = await start(t, [cut, failure(409, 'DUPLICATE_RESOURCE')]);
    await assert.rejects(kontor.employees.create(person), { name: 'ConflictError', status: 409 });
  });

  test('that may still be in progress is sent again after a rejection: it may be stored by then', async t => {
    const steps = [cut, failure(409, 'DUPLICATE_RESOURCE'), answer(201, { id })];
    const { kontor, server } = await start(t, steps, { serviceDeadline: 200 });
    assert.equal((await kontor.employees.create(person)).id, id);
    assert.equal(server.requests.length, 3);
  });

  for (const [status, code] of [
    [401, 'INVALID_API_KEY'],
    [403, 'TENANT_NOT_IN_SCOPE'],
    [404, 'NOT_FOUND'],
  ] as const)
    test(`that may be stored keeps its unknown outcome after ${status}, which says nothing about it`, async t => {
      for (const serviceDeadline of [0, 10_000]) {
        const { kontor, server } = await start(t, [cut, failure(status, code)], { serviceDeadline });
        const error = await kontor.employees.create(person).catch((error: unknown) => error);
        assert.ok(error instanceof WriteOutcomeUnknown && error.cause instanceof ApiError);
        assert.equal(error.cause.status, status);
        assert.equal(server.requests.length, 2);
      }
    });

  for (const [name, options] of Object.entries({
    'an empty idempotencyKey': { idempotencyKey: '' },
    'an idempotencyKey with a space': { idempotencyKey: 'a b' },
    'an idempotencyKey of 256 characters': { idempotencyKey: 'x'.repeat(256) },
    'an idempotencyKey in another alphabet': { idempotencyKey: 'Größe' },
  }))
    test(`is not sent with ${name}`, async t => {
      const { kontor, server } = await start(t, [answer(201, { id })]);
      const expected = { name: 'TypeError', message: /^idempotencyKey must have 1 to 255 / };
      for (const write of Object.values(keyed)) await assert.rejects(write(kontor, options), expected);
      assert.equal(server.requests.length, 0);
    });

  test('of a dry run is repeated as a read is', async t => {
    const { kontor, server } = await start(t, [cut]);
    await assert.rejects(kontor.employees.create(person, { dryRun: true }), ConnectionError);
    assert.equal(server.requests.length, 4);
  });

  test('that the service rejected by 4xx has that error', async t => {
    const { kontor } = await start(t, [failure(409, 'DUPLICATE_RESOURCE')]);
    await assert.rejects(kontor.employees.create(person), {
      name: 'ConflictError',
      code: 'DUPLICATE_RESOURCE',
      retryable: false,
    });
  });

  test('is repeated while nothing listens, since it was never sent', async t => {
    t.mock.method(Math, 'random', () => 0);
    let attempts = 0;
    const hooks = { onRequest: () => void attempts++ };
    const kontor = new Kontor({ apiKey, baseUrl: await closedUrl(), hooks });
    const error = await kontor.employees.create(person).catch((error: unknown) => error);
    assert.ok(error instanceof ConnectionError);
    assert.deepEqual([error.neverSent, attempts], [true, 4]);
  });

  test('that the service rejected has that error, also when the body of the error breaks off', async t => {
    const { kontor, server } = await start(t, [breaksOff(422)]);
    await assert.rejects(kontor.employees.create(person), {
      name: 'UnprocessableError',
      code: 'UNEXPECTED_ANSWER',
    });
    assert.equal(server.requests.length, 1);
  });

  test('was never sent where the certificate is not trusted', async () => {
    const untrusted = () => {
      const cause = Object.assign(new Error('self-signed certificate'), {
        code: 'DEPTH_ZERO_SELF_SIGNED_CERT',
      });
      return Promise.reject(new TypeError('fetch failed', { cause }));
    };
    const kontor = new Kontor({ apiKey, baseUrl: 'https://127.0.0.1', fetch: untrusted, maxRetries: 0 });
    const error = await kontor.employees.create(person).catch((error: unknown) => error);
    assert.ok(error instanceof ConnectionError && error.neverSent);
    assert.match(error.message, /DEPTH_ZERO_SELF_SIGNED_CERT/);
  });

  test('was never sent where the server speaks plain HTTP', async () => {
    const server = await scriptedServer(employee);
    const kontor = new Kontor({ apiKey, baseUrl: server.url.replace('http:', 'https:'), maxRetries: 0 });
    const error = await kontor.employees.create(person).catch((error: unknown) => error);
    assert.ok(error instanceof ConnectionError && error.neverSent);
    assert.match(error.message, /ERR_SSL_WRONG_VERSION_NUMBER/);
    assert.equal(server.requests.length, 0);
  });
});

describe('an update', () => {
  const updatedAt = '2026-11-27T12:00:00.000Z';
  const conflict = failure(409, 'INVALID_STATE_TRANSITION', { etag: `"${updatedAt}"` });
  const updates: Record<string, (kontor: Kontor, options?: UpdateOptions) => Promise<{ id: string }>> = {
    employees: (kontor, options) => kontor.employees.update(id, { city: 'Bonn' }, options),
    divisions: (kontor, options) => kontor.divisions.update(id, { order: 1 }, options),
    incidents: (kontor, options) => kontor.incidents.update(id, { description: 'Am Bahnhof' }, options),
  };
  for (const [name, update] of Object.entries(updates)) {
    for (const [reason, step] of Object.entries(lost))
      test(`with ifMatch is repeated with the same version and body: ${name} after ${reason}`, async t => {
        const { kontor, server } = await start(t, [step, answer(200, { id })]);
        assert.equal((await update(kontor, { ifMatch: { updatedAt } })).id, id);
        const tag = `"${updatedAt}"`;
        assert.deepEqual(
          server.requests.map(({ headers }) => headers['if-match']),
          [tag, tag],
        );
        assert.deepEqual([keysOf(server), server.bodies[1]], [[undefined, undefined], server.bodies[0]]);
      });

    test(`without ifMatch could replace a later change, and is not repeated: ${name}`, async t => {
      const { kontor, server } = await start(t, [cut, answer(200, { id })]);
      const error = await update(kontor).catch((error: unknown) => error);
      assert.ok(error instanceof WriteOutcomeUnknown && error.idempotencyKey === null);
      assert.deepEqual([server.requests.length, server.requests[0]!.headers['if-match']], [1, undefined]);
    });

    test(`with what is no version is not sent: ${name}`, async t => {
      const { kontor, server } = await start(t, [answer(200, { id })]);
      const expected = { name: 'TypeError', message: /^ifMatch must be the resource as it was read/ };
      for (const ifMatch of ['', '*', `"${updatedAt}"`, '2026-11-27', null, {}, 7])
        await assert.rejects(update(kontor, { ifMatch: ifMatch as string }), expected);
      assert.equal(server.requests.length, 0);
    });
  }

  test('of a resource that has changed is a conflict with the version that is stored', async t => {
    for (const etag of [`"${updatedAt}"`, `W/"${updatedAt}"`]) {
      const { kontor } = await start(t, [failure(409, 'INVALID_STATE_TRANSITION', { etag })]);
      const error = await updates['employees']!(kontor, { ifMatch: updatedAt }).catch(
        (error: unknown) => error,
      );
      assert.ok(error instanceof ConflictError);
      assert.equal(error.current, updatedAt);
    }
  });

  test('that conflicts with something else has no such version', async t => {
    for (const headers of [{}, { etag: '"5e-62a1c"' }] as Record<string, string>[]) {
      const { kontor } = await start(t, [failure(409, 'DUPLICATE_RESOURCE', headers)]);
      const error = await updates['employees']!(kontor).catch((error: unknown) => error);
      assert.ok(error instanceof ConflictError && error.current === null);
    }
  });

  describe('whose outcome is unknown, and reconcile()', () => {
    const lose = async (t: TestContext, steps: readonly Step[], options: UpdateOptions = {}) => {
      const { kontor, server } = await start(t, [cut, ...steps], { maxRetries: 0 });
      const error = await updates['employees']!(kontor, options).catch((error: unknown) => error);
      assert.ok(error instanceof WriteOutcomeUnknown);
      return { error, server };
    };

    test('send it so that it changes nothing: it has happened if its values are stored', async t => {
      const { error, server } = await lose(t, [answer(200, { id })]);
      assert.deepEqual(await error.reconcile(), { outcome: 'happened', resource: { id } });
      assert.equal(server.requests[1]!.headers['if-match'], '"1970-01-01T00:00:00.000Z"');
    });

    test('send it again on its own condition with ifMatch', async t => {
      const { error, server } = await lose(t, [answer(200, { id })], { ifMatch: '2026-11-27T11:00:00.000Z' });
      assert.equal((await error.reconcile()).outcome, 'happened');
      assert.equal(server.requests[1]!.headers['if-match'], '"2026-11-27T11:00:00.000Z"');
    });

    test('leave it unknown where other values are stored: it may have been changed since', async t => {
      for (const options of [{}, { ifMatch: '2026-11-27T11:00:00.000Z' }]) {
        const { error } = await lose(t, [conflict], options);
        assert.deepEqual(await error.reconcile(), { outcome: 'unknown', resource: null });
      }
    });
  });
});

describe('reconcile()', () => {
  const lose = async (t: TestContext, steps: readonly Step[], options: KontorOptions = {}) => {
    const { kontor, server } = await start(t, [cut, ...steps], { maxRetries: 0, ...options });
    const error = await kontor.employees.create(person).catch((error: unknown) => error);
    assert.ok(error instanceof WriteOutcomeUnknown);
    return { error, server };
  };

  test('sends the write again with its key and its body', async t => {
    const { error, server } = await lose(t, [answer(201, { id })]);
    assert.deepEqual(await error.reconcile(), { outcome: 'happened', resource: { id } });
    assert.deepEqual(keysOf(server), [error.idempotencyKey, error.idempotencyKey]);
    assert.equal(server.bodies[1], server.bodies[0]);
  });

  test('says that a write has not happened when the service rejects it', async t => {
    const { error } = await lose(t, [failure(422, 'INVALID_REFERENCE')]);
    assert.deepEqual(await error.reconcile(), { outcome: 'not_happened', resource: null });
  });

  test('does not know what is out of the scope of the key', async t => {
    const { error } = await lose(t, [failure(404, 'NOT_FOUND')]);
    assert.deepEqual(await error.reconcile(), { outcome: 'unknown', resource: null });
  });

  test('rejects when the answer is lost again, and can be called again', async t => {
    const { error } = await lose(t, [cut, failure(401, 'INVALID_API_KEY'), answer(201, { id })]);
    for (const _attempt of [1, 2]) await assert.rejects(error.reconcile(), WriteOutcomeUnknown);
    assert.equal((await error.reconcile()).outcome, 'happened');
  });

  test('sends nothing a day later: the service has forgotten the key', async t => {
    const { error, server } = await lose(t, [answer(201, { id })]);
    t.mock.method(Date, 'now', () => new Date().getTime() + 24 * 3_600_000);
    assert.deepEqual(await error.reconcile(), { outcome: 'unknown', resource: null });
    assert.equal(server.requests.length, 1);
  });

  test('waits until the service has ended the write', async t => {
    const { error, server } = await lose(t, [answer(201, { id })], { serviceDeadline: 1e9 });
    const signal = AbortSignal.abort(new Error('enough'));
    await assert.rejects(error.reconcile({ signal }), { message: 'enough' });
    assert.equal(server.requests.length, 1);
  });
});

describe('429', () => {
  const spent = (seconds: number) => failure(429, 'RATE_LIMIT_EXCEEDED', { 'retry-after': String(seconds) });

  for (const [name, call] of Object.entries({
    read: (kontor: Kontor) => kontor.employees.get(id),
    write: (kontor: Kontor) => kontor.employees.create(person),
  }))
    test(`lets a ${name} wait the whole Retry-After`, async t => {
      const { kontor, server } = await start(t, [spent(1), answer(200, { id })]);
      const before = performance.now();
      assert.equal((await call(kontor)).id, id);
      // A timer may be a millisecond early.
      assert.ok(performance.now() - before >= 999);
      assert.equal(server.requests.length, 2);
    });

  test('is waited for also when its body breaks off', async t => {
    const { kontor, server } = await start(t, [breaksOff(429, { 'retry-after': '301' })]);
    await assert.rejects(kontor.employees.get(id), { name: 'RateLimitError', status: 429 });
    assert.equal(server.requests.length, 1);
  });

  for (const retryAfter of ['0', 'Wed, 21 Oct 2015 07:28:00 GMT', 'soon'])
    test(`is waited for a second at least, also after Retry-After: ${retryAfter}`, async t => {
      const waits: number[] = [];
      const { kontor } = await start(t, [failure(429, 'X', { 'retry-after': retryAfter }), employee], {
        hooks: { onRetry: ({ waitMilliseconds }) => void waits.push(waitMilliseconds) },
      });
      await kontor.employees.get(id);
      assert.ok(waits[0]! > 900 && waits[0]! <= 1000);
    });

  test('fails at once when Retry-After exceeds maxQuotaWait', async t => {
    const { kontor, server } = await start(t, [spent(61), employee], { maxQuotaWait: 60_000 });
    const error = await kontor.employees.get(id).catch((error: unknown) => error);
    assert.ok(error instanceof RateLimitError && error.retryable);
    assert.equal(server.requests.length, 1);
  });

  test('is waited for more often than other failures are', () => {
    const error = new RateLimitError('', 429, new Headers(), 'X', '');
    const plan = (maxRetries: number) =>
      planRetry(error, { state: 'write', failures: 9, maxRetries, remaining: 0 });
    assert.deepEqual([plan(1), plan(0)], [0, null]);
  });
});

test('the wait before a read is repeated is a chance up to a bound that doubles', () => {
  const error = new ServerError('', 500, new Headers(), 'X', '');
  const waits = [1, 2, 3, 9].map(failures =>
    planRetry(error, { state: 'read', failures, maxRetries: 9, remaining: 1e9 }, () => 1),
  );
  assert.deepEqual(waits, [500, 1000, 2000, 8000]);
});

test('the client pauses when RateLimit says that the quota is spent', async t => {
  const last = answer(200, { id }, { ratelimit: '"default";r=0;t=1' });
  const { kontor } = await start(t, [last, employee]);
  await kontor.employees.get(id);
  const before = performance.now();
  await kontor.employees.get(id);
  assert.ok(performance.now() - before >= 900);
});

describe('time', () => {
  test('an attempt has a timeout, and the read is repeated', async t => {
    const { kontor } = await start(t, [hang, employee], { timeout: 200 });
    assert.equal((await kontor.employees.get(id)).id, id);
  });

  test('the deadline ends the call, with a fetch that ignores its signal too', async () => {
    const never = () => new Promise<Response>(() => {});
    const kontor = new Kontor({ apiKey, baseUrl: 'http://127.0.0.1', fetch: never, deadline: 50 });
    const error = await kontor.employees.get(id).catch((error: unknown) => error);
    assert.ok(error instanceof TimeoutError && error.retryable);
    assert.match(error.message, /deadline of the call, 50 ms/);
    const lost = await kontor.employees.create(person).catch((error: unknown) => error);
    assert.ok(lost instanceof WriteOutcomeUnknown && lost.cause instanceof TimeoutError);
  });

  test('a signal ends a read and a wait with its reason, and a sent write with an unknown outcome', async t => {
    const reason = new Error('enough');
    const { kontor, server } = await start(t, [hang]);
    const aborting = () => {
      const controller = new AbortController();
      const arrived = server.requests.length;
      const watch = setInterval(() => {
        if (server.requests.length > arrived) controller.abort(reason);
      }, 1);
      controller.signal.addEventListener('abort', () => clearInterval(watch));
      return { signal: controller.signal };
    };
    assert.equal(await kontor.employees.get(id, aborting()).catch((error: unknown) => error), reason);
    const lost = await kontor.employees.create(person, aborting()).catch((error: unknown) => error);
    assert.ok(lost instanceof WriteOutcomeUnknown && lost.cause === reason);
    const sent = server.requests.length;
    const signal = AbortSignal.abort(reason);
    assert.equal(await kontor.employees.create(person, { signal }).catch((error: unknown) => error), reason);
    assert.equal(server.requests.length, sent);
  });
});

describe('the key is nowhere', () => {
  test('in an inspection of the client', () => {
    const kontor = new Kontor({ apiKey, baseUrl: 'http://127.0.0.1' });
    for (const part of [kontor, kontor.employees, kontor.employees.list()]) {
      assert.ok(!inspect(part, { showHidden: true, depth: 20 }).includes(apiKey));
      assert.ok(!JSON.stringify(part).includes(apiKey));
    }
  });

  test('in errors, logs and hooks, also when a fetch or an answer has it', async t => {
    const seen: unknown[] = [];
    const record = (...parts: unknown[]) => void seen.push(...parts);
    const hooks = { onRequest: record, onResponse: record, onRetry: record };
    const watched = { hooks, logger: { debug: record, warn: record } };
    const leaking = () => {
      const error = new TypeError(`bad header ${apiKey}`, { cause: new Error(`also ${apiKey}`) });
      return Promise.reject(Object.assign(error, { config: { headers: { 'X-API-Key': apiKey } } }));
    };
    const { kontor } = await start(
      t,
      [
        failure(503, 'X'),
        answer(
          400,
          { error: { code: apiKey, message: apiKey } },
          { 'x-echo': apiKey, 'x-request-id': apiKey },
        ),
      ],
      watched,
    );
    const broken = new Kontor({
      apiKey,
      baseUrl: 'http://127.0.0.1',
      fetch: leaking,
      deadline: 1e4,
      ...watched,
    });
    const calls = [
      () => kontor.employees.get(id),
      () => broken.employees.get(id),
      () => broken.employees.create(person),
    ];
    for (const call of calls) seen.push(await call().catch((error: unknown) => error));
    assert.ok(seen.length > 15);
    assert.ok(!inspect(seen, { showHidden: true, depth: 20 }).includes(apiKey));
  });

  test('in the error for a key that cannot be a header', () => {
    assert.throws(
      () => new Kontor({ apiKey: `${apiKey}\n`, baseUrl: 'http://127.0.0.1' }),
      (error: Error) => {
        return error instanceof TypeError && !inspect(error).includes(apiKey);
      },
    );
  });
});

test('a hook that throws changes nothing', async t => {
  const throwing = () => {
    throw new Error('broken');
  };
  const { kontor } = await start(t, [cut, employee], {
    hooks: { onRequest: throwing, onResponse: throwing, onRetry: throwing },
  });
  assert.equal((await kontor.employees.get(id)).id, id);
});

test('a redirect is not followed: the key is for one origin', async t => {
  const { kontor, server } = await start(t, [
    response => response.writeHead(307, { location: 'http://127.0.0.1:9/' }).end(),
  ]);
  await assert.rejects(kontor.employees.get(id), {
    status: 307,
    code: 'UNEXPECTED_ANSWER',
    message: /is a redirect to http:\/\/127\.0\.0\.1:9\/, and the client follows none\. Check baseUrl \(/,
  });
  assert.equal(server.requests.length, 1);
});

describe('an argument', () => {
  for (const baseUrl of ['kontor.example.com/v1', 'localhost:8080/v1', 'ftp://127.0.0.1/v1', ''])
    test(`baseUrl ${JSON.stringify(baseUrl)} is no address of HTTP`, () => {
      assert.throws(() => new Kontor({ apiKey, baseUrl }), { name: 'TypeError', message: /^baseUrl / });
    });

  test('that writes do not have sends nothing: a misspelled dryRun would be a write', async t => {
    const { kontor, server } = await start(t, [employee]);
    const misspelled = { dryrun: true } as object;
    const expected = { name: 'TypeError', message: /^dryrun is not an option of a create/ };
    await assert.rejects(kontor.employees.create(person, misspelled), expected);
    assert.equal(server.requests.length, 0);
  });

  for (const name of ['timeout', 'deadline', 'maxRetries'] as const)
    for (const value of [Number.NaN, -1, '10' as unknown as number])
      test(`${name} ${JSON.stringify(value)} is no number of that kind`, async t => {
        const expected = { name: 'RangeError', message: `${name} must be a number from 0` };
        assert.throws(() => new Kontor({ apiKey, baseUrl: 'http://127.0.0.1', [name]: value }), expected);
        const { kontor, server } = await start(t, [employee]);
        await assert.rejects(kontor.employees.get(id, { [name]: value }), expected);
        assert.equal(server.requests.length, 0);
      });

  for (const segment of ['.', '..'])
    test(`an identifier ${segment} leads to no other path`, async t => {
      const { kontor, server } = await start(t, [employee]);
      await assert.rejects(kontor.employees.get(segment), TypeError);
      assert.equal(server.requests.length, 0);
    });
});

describe('a download into a file', () => {
  const bytes = Buffer.alloc(1000, 'x');
  const attachment = { 'content-disposition': 'attachment; filename="a"' };
  const stalls: Step = response =>
    void response.writeHead(200, { 'content-length': '1000', ...attachment }).write('x');
  const unreadableName: Step = response =>
    response.writeHead(200, { 'content-disposition': "attachment; filename*=UTF-8''%E0%A4%A" }).end(bytes);
  for (const [name, steps] of Object.entries({
    'that stands still is begun again': [
      stalls,
      (response: ServerResponse) => response.writeHead(200, attachment).end(bytes),
    ],
    'takes one whose name cannot be read': [unreadableName],
  }))
    test(name, async t => {
      const { kontor } = await start(t, steps, { timeout: 200 });
      const folder = await mkdtemp(path.join(tmpdir(), 'kontor-sdk-'));
      t.after(() => rm(folder, { recursive: true }));
      const to = path.join(folder, 'file');
      assert.equal((await kontor.orders.downloadAttachment(id, id, { to })).size, bytes.length);
      assert.deepEqual(await readdir(folder), ['file']);
    });
});

test('fields, values and error codes of a newer service pass through', async t => {
  const order = { id, status: 'recalled', products: [], shade: 'green' };
  const { kontor } = await start(t, [answer(200, order), failure(418, 'A_NEW_CODE')]);
  const read = await kontor.orders.get(id);
  // The types allow a value that is not known.
  assert.ok(read.status === 'recalled');
  assert.equal(JSON.stringify(read), JSON.stringify(order));
  await assert.rejects(kontor.orders.get(id), { name: 'ApiError', status: 418, code: 'A_NEW_CODE' });
});
