import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { apis } from '@kontor/contract';
import {
  registerEntrance,
  registerGuides,
  registerReference,
} from '../../src/http/response/documentation.ts';
import { rawRequest, type StubService, stubService } from './stub-service.ts';

const v7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
let service: StubService;
before(async () => {
  service = await stubService({
    platform: true,
    pages(get) {
      registerEntrance(get);
      registerReference(get, apis.public);
      registerGuides(get);
    },
  });
});
after(() => service.close());

test('an absent X-Request-ID is made by the service, as a UUID of version 7, and differs every time', async () => {
  const [one, two] = [await service.client.get('/employees'), await service.client.get('/employees')];
  assert.match(String(one.headers['x-request-id']), v7);
  assert.notEqual(one.headers['x-request-id'], two.headers['x-request-id']);
});

test('a UUID of version 4 or 7 comes back unchanged, letter case included', async () => {
  for (const id of ['0BADC0DE-1234-4abc-8DEF-0123456789aB', '0199a8c2-4c1e-7d53-9b0a-3f1c5d7e9a21']) {
    const answer = await service.client.get('/employees', { headers: { 'x-request-id': id } });
    assert.equal(answer.headers['x-request-id'], id);
  }
});

test('an error carries the sent X-Request-ID in header and envelope', async () => {
  const id = '0199A8C2-4c1e-7d53-9b0a-3f1c5d7e9a21';
  const answer = await service.client.get('/nothing', { headers: { 'x-request-id': id } });
  assert.equal(answer.headers['x-request-id'], id);
  assert.equal(answer.body.error.requestId, id);
});

const invalid = {
  'no UUID': 'abc',
  empty: '',
  'version 1': '0badc0de-1234-1abc-8def-0123456789ab',
  'version 6': '0badc0de-1234-6abc-8def-0123456789ab',
  'a wrong variant': '0badc0de-1234-4abc-cdef-0123456789ab',
  'the nil UUID': '00000000-0000-0000-0000-000000000000',
  'the max UUID': 'ffffffff-ffff-ffff-ffff-ffffffffffff',
  'no hyphens': '0badc0de12344abc8def0123456789ab',
  braces: '{0badc0de-1234-4abc-8def-0123456789ab}',
};
for (const [name, id] of Object.entries(invalid))
  test(`an X-Request-ID that is ${name} is 400 INVALID_REQUEST_ID with a fresh identifier`, async () => {
    const answer = await service.client.get('/employees', { headers: { 'x-request-id': id } });
    assert.equal(answer.status, 400);
    assert.equal(answer.body.error.code, 'INVALID_REQUEST_ID');
    assert.match(answer.body.error.requestId, v7);
  });

test('an X-Request-ID that is sent twice is 400 INVALID_REQUEST_ID', async () => {
  const id = '0badc0de-1234-4abc-8def-0123456789ab';
  const answer = await service.client.get('/employees', { headers: { 'x-request-id': [id, id] } });
  assert.equal(answer.body.error.code, 'INVALID_REQUEST_ID');
});

test('INVALID_REQUEST_ID comes before unknown routes, the key and health', async () => {
  for (const path of ['/nothing', '/employees', '/health', '/%zz', '/openapi.json/x']) {
    const answer = await service.client.get(path, { key: null, headers: { 'x-request-id': 'x' } });
    assert.equal(answer.body.error.code, 'INVALID_REQUEST_ID', path);
  }
});

describe('everything but /v1 replaces an invalid X-Request-ID', () => {
  const sentByProxies = {
    'the 32 digits of nginx': ['3f2b8c1d4e5f4a6b8c7d0e1f2a3b4c5d', '3f2b8c1d4e5f4a6b8c7d0e1f2a3b4c5d'],
    'version 9 of Envoy': ['3f2b8c1d-4e5f-9a6b-8c7d-0e1f2a3b4c5d', '3f2b8c1d-4e5f-9a6b-8c7d-0e1f2a3b4c5d'],
    'an empty one': ['', '(0 characters)'],
    'a long one': ['a'.repeat(100_000), '(100000 characters)'],
    'a key': ['kontor_abcdefghijkl_x', '(21 characters)'],
    'a terminal sequence': ['\x9b31m', '(4 characters)'],
  } as const;
  for (const [name, [id, logged]] of Object.entries(sentByProxies))
    test(`${name}, and logs at most 100 characters, none that could be a secret`, async () => {
      const answer = await fetch(new URL('/docs', service.url), { headers: { 'x-request-id': id } });
      assert.equal(answer.status, 200);
      const fresh = answer.headers.get('x-request-id')!;
      assert.match(fresh, v7);
      const line = service.log.find(({ requestId }) => requestId === fresh)!;
      assert.equal(line['replacedRequestId'], logged);
    });

  const targets: Record<string, number> = {
    '/docs': 200,
    '/docs/changelog.atom': 200,
    '/docs/guides': 200,
    '/': 302,
    '/v1': 302,
    '/v1/openapi.json': 200,
    '/platform/v1/openapi.json': 200,
    '/platform/v1/nothing': 404,
    '/nothing': 404,
    '/v2/employees': 404,
  };
  for (const [target, status] of Object.entries(targets))
    test(`GET ${target} is ${status} with a new one`, async () => {
      const answer = await fetch(new URL(target, service.url), {
        headers: { 'x-request-id': '3f2b8c1d4e5f4a6b8c7d0e1f2a3b4c5d' },
        redirect: 'manual',
      });
      assert.equal(answer.status, status);
      assert.match(answer.headers.get('x-request-id')!, v7);
      if (status === 404)
        assert.equal(((await answer.json()) as any).error.requestId, answer.headers.get('x-request-id'));
    });

  test('two of them, which a proxy adds to that of a client', async () => {
    const id = '0badc0de-1234-4abc-8def-0123456789ab';
    const headers = [`X-Request-ID: ${id}`, `X-Request-ID: ${id}`, 'Host: kontor', 'Connection: close'];
    const answer = await rawRequest(service.port, `GET /docs HTTP/1.1\r\n${headers.join('\r\n')}\r\n\r\n`);
    assert.match(answer, /^HTTP\/1.1 200 /);
    assert.match(/^x-request-id: (.*)\r$/im.exec(answer)![1]!, v7);
  });
});

test('a valid X-Request-ID of a page comes back unchanged, and none is logged as replaced', async () => {
  const id = '0199a8c2-4c1e-7d53-9b0a-3f1c5d7e9a22';
  const answer = await fetch(new URL('/docs', service.url), { headers: { 'x-request-id': id } });
  assert.equal(answer.headers.get('x-request-id'), id);
  const line = service.log.find(({ requestId }) => requestId === id)!;
  assert.equal('replacedRequestId' in line, false);
});

test('protocol errors carry a made X-Request-ID in header and envelope', async () => {
  const answer = await rawRequest(service.port, 'nonsense\r\n\r\n');
  const id = /^X-Request-ID: (.*)\r$/m.exec(answer)![1]!;
  assert.match(id, v7);
  assert.equal(JSON.parse(answer.slice(answer.indexOf('{'))).error.requestId, id);
});
