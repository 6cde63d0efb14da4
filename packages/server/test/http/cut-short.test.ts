import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { after, before, beforeEach, describe, test } from 'node:test';
import { memoryCounting } from '../../src/lib/counting.ts';
import { quotaOf } from '../../src/http/admission.ts';
import { employeeId, keys, type StubService, stubService } from './stub-service.ts';

/** What the stage before the body waits for. */
let gate: Promise<void> | undefined;
const quota = quotaOf(memoryCounting(), { requests: 100_000, seconds: 60 });

let service: StubService;
before(async () => {
  service = await stubService({
    quota: {
      ...quota,
      async consume(callerId, policy) {
        await gate;
        return quota.consume(callerId, policy);
      },
    },
  });
});
after(() => service.close());

let lines: number;
beforeEach(() => {
  lines = service.log.length;
});

interface Answer {
  readonly status: number;
  readonly headers: string;
  readonly error: { code: string; message: string; requestId: string };
}

/** Sends the bytes, ends its side and goes on reading. */
async function halfClose(bytes: string): Promise<Answer> {
  const socket = connect({ port: service.port, host: '127.0.0.1', allowHalfOpen: true });
  socket.end(bytes);
  const [headers = '', body = '{}'] = (await text(socket)).split('\r\n\r\n');
  return { status: Number(headers.split(' ')[1]), headers, error: JSON.parse(body).error };
}

/** The statuses that were logged for requests since the test began; waits for the first. */
async function logged(): Promise<unknown[]> {
  const findAnswer = () => service.log.slice(lines).filter(line => line['msg'] === 'request');
  while (findAnswer().length === 0) await new Promise(setImmediate);
  return findAnswer().map(({ operation, status }) => `${operation} ${status}`);
}

function post(path: string, ...headers: string[]): string {
  const all = ['Host: x', `X-API-Key: ${keys.all}`, ...headers];
  return `POST /v1${path} HTTP/1.1\r\n${all.join('\r\n')}\r\n\r\n`;
}

const json = 'Content-Type: application/json';
const multipart = 'Content-Type: multipart/form-data; boundary=x';
const uploads = `/incidents/${employeeId}/attachments`;

const cutShort: [name: string, operation: string, bytes: string][] = [
  ['JSON before its length', 'createEmployee', `${post('/employees', json, 'Content-Length: 100')}{"email"`],
  ['JSON before its first byte', 'createEmployee', post('/employees', json, 'Content-Length: 100')],
  [
    'JSON before its last chunk',
    'createEmployee',
    `${post('/employees', json, 'Transfer-Encoding: chunked')}2\r\n{}\r\n`,
  ],
  [
    'JSON in the middle of a chunk',
    'createEmployee',
    `${post('/employees', json, 'Transfer-Encoding: chunked')}9\r\n{}`,
  ],
  [
    'an upload before its length',
    'uploadIncidentAttachment',
    `${post(uploads, multipart, 'Content-Length: 100000')}--x\r\n`,
  ],
  [
    'an upload before its last chunk',
    'uploadIncidentAttachment',
    `${post(uploads, multipart, 'Transfer-Encoding: chunked')}5\r\n--x\r\n\r\n`,
  ],
];

describe('400 VALIDATION_ERROR: the client ends its side in the middle of the body, and is answered', () => {
  for (const [name, operation, bytes] of cutShort)
    test(`${name}; it is logged and counted once, as gone`, async () => {
      const calls = service.calls.length;
      const { status, headers, error } = await halfClose(bytes);
      assert.equal(status, 400);
      assert.equal(error.code, 'VALIDATION_ERROR');
      assert.match(error.message, /^The body ended before its declared length; send all of it/);
      assert.match(headers, new RegExp(`^X-Request-ID: ${error.requestId}\\r?$`, 'm'));
      assert.match(headers, /^Content-Type: application\/json\r?$/m);
      assert.match(headers, /^Connection: close\r?$/m);
      assert.deepEqual(await logged(), [`${operation} 499`]);
      assert.equal(service.calls.length, calls);
      const metrics = await service.metrics.registry.metrics();
      assert.match(metrics, new RegExp(`kontor_requests_total\\{operation="${operation}",status="499"\\}`));
    });

  test('while an earlier stage is still at work', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    gate = promise;
    const ended = once(service.server, 'clientError');
    const answer = halfClose(cutShort[0]![2]);
    await ended;
    resolve();
    gate = undefined;
    assert.equal((await answer).error.code, 'VALIDATION_ERROR');
    assert.deepEqual(await logged(), ['createEmployee 499']);
  });
});

test('a rejection before the body is read stays the same, also when the body is cut short', async () => {
  const { status, error } = await halfClose(`${post('/employees', 'Content-Length: 100')}{"email"`);
  assert.deepEqual([status, error.code], [415, 'UNSUPPORTED_MEDIA_TYPE']);
});

test('a client that has gone in the middle of the body is logged once as 499', async () => {
  for (const leave of ['destroy', 'resetAndDestroy'] as const) {
    lines = service.log.length;
    const socket = connect({ port: service.port, host: '127.0.0.1' });
    socket.write(cutShort[0]![2]);
    while ((await service.metrics.inFlight.get()).values[0]?.value !== 1) await new Promise(setImmediate);
    socket[leave]();
    assert.deepEqual(await logged(), ['createEmployee 499'], leave);
  }
});

test('a client that ends its side behind a complete request is answered', async () => {
  const head = ['GET /v1/employees HTTP/1.1', 'Host: x', `X-API-Key: ${keys.all}`];
  assert.equal((await halfClose(`${head.join('\r\n')}\r\n\r\n`)).status, 200);
  const whole = `${post('/employees', json, 'Content-Length: 2')}{}`;
  assert.match((await halfClose(whole)).error.message, /^email, firstName and lastName are required/);
});
