import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { setImmediate as nextWrite } from 'node:timers/promises';
import { Random } from '../../faults/random.ts';
import { ReadyFinder } from '../../faults/messages.ts';
import { FaultProxy } from '../../faults/proxy.ts';

/** A message as PostgreSQL sends them. */
function message(letter: string, body: string): Buffer {
  const length = Buffer.alloc(4);
  length.writeInt32BE(4 + body.length);
  return Buffer.concat([Buffer.from(letter), length, Buffer.from(body)]);
}

const ready = message('Z', 'I');
const row = message('D', 'ZZZZZ');
const answer = Buffer.concat([row, ready]);

test('the end of a statement is found however the bytes are cut', () => {
  const stream = Buffer.concat([answer, message('N', ''), answer, ready]);
  const closes = [answer.length, 2 * answer.length + 5, stream.length];
  for (let size = 1; size <= stream.length; size++) {
    const finder = new ReadyFinder();
    const found: number[] = [];
    for (let at = 0; at < stream.length; at += size)
      found.push(...finder.find(stream.subarray(at, at + size)).map(position => at + position));
    assert.deepEqual(found, closes, `in pieces of ${size}`);
  }
});

describe('a proxy', () => {
  /** Answers every message with a row, and that it is ready. */
  let server: Server;
  let proxy: FaultProxy;
  const heard: string[] = [];

  before(async () => {
    server = createServer(socket => {
      socket.on('error', () => {});
      socket.on('data', (bytes: Buffer) => {
        heard.push(bytes.toString());
        socket.write(answer);
      });
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    proxy = await FaultProxy.start({ port: (server.address() as AddressInfo).port }, new Random(1));
  });
  after(async () => {
    await proxy.close();
    server.close();
  });

  async function open(): Promise<Socket> {
    const socket = connect(proxy.port, '127.0.0.1');
    await once(socket, 'connect');
    return socket;
  }

  /** Sends a text, and answers how many bytes come back before the connection fails or the answer is complete. */
  async function context(socket: Socket, text: string): Promise<number> {
    socket.write(text);
    let received = 0;
    while (received < answer.length) {
      const [bytes] = (await once(socket, 'data')) as [Buffer];
      received += bytes.length;
    }
    return received;
  }

  /** Sends until the connection fails, and answers the code of its error. */
  async function untilFailure(socket: Socket): Promise<unknown> {
    for (;;) {
      const code = await context(socket, 'x'.repeat(20)).then(
        () => null,
        (error: NodeJS.ErrnoException) => error.code,
      );
      if (code !== null) return code;
    }
  }

  test('without a fault passes everything', async () => {
    const socket = await open();
    assert.equal(await context(socket, 'one'), answer.length);
    assert.equal(await context(socket, 'two'), answer.length);
    socket.destroy();
  });

  for (const name of ['reset at bytes', 'reset between statements'] as const)
    test(`with "${name}" resets old connections and new ones`, async () => {
      const old = await open();
      await context(old, 'one');
      await proxy.strike({ name });
      for (const socket of [old, await open()]) assert.equal(await untilFailure(socket), 'ECONNRESET');
      await proxy.heal();
    });

  test('keeps old connections silent and lets new ones work, and in the end resets the old on the next word', async () => {
    const old = await open();
    await context(old, 'before');
    const given: string[] = [];
    old.on('data', bytes => given.push(String(bytes)));
    await proxy.strike({ name: 'half-open' });
    const fresh = await open();
    await context(fresh, 'fresh');
    assert.equal(heard.at(-1), 'fresh');
    await proxy.heal();
    await context(fresh, 'still fresh');
    old.write('lost');
    const [error] = (await once(old, 'error')) as [NodeJS.ErrnoException];
    assert.equal(error.code, 'ECONNRESET');
    assert.ok(!heard.includes('lost'));
    assert.deepEqual(given, []);
    fresh.destroy();
  });

  test('that rejects takes connections again in the end, on the same port', async () => {
    const { port } = proxy;
    await proxy.strike({ name: 'refuse' });
    await assert.rejects(open(), { code: 'ECONNREFUSED' });
    await proxy.heal();
    assert.equal(proxy.port, port);
    const socket = await open();
    assert.equal(await context(socket, 'again'), answer.length);
    socket.destroy();
  });

  test('that is mute accepts connections, answers nothing, and resets them in the end', async () => {
    await proxy.strike({ name: 'mute' });
    const socket = await open();
    const answered = context(socket, 'hello');
    // The proxy has the connection at the end of this turn.
    await nextWrite();
    await proxy.heal();
    await assert.rejects(answered, { code: 'ECONNRESET' });
    assert.ok(!heard.includes('hello'));
  });

  test('that delays keeps the order, also when the delay ends', async () => {
    const socket = await open();
    await proxy.strike({ name: 'delay', milliseconds: 30 });
    const before = heard.length;
    socket.write('late');
    await once(socket, 'data');
    socket.write('later');
    await proxy.heal();
    await context(socket, 'last');
    assert.equal(heard.slice(before).join(''), 'latelaterlast');
    socket.destroy();
  });

  test('that points elsewhere resets what led to the old place', async () => {
    const socket = await open();
    await context(socket, 'here');
    const failed = untilFailure(socket);
    proxy.pointAt({ port: (server.address() as AddressInfo).port });
    assert.equal(await failed, 'ECONNRESET');
    const next = await open();
    assert.equal(await context(next, 'there'), answer.length);
    next.destroy();
  });
});
