import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { after, before, describe, test } from 'node:test';
import { rawRequest, type StubService, stubService } from './stub-service.ts';

let service: StubService;
before(async () => {
  service = await stubService({
    connectionTimeouts: { headers: 200, request: 400, keepAlive: 200, check: 20 },
  });
});
after(() => service.close());

const get = 'GET /v1/health HTTP/1.1\r\nHost: x\r\n\r\n';

describe('a connection whose timeout passes', { timeout: 20_000 }, () => {
  test('is closed without an answer, a log line or a count when it sent nothing', async () => {
    const lines = service.log.length;
    assert.equal(await text(connect({ port: service.port, host: '127.0.0.1' })), '');
    assert.equal(service.log.length, lines);
    assert.doesNotMatch(await service.metrics.registry.metrics(), /operation="protocol"/);
  });

  test('is closed without another answer after its request was answered', async () => {
    const answers = await rawRequest(service.port, get);
    assert.match(answers, /^HTTP\/1\.1 200 OK\r\n/);
    assert.equal(answers.match(/HTTP\/1\.1 /g)!.length, 1);
  });

  for (const [name, bytes] of Object.entries({
    'half a request line': 'GET /v1/hea',
    'half of the headers': 'GET /v1/health HTTP/1.1\r\nHost',
    'half a request line after a request that was answered': `${get}GET /v1/hea`,
  }))
    test(`is answered 400 VALIDATION_ERROR when it sent ${name}`, async () => {
      const answers = await rawRequest(service.port, bytes);
      assert.match(answers, /HTTP\/1\.1 400 [^]*"VALIDATION_ERROR"[^]*did not arrive in time[^]*$/);
    });
});
