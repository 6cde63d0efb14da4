import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type Socket, connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { after, before, describe, test } from 'node:test';
import { bodyLimits } from '@kontor/contract';
import { keys, newEmployee, rawRequest, type StubService, stubService } from './stub-service.ts';

let service: StubService;
before(async () => (service = await stubService()));
after(() => service.close());

const megabyte = 1024 * 1024;

/** A valid body of exactly so many bytes. */
function bodyOf(bytes: number): Buffer {
  return Buffer.from(JSON.stringify(newEmployee).padEnd(bytes));
}

/** The head of a request, up to the empty line. */
function head(requestLine: string, headers: Record<string, string | number>): string {
  const lines = Object.entries({ Host: 'x', ...headers }).map(([name, value]) => `${name}: ${value}`);
  return `${requestLine} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`;
}

const json = { 'X-API-Key': keys.all, 'Content-Type': 'application/json' };
const post = (headers: Record<string, string | number>) => head('POST /v1/employees', headers);

/** Writes everything before it reads anything, as many clients do, and answers what comes back. */
async function writeThenRead(bytes: Buffer[]): Promise<string> {
  const socket = connect({ port: service.port, host: '127.0.0.1' });
  for (const part of bytes) if (!socket.write(part)) await once(socket, 'drain');
  await flushed(socket);
  return text(socket);
}

/** Resolves once every byte has left this process. */
async function flushed(socket: Socket): Promise<void> {
  await new Promise<void>((resolve, reject) =>
    socket.write('', error => (error ? reject(error) : resolve())),
  );
}

const twentyMegabytes = Buffer.alloc(20 * megabyte, ' ');

describe('a client that writes 20 MB before it reads gets the answer', () => {
  const cases: [name: string, line: string, headers: Record<string, string>, status: number][] = [
    ['413', 'POST /v1/employees', json, 413],
    ['401', 'POST /v1/employees', { 'Content-Type': 'application/json' }, 401],
    ['415', 'POST /v1/employees', { 'X-API-Key': keys.all }, 415],
    ['404', 'POST /v1/nothing', {}, 404],
    ['404 to PUT', 'PUT /v1/employees', {}, 404],
    ['GET with a body', 'GET /v1/employees', json, 200],
  ];
  for (const [name, line, headers, status] of cases)
    for (const connection of ['close', 'keep-alive'])
      test(`${name}, Connection: ${connection}`, async () => {
        const declared = head(line, {
          ...headers,
          'Content-Length': twentyMegabytes.length,
          Connection: connection,
        });
        const next = connection === 'close' ? '' : head('GET /v1/health', { Connection: 'close' });
        const answer = await writeThenRead([Buffer.from(declared), twentyMegabytes, Buffer.from(next)]);
        assert.match(answer, new RegExp(`^HTTP/1.1 ${status} `));
        if (next !== '') assert.match(answer, /\{"status":"ok"/);
      });

  test('413 when it is chunked', async () => {
    const chunk = `${megabyte.toString(16)}\r\n${' '.repeat(megabyte)}\r\n`;
    const chunks = Array.from({ length: 20 }, () => Buffer.from(chunk));
    const start = Buffer.from(post({ ...json, 'Transfer-Encoding': 'chunked', Connection: 'close' }));
    const answer = await writeThenRead([start, ...chunks, Buffer.from('0\r\n\r\n')]);
    assert.match(answer, /^HTTP\/1.1 413 /);
    assert.match(answer, /"PAYLOAD_TOO_LARGE"/);
  });

  test('429, and with it Retry-After', async () => {
    const headers = {
      ...json,
      'X-API-Key': keys.small,
      'Content-Length': twentyMegabytes.length,
      Connection: 'close',
    };
    let answer = '';
    for (let i = 0; i < 4; i++) answer = await writeThenRead([Buffer.from(post(headers)), twentyMegabytes]);
    assert.match(answer, /^HTTP\/1.1 429 /);
    assert.match(answer, /Retry-After: [1-9]/);
  });

  test('404 to CONNECT', async () => {
    const start = Buffer.from(head('CONNECT example.com:443', {}));
    assert.match(await writeThenRead([start, twentyMegabytes]), /^HTTP\/1.1 404 /);
  });

  test('400 when the headers never end', async () => {
    const filler = Buffer.from(`X-Filler: ${'x'.repeat(megabyte)}\r\n`);
    const answer = await writeThenRead([
      Buffer.from('GET / HTTP/1.1\r\n'),
      ...Array<Buffer>(40).fill(filler),
    ]);
    assert.match(answer, /^HTTP\/1.1 400 /);
    assert.match(answer, /128 KiB/);
  });
});

describe('5 MiB', () => {
  for (const transfer of ['declared', 'chunked'])
    test(`exactly 5,242,880 bytes pass and one more is 413, ${transfer}`, async () => {
      assert.equal(bodyLimits.large, 5_242_880);
      for (const [size, status] of [
        [bodyLimits.large, 201],
        [bodyLimits.large + 1, 413],
      ] as const) {
        const body = bodyOf(size);
        const request = {
          method: 'POST',
          headers: { 'x-api-key': keys.all, 'content-type': 'application/json' },
          body: transfer === 'declared' ? body : new Blob([body]).stream(),
          duplex: 'half',
        };
        const answer = await fetch(`${service.url}/employees`, request as RequestInit);
        assert.equal(answer.status, status);
        await answer.text();
      }
    });

  test('413 carries no quota headers, and the message names the limit', async () => {
    const headers = { 'content-type': 'application/json' };
    const answer = await service.client.request('POST', '/employees', { headers, raw: bodyOf(6 * megabyte) });
    assert.equal(answer.body.error.code, 'PAYLOAD_TOO_LARGE');
    assert.match(answer.body.error.message, /5 MiB/);
  });
});

test('a body without end is not read for ever: the connection is closed after 256 MiB', async () => {
  const socket = connect({ port: service.port, host: '127.0.0.1' });
  socket.on('error', () => {}).resume();
  const closed = new Promise(resolve => socket.once('close', resolve));
  socket.write(post({ 'Content-Length': 10 ** 12 }));
  const fill = () => {
    while (!socket.destroyed && socket.write(twentyMegabytes));
  };
  socket.on('drain', fill);
  fill();
  await closed;
  assert.ok(socket.bytesWritten < 512 * megabyte);
});

test('a body that was received before it is read is read to its end, whatever its size', async t => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const waiting = await stubService({ authenticating: () => promise });
  t.after(() => waiting.close());
  const received = once(waiting.server, 'connection') as Promise<[Socket]>;
  // All of it is buffered at once: larger than what is free of the budget, smaller than two chunks.
  const body = Buffer.from(JSON.stringify(newEmployee).padStart(100_000));
  const request = Buffer.concat([
    Buffer.from(post({ ...json, 'Content-Length': body.length, Connection: 'close' })),
    body,
  ]);
  const answer = rawRequest(waiting.port, request);
  const [socket] = await received;
  while (socket.bytesRead < request.length) await new Promise(setImmediate);
  resolve();
  assert.match(await answer, /^HTTP\/1.1 201 /);
});

