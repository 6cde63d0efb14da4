import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { keys, rawRequest, type StubService, stubService } from './stub-service.ts';

const slow = Promise.withResolvers<void>();
let service: StubService;
before(
  async () =>
    (service = await stubService({
      handlers: {
        getEmployee: async () => {
          await slow.promise;
          return { status: 200, body: '{"slow":true}' };
        },
      },
    })),
);
after(() => service.close());

const head = (...lines: string[]) => `${lines.join('\r\n')}\r\n\r\n`;

const malformed: Record<string, string> = {
  'a request line without a version': head('GET /v1/employees', 'Host: x'),
  'an unknown version': head('GET /v1/employees HTTP/3.0', 'Host: x'),
  'an unknown method': head('FETCH /v1/employees HTTP/1.1', 'Host: x'),
  'the preface of HTTP/2': 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
  'a TLS handshake': '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03',
  'a header without a colon': head('GET /v1/health HTTP/1.1', 'Host: x', 'nonsense'),
  'a control character in a header': head('GET /v1/health HTTP/1.1', 'Host: x', 'X-A: a\x01b'),
  'a space before the colon': head('GET /v1/health HTTP/1.1', 'Host: x', 'X-A : b'),
  'a Content-Length that is no number': head('POST /v1/employees HTTP/1.1', 'Host: x', 'Content-Length: 5x'),
  'two different Content-Lengths': head(
    'POST /v1/employees HTTP/1.1',
    'Host: x',
    'Content-Length: 5',
    'Content-Length: 6',
  ),
  'Content-Length and Transfer-Encoding': `${head('POST /v1/employees HTTP/1.1', 'Host: x', 'Content-Length: 5', 'Transfer-Encoding: chunked')}0\r\n\r\n`,
  'headers over 128 KiB': head('GET /v1/health HTTP/1.1', 'Host: x', `X-A: ${'a'.repeat(129 * 1024)}`),
};
for (const [name, bytes] of Object.entries(malformed))
  test(`400 VALIDATION_ERROR in the envelope: ${name}`, async () => {
    const answer = await rawRequest(service.port, bytes);
    assert.match(answer, /^HTTP\/1.1 400 Bad Request\r\n/);
    const [headers, body] = answer.split('\r\n\r\n') as [string, string];
    const { error } = JSON.parse(body);
    assert.equal(error.code, 'VALIDATION_ERROR');
    assert.match(headers, new RegExp(`^X-Request-ID: ${error.requestId}\\r?$`, 'm'));
    assert.match(headers, /^Content-Type: application\/json\r?$/m);
    assert.match(headers, new RegExp(`^Content-Length: ${Buffer.byteLength(body)}\\r?$`, 'm'));
  });

test('headers of nearly 128 KiB pass, many or long ones', async () => {
  const long = head(
    'GET /v1/health HTTP/1.1',
    'Host: x',
    'Connection: close',
    `X-A: ${'a'.repeat(127 * 1024)}`,
  );
  assert.match(await rawRequest(service.port, long), /^HTTP\/1.1 200 /);
  const many = Array.from({ length: 5000 }, (_, i) => `X-A-${i}: value`);
  // The last of so many headers is seen: it rejects the request.
  const rejected = head('GET /v1/health HTTP/1.1', 'Host: x', 'Connection: close', ...many, 'If-Match: *');
  assert.match(await rawRequest(service.port, rejected), /UNSUPPORTED_HEADER/);
});

test('a filter of 16,000 encoded characters fits into the request', async () => {
  const filter = `lastName='${'ä'.repeat(15_980)}'`;
  const answer = await service.client.get('/employees', { query: { filter } });
  assert.equal(answer.status, 200);
});

test('a complete request is answered before the broken one behind it on the same connection', async () => {
  const get = head(
    'GET /v1/employees/65f0c0ffee0123456789abcd HTTP/1.1',
    'Host: x',
    `X-API-Key: ${keys.all}`,
  );
  const answer = rawRequest(service.port, `${get}nonsense\r\n\r\n`);
  while (service.calls.length === 0) await new Promise(setImmediate);
  slow.resolve();
  assert.match(await answer, /^HTTP\/1.1 200 OK\r\n[^]*\{"slow":true\}$/);
});

test('pipelined requests are answered in their order', async () => {
  const get = (path: string, ...more: string[]) => head(`GET ${path} HTTP/1.1`, 'Host: x', ...more);
  const answers = await rawRequest(
    service.port,
    get('/v1/health') + get('/v1/employees') + get('/v1/nothing', 'Connection: close'),
  );
  const statuses = [...answers.matchAll(/HTTP\/1.1 (\d+)/g)].map(match => match[1]);
  assert.deepEqual(statuses, ['200', '401', '404']);
});

test('an offer to upgrade the connection is ignored, and the request answered', async () => {
  const upgrade = head('GET /v1/health HTTP/1.1', 'Host: x', 'Connection: Upgrade, close', 'Upgrade: h2c');
  assert.match(await rawRequest(service.port, upgrade), /^HTTP\/1.1 200 /);
});

test('HTTP/1.0 is answered, also without Host', async () => {
  assert.match(await rawRequest(service.port, head('GET /v1/health HTTP/1.0')), /^HTTP\/1.1 200 /);
});

test('protocol errors are logged and counted, without anything of the request', async () => {
  await rawRequest(service.port, head('GET /v1/employees?filter=secret HTTP/9.9', 'X-API-Key: secret'));
  const line = service.log.at(-1)!;
  assert.deepEqual([line['operation'], line['status']], ['protocol', 400]);
  assert.doesNotMatch(JSON.stringify(service.log), /secret/);
  assert.match(await service.metrics.registry.metrics(), /operation="protocol",status="400"/);
});

test('a client may not be slow for ever', () => {
  const { headersTimeout, requestTimeout, keepAliveTimeout } = service.server;
  for (const timeout of [headersTimeout, requestTimeout, keepAliveTimeout])
    assert.ok(timeout > 0 && timeout <= 120_000);
});

test('a request with a body that breaks while its handler runs is rejected once, and the service goes on', async () => {
  const lines = service.log.length;
  const start = head(
    'GET /v1/employees/65f0c0ffee0123456789abcd HTTP/1.1',
    'Host: x',
    `X-API-Key: ${keys.all}`,
    'Transfer-Encoding: chunked',
  );
  const answer = await rawRequest(service.port, `${start}zz\r\n`);
  assert.equal(answer.match(/HTTP\/1.1 /g)!.length, 1);
  while (service.log.length < lines + 2) await new Promise(setImmediate);
  assert.equal((await service.client.get('/health')).status, 200);
});

test('400 VALIDATION_ERROR: a query with characters that are not percent-encoded', async () => {
  const target = "/v1/employees?filter=lastName='Müller'";
  const answer = await rawRequest(
    service.port,
    head(`GET ${target} HTTP/1.1`, 'Host: x', `X-API-Key: ${keys.all}`, 'Connection: close'),
  );
  assert.match(answer, /^HTTP\/1.1 400 [^]*"VALIDATION_ERROR"[^]*percent-encode/);
});

test('400 UNSUPPORTED_HEADER: a transfer encoding beside chunked', async () => {
  const lines = ['Host: x', `X-API-Key: ${keys.all}`, 'Content-Type: application/json', 'Connection: close'];
  const start = head('POST /v1/employees HTTP/1.1', ...lines, 'Transfer-Encoding: gzip, chunked');
  const answer = await rawRequest(service.port, `${start}0\r\n\r\n`);
  assert.match(answer, /^HTTP\/1.1 400 [^]*"UNSUPPORTED_HEADER"/);
});
