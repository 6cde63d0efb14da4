import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type Socket, connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { after, before, describe, test } from 'node:test';
import { bodyLimits } from '@kontor/contract';
import { encode } from './multipart-forms.ts';
import { employeeId, keys, newEmployee, type StubService, stubService } from './stub-service.ts';

const timeout = 60_000;

/** What the handler of creates waits for. */
let handled: Promise<void> | undefined;

let service: StubService;
/** It measures the rate of bodies twenty times as often. */
let strict: StubService;
/** The ends of the connections that the service has. */
const connections = new Set<Socket>();
before(async () => {
  const createEmployee = async () => {
    await handled;
    return { status: 201, body: '{}', headers: { Location: '/v1/employees/x' } };
  };
  service = await stubService({ handlers: { createEmployee } });
  strict = await stubService({ bodyRatePeriod: 500 });
  for (const { server } of [service, strict])
    server.on('connection', socket => {
      connections.add(socket);
      socket.once('close', () => connections.delete(socket));
    });
});
after(() => Promise.all([service.close(), strict.close()]));

/** As many as a key has places for. */
const senders = 3;

const body = encodeFile(bodyLimits.large);

/** An upload with a body of exactly so many bytes. */
function encodeFile(size: number): Buffer {
  const form = (content: string) =>
    encode({
      boundary: 'x',
      parts: [{ name: 'file', fileName: 'a.pdf', content }],
      styles: [],
      preamble: '',
      epilogue: '',
    });
  const start = '%PDF-1.7';
  return form(start.padEnd(start.length + size - form(start).length));
}

interface Sender {
  readonly socket: Socket;
  /** The status and all that the service answers. */
  readonly answer: Promise<string>;
}

/** Sends the head of a request and the beginning of its body. */
function send(
  path: string,
  headers: readonly string[],
  body: Buffer | string,
  { key = keys.all, to = service }: { key?: string; to?: StubService } = {},
): Sender {
  const socket = connect({ port: to.port, host: '127.0.0.1' });
  const start = [`POST /v1${path} HTTP/1.1`, 'Host: x', `X-API-Key: ${key}`, 'Connection: close'];
  socket.write(`${[...start, ...headers].join('\r\n')}\r\n\r\n`);
  socket.write(body);
  return { socket, answer: text(socket) };
}

/** Sends the head of an upload and the first bytes of its body. */
function begin(bytes: number, target: { key?: string; to?: StubService } = {}): Sender {
  const headers = ['Content-Type: multipart/form-data; boundary=x', `Content-Length: ${body.length}`];
  return send(`/incidents/${employeeId}/attachments`, headers, body.subarray(0, bytes), target);
}

const type = 'Content-Type: application/json';

/** Sends an employee with so much white space behind it that the body has this size. */
function sendJson(size: number): Sender {
  return send('/employees', [type, `Content-Length: ${size}`], JSON.stringify(newEmployee).padEnd(size));
}

/** Sends the first chunk of an employee. */
function beginChunked(): Sender {
  return send('/employees', [type, 'Transfer-Encoding: chunked'], '1\r\n{\r\n');
}

async function inProgress(count: number, { metrics } = service): Promise<void> {
  const now = async () => (await metrics.inFlight.get()).values[0]?.value;
  while ((await now()) !== count) await new Promise(setImmediate);
}

const statusOf = (answer: string) => Number(answer.split(' ')[1]);

/** Sends what is left of the bodies, and answers what each is answered. */
async function complete(slow: readonly Sender[], sent: number): Promise<string[]> {
  for (const { socket } of slow) socket.end(body.subarray(sent));
  return Promise.all(slow.map(({ answer }) => answer));
}

/** Whether the service has received all that was sent. */
function isReceived({ socket }: Sender): boolean {
  const { localPort, bytesWritten } = socket;
  return [...connections].some(
    ({ remotePort, bytesRead }) => remotePort === localPort && bytesRead === bytesWritten,
  );
}

/** Bodies that lack their last byte, and hold all places of a key. */
async function beginAll(to = service): Promise<Sender[]> {
  const slow = Array.from({ length: senders }, () => begin(body.length - 1, { to }));
  while (!slow.every(isReceived)) await new Promise(setImmediate);
  return slow;
}

describe('bodies of which next to nothing was received', { timeout }, () => {
  test('keep no upload of the same key waiting, however many there are and whatever they declare', async () => {
    const slow = Array.from({ length: 200 }, () => begin(1));
    await inProgress(200);
    assert.equal(statusOf(await begin(body.length).answer), 201);
    await inProgress(200);
    for (const { socket } of slow) socket.end();
    for (const { answer } of slow) assert.match(await answer, /The body ended before its declared length/);
  });
});

