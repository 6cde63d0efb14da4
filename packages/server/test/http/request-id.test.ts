import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { rawRequest, type StubService, stubService } from './stub-service.ts';

const v7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
let service: StubService;
before(async () => (service = await stubService()));
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
  for (const path of ['/nothing', '/employees', '/health', '/openapi.json', '/%zz']) {
    const answer = await service.client.get(path, { key: null, headers: { 'x-request-id': 'x' } });
    assert.equal(answer.body.error.code, 'INVALID_REQUEST_ID', path);
  }
});

test('protocol errors carry a made X-Request-ID in header and envelope', async () => {
  const answer = await rawRequest(service.port, 'nonsense\r\n\r\n');
  const id = /^X-Request-ID: (.*)\r$/m.exec(answer)![1]!;
  assert.match(id, v7);
  assert.equal(JSON.parse(answer.slice(answer.indexOf('{'))).error.requestId, id);
});
