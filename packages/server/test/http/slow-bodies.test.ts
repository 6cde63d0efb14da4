import assert from 'node:assert/strict';
import { type Socket, connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { after, before, describe, test } from 'node:test';
import { bodyLimit } from '../../src/http/body.ts';
import { encode } from './multipart-forms.ts';
import { employeeId, keys, newEmployee, type StubService, stubService } from './stub-service.ts';

const timeout = 60_000;

/** What the handler of creates waits for. */
let handled: Promise<void> | undefined;

let service: StubService;
before(async () => {
  const createEmployee = async () => {
    await handled;
    return { status: 201, body: '{}', headers: { Location: '/v1/employees/x' } };
  };
  service = await stubService({ handlers: { createEmployee } });
});
after(() => service.close());

/** As many bodies of 5 MiB as the room holds. */
const senders = 6;

const body = encodeFile(bodyLimit);

/** An upload whose body has exactly so many bytes. */
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
function send(path: string, headers: readonly string[], body: Buffer | string): Sender {
  const socket = connect({ port: service.port, host: '127.0.0.1' });
  const start = [`POST /v1${path} HTTP/1.1`, 'Host: x', `X-API-Key: ${keys.all}`, 'Connection: close'];
  socket.write(`${[...start, ...headers].join('\r\n')}\r\n\r\n`);
  socket.write(body);
  return { socket, answer: text(socket) };
}

/** Sends the head of an upload and the first bytes of its body. */
function begin(bytes: number): Sender {
  const headers = ['Content-Type: multipart/form-data; boundary=x', `Content-Length: ${body.length}`];
  return send(`/incidents/${employeeId}/attachments`, headers, body.subarray(0, bytes));
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

async function underWay(count: number): Promise<void> {
  const now = async () => (await service.metrics.inFlight.get()).values[0]?.value;
  while ((await now()) !== count) await new Promise(setImmediate);
}

const statusOf = (answer: string) => Number(answer.split(' ')[1]);

describe('an upload that waits for room', { timeout }, () => {
  for (const [name, sent] of [
    ['who have sent next to nothing', 1000],
    ['who have sent all but a byte', body.length - 1],
  ] as const)
    test(`gets that of one of the senders ${name} and stopped; the others keep theirs`, async () => {
      const slow = Array.from({ length: senders }, () => begin(sent));
      await underWay(senders);
      const next = begin(body.length);
      assert.equal(statusOf(await next.answer), 201);
      for (const { socket } of slow) socket.end(body.subarray(sent));
      const answers = await Promise.all(slow.map(({ answer }) => answer));
      assert.deepEqual(answers.map(statusOf).toSorted(), [201, 201, 201, 201, 201, 503]);
      const refused = answers.find(answer => statusOf(answer) === 503)!;
      assert.match(refused, /"SERVICE_UNAVAILABLE","message":"The body came too slowly/);
    });

  test('waits for senders who keep up', async () => {
    const step = 128 * 1024;
    const steady = Array.from({ length: senders }, () => begin(step));
    await underWay(senders);
    let sent = step;
    const trickle = setInterval(() => {
      for (const { socket } of steady) socket.write(body.subarray(sent, sent + step));
      sent += step;
      if (sent >= body.length) clearInterval(trickle);
    }, 150);
    const next = begin(body.length);
    const answers = await Promise.all([...steady, next].map(({ answer }) => answer));
    assert.deepEqual(new Set(answers.map(statusOf)), new Set([201]));
  });
});

describe('a JSON body', { timeout }, () => {
  const small = 64 * 1024;

  test('of up to 64 KiB needs no room; a larger one gets that of a slow sender', async () => {
    const lines = service.log.length;
    const slow = Array.from({ length: senders }, () => begin(1000));
    await underWay(senders);
    assert.equal(statusOf(await sendJson(small).answer), 201);
    assert.equal(statusOf(await sendJson(small + 1).answer), 201);
    const statuses = service.log.slice(lines).map(({ status }) => status);
    assert.deepEqual(statuses.filter(Boolean), [201, 503, 201]);
    for (const { socket } of slow) socket.end(body.subarray(1000));
    await Promise.all(slow.map(({ answer }) => answer));
  });

  test('in chunks takes room, which it loses when it comes too slowly', async () => {
    const slow = Array.from({ length: senders }, beginChunked);
    await underWay(senders);
    assert.equal(statusOf(await begin(body.length).answer), 201);
    for (const { socket } of slow) socket.end('0\r\n\r\n');
    const answers = await Promise.all(slow.map(({ answer }) => answer));
    assert.deepEqual(answers.map(statusOf).toSorted(), [400, 400, 400, 400, 400, 503]);
  });

  test('gives its room back before it is handled', async () => {
    const { length: calls } = service.calls;
    const { promise, resolve } = Promise.withResolvers<void>();
    handled = promise;
    const all = Array.from({ length: 2 * senders }, () => sendJson(bodyLimit));
    while (service.calls.length < calls + all.length) await new Promise(setImmediate);
    resolve();
    const answers = await Promise.all(all.map(({ answer }) => answer));
    assert.deepEqual(new Set(answers.map(statusOf)), new Set([201]));
  });
});
