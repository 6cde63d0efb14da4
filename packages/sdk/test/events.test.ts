import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, test, type TestContext } from 'node:test';
import { inspect } from 'node:util';
import {
  DownloadError,
  type ErrorEvent,
  filter,
  Kontor,
  type KontorOptions,
  KontorError,
  RateLimitError,
} from '../src/index.ts';
import { answer, cut, failure, scriptedServer, type Step } from './support/scripted-server.ts';

const id = '65f0c0ffee0123456789abcd';
const person = { email: 'maria@example.com', firstName: 'Maria', lastName: 'Schulz' };
const attached = (name: string): Record<string, string> => ({
  'content-disposition': `attachment; filename="${name}"`,
});
const torn: Step = response => {
  response.writeHead(200, { 'content-length': '1000', ...attached('a.pdf') }).write('x');
  response.socket!.end();
};

/** A client of a server, and the events of its calls that failed. */
async function start(t: TestContext, steps: readonly Step[], options: KontorOptions = {}) {
  t.mock.method(Math, 'random', () => 0);
  const server = await scriptedServer(...steps);
  const failures: ErrorEvent[] = [];
  const hooks = { ...options.hooks, onError: (event: ErrorEvent) => void failures.push(event) };
  const base = { apiKey: 'kontor_key', baseUrl: server.url, serviceDeadline: 0, maxRetries: 1 };
  return { server, failures, kontor: new Kontor({ ...base, ...options, hooks }) };
}

async function temporaryFolder(t: TestContext): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'kontor-sdk-'));
  t.after(() => rm(folder, { recursive: true }));
  return folder;
}

describe('onError is called once for each call that failed', () => {
  const calls: Record<
    string,
    [call: (kontor: Kontor, folder: string) => Promise<unknown>, step: Step, attempts: number]
  > = {
    'a read after its attempts': [kontor => kontor.employees.get(id), failure(503, 'X'), 2],
    'a read of 4xx': [kontor => kontor.employees.get(id), failure(404, 'NOT_FOUND'), 1],
    'a foreign answer': [kontor => kontor.employees.get(id), answer(200, []), 1],
    'a write that was rejected': [kontor => kontor.employees.create(person), failure(409, 'X'), 1],
    'a write whose answer was lost': [kontor => kontor.employees.create(person, { maxRetries: 0 }), cut, 1],
    'a list': [kontor => Array.fromAsync(kontor.employees.list()), failure(400, 'X'), 1],
    'a download that broke off': [
      async kontor => {
        const { stream } = await kontor.orders.downloadAttachment(id, id);
        return new Response(stream).bytes();
      },
      torn,
      1,
    ],
    'a download into a file, after its attempts': [
      (kontor, folder) => kontor.orders.downloadAttachment(id, id, { to: path.join(folder, 'a') }),
      torn,
      1,
    ],
    'a call that was cancelled before it was sent': [
      kontor => kontor.employees.get(id, { signal: AbortSignal.abort() }),
      cut,
      0,
    ],
  };
  for (const [name, [call, step, attempts]] of Object.entries(calls))
    test(name, async t => {
      const { kontor, failures } = await start(t, [step]);
      const error = await call(kontor, await temporaryFolder(t)).catch((error: unknown) => error);
      assert.equal(failures.length, 1);
      const [event] = failures as [ErrorEvent];
      assert.equal(event.error, error);
      assert.equal(event.attempt, attempts);
      if (error instanceof KontorError) assert.equal(event.requestId, error.requestId);
      assert.match(event.operation, /^[a-zA-Z]+$/);
    });

  test('a call that waited for the quota in vain', async t => {
    const { kontor, failures } = await start(t, [failure(429, 'X', { 'retry-after': '60' })], {
      maxQuotaWait: 1000,
    });
    await assert.rejects(kontor.employees.get(id), RateLimitError);
    assert.equal(failures.length, 1);
  });
});

test('a lost write says in its message how the answer was lost', async t => {
  const { kontor } = await start(t, [failure(503, 'SERVICE_UNAVAILABLE')], { maxRetries: 0 });
  await assert.rejects(kontor.employees.create(person), {
    name: 'WriteOutcomeUnknown',
    message:
      'The answer to the write was lost, so it may have been stored or not: 503 SERVICE_UNAVAILABLE: a message',
  });
});

test('no value of a filter is in a log, a hook or an error, also where a fetch has the address in its error', async t => {
  const seen: unknown[] = [];
  const record = (...parts: unknown[]) => void seen.push(...parts);
  const watched = {
    hooks: { onRequest: record, onResponse: record, onRetry: record },
    logger: { debug: record, warn: record },
  };
  const { kontor, failures } = await start(t, [failure(503, 'X')], watched);
  const fetch = (url: string) => Promise.reject(new TypeError(`error sending request for url (${url})`));
  const broken = await start(t, [cut], { ...watched, fetch });
  for (const client of [kontor, broken.kontor]) {
    const call = client.employees.list({ filter: filter`lastName = ${'Geheim'}` }).page();
    seen.push(await call.catch((error: unknown) => error));
  }
  seen.push(failures, broken.failures);
  assert.ok(seen.length > 15);
  assert.doesNotMatch(inspect(seen, { showHidden: true, depth: 20 }), /Geheim/);
});

describe('a file', () => {
  const named =
    (name: string): Step =>
    response =>
      response.writeHead(200, attached(name)).end('x');

  for (const [given, expected] of [
    ['../../etc/passwd', 'passwd'],
    ['C:\\\\Users\\\\a.pdf', 'a.pdf'],
    ['/a/b/', null],
    ['..', null],
    ['Offer.pdf', 'Offer.pdf'],
  ] as const)
    test(`that the server names ${given} has the name ${expected}, without a path`, async t => {
      const { kontor } = await start(t, [named(given)]);
      const { fileName, stream } = await kontor.orders.downloadAttachment(id, id);
      assert.equal(fileName, expected);
      await stream.cancel();
    });

  test('that is written can be read by its owner only', async t => {
    const { kontor } = await start(t, [named('a.csv')]);
    const folder = await temporaryFolder(t);
    const to = path.join(folder, 'a.csv');
    await kontor.orders.downloadAttachment(id, id, { to });
    assert.equal((await stat(to)).mode & 0o777, 0o600);
    assert.deepEqual(await readdir(folder), ['a.csv']);
  });

  test('that breaks off is requested again, and leaves nothing', async t => {
    const { kontor, server } = await start(t, [torn]);
    const folder = await temporaryFolder(t);
    await assert.rejects(
      kontor.orders.downloadAttachment(id, id, { to: path.join(folder, 'a') }),
      DownloadError,
    );
    assert.equal(server.requests.length, 2);
    assert.deepEqual(await readdir(folder), []);
  });
});
