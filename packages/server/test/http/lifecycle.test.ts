import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, test } from 'node:test';
import { apis } from '@kontor/contract';
import { pino } from 'pino';
import { CredentialLookups } from '../../src/auth/credential-lookups.ts';
import { memoryCounting } from '../../src/lib/counting.ts';
import { startManagement } from '../../src/http/management.ts';
import { createMetrics } from '../../src/http/telemetry.ts';
import { quotaOf } from '../../src/http/admission.ts';
import type { ServedApi } from '../../src/http/service.ts';
import { type StubService, keys, stubService } from './stub-service.ts';

const request = (path: string) => `GET ${path} HTTP/1.1\r\nHost: x\r\nX-API-Key: ${keys.all}\r\n\r\n`;

/** A service with reads that wait until they are released. */
async function slowService(): Promise<{ service: StubService; release: () => void }> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const getEmployee = async () => {
    await promise;
    return { status: 200, body: '{"slow":true}' };
  };
  return { service: await stubService({ handlers: { getEmployee } }), release: resolve };
}

function open(service: StubService, bytes: string) {
  const socket = connect({ port: service.port, host: '127.0.0.1' });
  socket.write(bytes);
  return { socket, received: text(socket) };
}

const slowPath = '/v1/employees/65f0c0ffee0123456789abcd';

async function untilHandled(service: StubService, count: number): Promise<void> {
  while (service.calls.length < count) await new Promise(setImmediate);
}

/** Resolves when the port accepts no connection. */
async function untilRejected(port: number): Promise<void> {
  for (;;) {
    const socket = connect({ port, host: '127.0.0.1' });
    const isOpen = await once(socket, 'connect').then(
      () => true,
      () => false,
    );
    socket.destroy();
    if (!isOpen) return;
  }
}

describe('shutdown', () => {
  test('ends at once when all connections are idle, kept alive, silent or in the middle of their headers', async () => {
    const service = await stubService();
    const kept = open(service, request('/v1/health'));
    await once(kept.socket, 'data');
    const unresponsive = open(service, '');
    const halfway = open(service, 'GET /v1/health HTTP/1.1\r\nHost: x\r\n');
    await once(unresponsive.socket, 'connect');
    await service.lifecycle.shutDown(60);
    await Promise.allSettled([unresponsive.received, halfway.received]);
    assert.match(await kept.received, /^HTTP\/1.1 200 /);
  });

  test('serves everything during the drain and is not ready; each answer closes its connection', async () => {
    const service = await stubService();
    const kept = open(service, request('/v1/health'));
    await once(kept.socket, 'data');
    const ended = service.lifecycle.shutDown(60, 0.5);
    assert.equal(service.lifecycle.ready, false);
    kept.socket.write(request('/v1/employees'));
    const late = open(service, request('/v1/employees'));
    for (const answers of [await kept.received, await late.received])
      assert.match(answers, /HTTP\/1.1 200 OK\r\n[^]*Connection: close\r\n[^]*\{"page":1,[^]*\}$/);
    await ended;
    const rejected = connect({ port: service.port, host: '127.0.0.1' });
    const [rejection] = (await once(rejected, 'error')) as [NodeJS.ErrnoException];
    assert.equal(rejection.code, 'ECONNREFUSED');
  });

  test('reads the request of a connection that was accepted last, after the drain', async () => {
    const service = await stubService();
    const last = open(service, '');
    await once(last.socket, 'connect');
    const ended = service.lifecycle.shutDown(60, 0.1);
    await untilRejected(service.port);
    last.socket.write(request('/v1/health'));
    assert.match(await last.received, /^HTTP\/1.1 200 OK\r\n[^]*Connection: close\r\n/);
    await ended;
  });

  test('lets a request in flight end and closes its connection; takes no new ones; is not ready', async () => {
    const { service, release } = await slowService();
    assert.equal(service.lifecycle.ready, true);
    const slow = open(service, request(slowPath));
    await untilHandled(service, 1);
    const ended = service.lifecycle.shutDown(60);
    assert.equal(service.lifecycle.ready, false);
    const late = connect({ port: service.port, host: '127.0.0.1' });
    const [rejection] = await once(late, 'error').catch(error => [error]);
    assert.equal(rejection.code, 'ECONNREFUSED');
    release();
    const answer = await slow.received;
    assert.match(answer, /^HTTP\/1.1 200 OK\r\n[^]*Connection: close\r\n[^]*\{"slow":true\}$/);
    await ended;
  });

  test('cuts off what is still under way at the end of the grace time', async () => {
    const { service, release } = await slowService();
    const slow = open(service, request(slowPath));
    const cut = assert.rejects(slow.received).catch(async () => assert.equal(await slow.received, ''));
    await untilHandled(service, 1);
    await service.lifecycle.shutDown(0);
    await cut;
    release();
  });

  test('the gauge of requests in flight goes up and down', async () => {
    const { service, release } = await slowService();
    const slow = open(service, request(slowPath));
    await untilHandled(service, 1);
    const inFlight = async () => (await service.metrics.inFlight.get()).values[0]!.value;
    assert.equal(await inFlight(), 1);
    release();
    await once(slow.socket, 'data');
    while ((await inFlight()) !== 0) await new Promise(setImmediate);
    await service.close();
  });
});

/** The platform API without what is behind it. */
const noOperations: ServedApi = {
  api: apis.platform,
  routes: [],
  authenticate: async () => null,
  quota: quotaOf(memoryCounting(), { requests: 1, seconds: 1 }),
};

describe('the management port', () => {
  test('answers /livez, /readyz by readiness, /metrics, and 404 elsewhere', async () => {
    let ready: () => boolean | Promise<boolean> = () => true;
    let failure: string | null = null;
    const metrics = createMetrics({ process: true });
    const management = await startManagement({
      config: { managementHost: '127.0.0.1', managementPort: 0 },
      telemetry: { logger: pino({ enabled: false }), metrics },
      lookups: new CredentialLookups(),
      timeouts: { request: 1000, files: 1000 },
      tenantExists: async () => false,
      organizationExists: async () => false,
      clientAddress: () => '',
      shown: metrics.registry,
      ready: () => ready(),
      failure: () => failure,
      api: noOperations,
    });
    const get = async (path: string, method = 'GET') => {
      const answer = await fetch(`${management.url}${path}`, { method });
      const { status, headers } = answer;
      const [type, retry] = [headers.get('content-type'), headers.get('retry-after')];
      return { status, type, retry, body: await answer.text() };
    };
    assert.deepEqual([(await get('/livez')).status, (await get('/readyz')).status], [200, 200]);
    ready = async () => false;
    assert.deepEqual([(await get('/livez')).status, (await get('/readyz')).status], [200, 503]);
    ready = async () => {
      throw new Error('the database is away');
    };
    const { status, retry } = await get('/readyz');
    assert.equal(status, 503);
    assert.match(String(retry), /^[1-9][0-9]*$/);
    failure = 'the disk is full';
    const { status: livez, body: reason } = await get('/livez');
    assert.deepEqual([livez, reason], [503, 'the disk is full\n']);
    failure = null;
    const { type, body } = await get('/metrics');
    assert.match(String(type), /^text\/plain; version=0\.0\.4/);
    assert.match(body, /^nodejs_eventloop_lag_p99_seconds /m);
    assert.match(body, /^process_resident_memory_bytes /m);
    assert.deepEqual([(await get('/')).status, (await get('/livez', 'POST')).status], [404, 404]);
    await management.close(0);
  });
});