describe('Expect: 100-continue', () => {
  const expecting = (headers: Record<string, string | number>, connection: string) =>
    rawHeadThen(
      post({ ...headers, Expect: '100-continue', Connection: connection }),
      JSON.stringify(newEmployee),
    );

  /** Sends the head, and the body only once 100 came back. */
  async function rawHeadThen(start: string, body: string): Promise<string> {
    const socket = connect({ port: service.port, host: '127.0.0.1' });
    socket.write(start);
    const [first] = (await once(socket, 'data')) as [Buffer];
    if (first.toString().startsWith('HTTP/1.1 100 ')) socket.write(body);
    else socket.end();
    return first.toString() + (await text(socket));
  }

  test('the body is asked for once nothing stands against it', async () => {
    const answer = await expecting(
      { ...json, 'Content-Length': JSON.stringify(newEmployee).length },
      'close',
    );
    assert.match(answer, /^HTTP\/1.1 100 Continue\r\n\r\nHTTP\/1.1 201 /);
  });

  test('a request that is rejected by its headers is answered without asking for the body', async () => {
    const tooLarge = { ...json, 'Content-Length': bodyLimits.large + 1 };
    for (const connection of ['close', 'keep-alive']) {
      assert.match(
        await expecting({ 'Content-Length': 10 }, connection),
        /^HTTP\/1.1 401 [^]*Connection: close\r\n/,
      );
      assert.match(await expecting(tooLarge, connection), /^HTTP\/1.1 413 [^]*Connection: close\r\n/);
    }
  });
});

test('a client that breaks off in its body is logged with status 499, and the service goes on', async () => {
  const socket = connect({ port: service.port, host: '127.0.0.1' });
  const logged = service.log.length;
  socket.write(post({ ...json, 'Content-Length': 1000 }) + '{"email"');
  // The request counts as in progress as soon as the service knows of it.
  while ((await service.metrics.inFlight.get()).values[0]?.value !== 1) await new Promise(setImmediate);
  socket.destroy();
  while (service.log.length === logged) await new Promise(setImmediate);
  assert.equal(service.log.at(-1)!['status'], 499);
  assert.equal((await service.client.get('/employees')).status, 200);
});

test('a body with broken chunks is 400 VALIDATION_ERROR', async () => {
  const start = post({ ...json, 'Transfer-Encoding': 'chunked' });
  const answer = await rawRequest(service.port, `${start}zz\r\n`);
  assert.match(answer, /^HTTP\/1.1 400 /);
  assert.match(answer, /"VALIDATION_ERROR"/);
});
