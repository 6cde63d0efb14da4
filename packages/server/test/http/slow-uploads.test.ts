import assert from 'node:assert/strict';
import { type Socket, connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { after, before, describe, test } from 'node:test';
import { bodyLimit } from '../../src/http/body.ts';
import { encode } from './multipart-forms.ts';
import { employeeId, keys, type StubService, stubService } from './stub-service.ts';

const timeout = 60_000;

let service: StubService;
before(async () => (service = await stubService()));
after(() => service.close());

/** As many as the room for uploads holds. */
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

/** Sends the head of an upload and the first bytes of its body. */
function begin(bytes: number): Sender {
  const socket = connect({ port: service.port, host: '127.0.0.1' });
  const head = [
    `POST /v1/incidents/${employeeId}/attachments HTTP/1.1`,
    'Host: x',
    `X-API-Key: ${keys.all}`,
    'Content-Type: multipart/form-data; boundary=x',
    `Content-Length: ${body.length}`,
    'Connection: close',
  ];
  socket.write(`${head.join('\r\n')}\r\n\r\n`);
  socket.write(body.subarray(0, bytes));
  return { socket, answer: text(socket) };
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
      assert.match(refused, /"SERVICE_UNAVAILABLE","message":"The upload came too slowly/);
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
