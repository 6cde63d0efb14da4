import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { after, before, test } from 'node:test';
import { keys, rawRequest, type StubService, stubService } from './stub-service.ts';

let service: StubService;
before(async () => (service = await stubService()));
after(() => service.close());

const request = (...headers: string[]) =>
  ['GET /v1/employees HTTP/1.1', 'Host: x', `X-API-Key: ${keys.all}`, ...headers, '', ''].join('\r\n');

test('100 requests ahead of the answer to the first are all answered', async () => {
  const answers = await rawRequest(service.port, request().repeat(100) + request('Connection: close'));
  assert.equal(answers.match(/HTTP\/1.1 200 OK/g)?.length, 101);
});

test('a connection that sends more ahead is closed, and no more of it are handled', async () => {
  const { length: calls } = service.calls;
  const socket = connect({ port: service.port, host: '127.0.0.1' });
  const answers = text(socket).catch(() => '');
  socket.write(request().repeat(1000));
  await once(socket, 'close');
  await answers;
  assert.ok(service.calls.length - calls <= 101, String(service.calls.length - calls));
  assert.equal((await service.client.get('/employees')).status, 200);
});

test('none of them is in flight any more, also not those that wait for earlier answers', async () => {
  const inFlight = async () => (await service.metrics.inFlight.get()).values[0]!.value;
  while ((await inFlight()) !== 0) await new Promise(setImmediate);
});
