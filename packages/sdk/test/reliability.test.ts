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
  ConnectionError,
  Kontor,
  type KontorOptions,
  RateLimitError,
  ServerError,
  TimeoutError,
  WriteOutcomeUnknown,
} from '../src/index.ts';
import { planRetry } from '../src/retry.ts';
import { answer, cut, failure, hang, scriptedServer, type Step } from './support/scripted-server.ts';

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

describe('a write', () => {
  const lost: Record<string, Step> = {
    'a broken connection': cut,
    '500': failure(500, 'INTERNAL_SERVER_ERROR'),
    '503': failure(503, 'SERVICE_UNAVAILABLE', { 'retry-after': '1' }),
    'an answer that breaks off': breaksOff(201),
    'an answer that is no JSON': response => response.writeHead(200).end('<html>'),
  };
  for (const [name, step] of Object.entries(lost))
    test(`whose answer is lost by ${name} is not repeated, and its outcome is unknown`, async t => {
      const { kontor, server } = await start(t, [step, answer(201, { id })]);
      const error = await kontor.employees.create(person).catch((error: unknown) => error);
      assert.ok(error instanceof WriteOutcomeUnknown && !error.retryable && error.cause instanceof Error);
      assert.deepEqual([error.code, error.provenBy], ['WRITE_OUTCOME_UNKNOWN', 'email']);
      assert.equal(server.requests.length, 1);
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

  test('that nothing can prove is unknown at once', async t => {
    const { kontor, server } = await start(t, [cut], { serviceDeadline: 1e9 });
    const error = await kontor.incidents
      .create({ employeeId: id, type: 'other' })
      .catch((error: unknown) => error);
    assert.ok(error instanceof WriteOutcomeUnknown && error.provenBy === null);
    assert.deepEqual(await error.reconcile(), { outcome: 'unknown', resource: null });
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
      planRetry(error, { isWrite: true, failures: 9, maxRetries, remaining: 0 });
    assert.deepEqual([plan(1), plan(0)], [0, null]);
  });
});

test('the wait before a read is repeated is a chance up to a bound that doubles', () => {
  const error = new ServerError('', 500, new Headers(), 'X', '');
  const waits = [1, 2, 3, 9].map(failures =>
    planRetry(error, { isWrite: false, failures, maxRetries: 9, remaining: 1e9 }, () => 1),
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
    const broken = new Kontor({ apiKey, baseUrl: 'http://127.0.0.1', fetch: leaking, ...watched });
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
    const expected = { name: 'TypeError', message: /^dryrun is not an option of a write/ };
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