/** Sends a part of each body ten times a second. Returns how to stop. */
function trickle(slow: readonly Sender[], { from, step }: { from: number; step: number }): () => void {
  let sent = from;
  const timer = setInterval(() => {
    for (const { socket } of slow) socket.write(body.subarray(sent, sent + step));
    sent += step;
  }, 100);
  return () => clearInterval(timer);
}

/** The rejection of a body. The service reads and drops the rest until the client ends it. */
async function rejection({ socket, answer }: Sender): Promise<string> {
  await once(socket, 'data');
  socket.end();
  return answer;
}

describe('a body is rejected with 400', { timeout }, () => {
  const tooSlow =
    /^HTTP\/1.1 400 [^]*"VALIDATION_ERROR","message":"The body arrived too slowly; send it again, faster/;

  test('when it brings less than 1 kB a second, though no other one waits', async () => {
    for (const bytes of [1, 100_000]) assert.match(await rejection(begin(bytes, { to: strict })), tooSlow);
  });

  test('when it brings less than 64 kB a second and an upload of its key waits for a place, but not before', async () => {
    const slow = Array.from({ length: senders }, () => begin(100_000, { to: strict }));
    while (!slow.every(isReceived)) await new Promise(setImmediate);
    const stop = trickle(slow, { from: 100_000, step: 1024 });
    const { length: lines } = strict.log;
    // Each of these ends after a measurement that the others pass.
    for (let measurement = 1; measurement <= 2; measurement++) {
      await rejection(begin(1, { to: strict, key: keys.tenantA }));
      assert.equal(strict.log.length, lines + measurement);
    }
    assert.equal(statusOf(await begin(body.length, { to: strict }).answer), 201);
    stop();
    for (const { socket } of slow) socket.end();
    const answers = await Promise.all(slow.map(({ answer }) => answer));
    assert.ok(answers.some(answer => tooSlow.test(answer)));
  });

  test('only when it has a place that the waiting one could get', async () => {
    const other = begin(100_000, { to: strict, key: keys.tenantA });
    const stop = trickle([other], { from: 100_000, step: 1024 });
    const stopped = await beginAll(strict);
    const next = begin(body.length, { to: strict });
    for (const answer of await Promise.all(stopped.map(rejection))) assert.match(answer, tooSlow);
    assert.equal(statusOf(await next.answer), 201);
    stop();
    other.socket.end();
    assert.match(await other.answer, /The body ended before its declared length/);
  });
});

describe('when senders who have stopped hold all places of a key', { timeout }, () => {
  test('an upload of another key has places of its own: none of them loses anything', async () => {
    const slow = await beginAll();
    assert.equal(statusOf(await begin(body.length, { key: keys.tenantA }).answer), 201);
    const answers = await complete(slow, body.length - 1);
    assert.deepEqual(answers.map(statusOf), [201, 201, 201]);
  });

  test('a JSON body of up to 64 KiB needs no place', async () => {
    const slow = await beginAll();
    assert.equal(statusOf(await sendJson(64 * 1024).answer), 201);
    const answers = await complete(slow, body.length - 1);
    assert.deepEqual(answers.map(statusOf), [201, 201, 201]);
  });
});

test('an upload waits for senders of its key who keep up', { timeout }, async () => {
  const step = 128 * 1024;
  const steady = Array.from({ length: senders }, () => begin(step));
  await inProgress(senders);
  let sent = step;
  const trickle = setInterval(() => {
    for (const { socket } of steady) socket.write(body.subarray(sent, sent + step));
    sent += step;
    if (sent >= body.length) clearInterval(trickle);
  }, 150);
  const more = Array.from({ length: senders }, () => begin(body.length));
  const answers = await Promise.all([...steady, ...more].map(({ answer }) => answer));
  assert.deepEqual(new Set(answers.map(statusOf)), new Set([201]));
});

test('bodies in chunks that are never completed keep no upload waiting', { timeout }, async () => {
  const slow = Array.from({ length: 2 * senders }, beginChunked);
  await inProgress(2 * senders);
  assert.equal(statusOf(await begin(body.length).answer), 201);
  for (const { socket } of slow) socket.end('0\r\n\r\n');
  const answers = await Promise.all(slow.map(({ answer }) => answer));
  assert.deepEqual(new Set(answers.map(statusOf)), new Set([400]));
  assert.ok(answers.every(answer => answer.includes('not valid JSON')));
});

test('a JSON body gives its place back before it is handled', { timeout }, async () => {
  const { length: calls } = service.calls;
  const { promise, resolve } = Promise.withResolvers<void>();
  handled = promise;
  const all = Array.from({ length: 4 * senders }, () => sendJson(bodyLimits.large));
  while (service.calls.length < calls + all.length) await new Promise(setImmediate);
  resolve();
  const answers = await Promise.all(all.map(({ answer }) => answer));
  assert.deepEqual(new Set(answers.map(statusOf)), new Set([201]));
});
