import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import {
  employeeId,
  keys,
  newEmployee,
  rawRequest,
  type StubService,
  stubService,
  tenantA,
  tenantB,
} from './stub-service.ts';

let service: StubService;
before(async () => (service = await stubService()));
after(() => service.close());

const list = (headers: Record<string, string | string[]>, key = keys.all) =>
  service.client.get('/employees', { headers, key });

describe('UNSUPPORTED_HEADER', () => {
  const rejected: Record<string, string | string[]>[] = [
    { 'if-match': '"x"' },
    { 'if-unmodified-since': 'Sat, 21 Nov 2026 02:41:28 GMT' },
    { 'idempotency-key': 'x' },
    { 'x-http-method-override': 'DELETE' },
    { 'content-encoding': 'gzip' },
    { expect: '200-ok' },
    { 'x-tenant-id': [tenantA, tenantA] },
  ];
  for (const headers of rejected)
    test(`GET /employees 400 UNSUPPORTED_HEADER: ${JSON.stringify(headers)}`, async () => {
      const answer = await list(headers);
      assert.equal(answer.status, 400);
      assert.equal(answer.body.error.code, 'UNSUPPORTED_HEADER');
      assert.match(answer.body.error.message.toLowerCase(), new RegExp(Object.keys(headers)[0]!));
    });

  test('POST /employees 400 UNSUPPORTED_HEADER: Content-Type sent twice', async () => {
    const headers = { 'content-type': ['application/json', 'application/json'] };
    const answer = await service.client.request('POST', '/employees', {
      headers,
      raw: JSON.stringify(newEmployee),
    });
    assert.equal(answer.body.error.code, 'UNSUPPORTED_HEADER');
  });

  test('it comes before 406, which comes before 415, which comes before 413, which comes before the query', async () => {
    const big = 'x'.repeat(6 * 1024 * 1024);
    const headers: Record<string, string> = {
      'if-match': '*',
      accept: 'text/html',
      'content-type': 'text/plain',
    };
    const status = async () => {
      const answer = await service.client.request('POST', '/employees?x=1', { headers, raw: big });
      return `${answer.status} ${answer.body.error.code}`;
    };
    assert.equal(await status(), '400 UNSUPPORTED_HEADER');
    delete headers['if-match'];
    assert.equal(await status(), '406 NOT_ACCEPTABLE');
    delete headers['accept'];
    assert.equal(await status(), '415 UNSUPPORTED_MEDIA_TYPE');
    headers['content-type'] = 'application/json';
    assert.equal(await status(), '413 PAYLOAD_TOO_LARGE');
  });

  test('Content-Encoding: identity is supported', async () => {
    assert.equal((await list({ 'content-encoding': 'Identity' })).status, 200);
  });
});

describe('Accept', () => {
  const acceptable = [
    '',
    ' ',
    '*/*',
    'application/*',
    'application/json',
    'APPLICATION/JSON',
    'application/json; charset=utf-8',
    'application/json;q=0.1, text/html',
    'text/html, */*;q=0.1',
    'application/json, text/plain, */*',
    'application/json, */*;q=0',
  ];
  for (const accept of acceptable)
    test(`GET /employees 200: Accept "${accept}"`, async () => {
      assert.equal((await list({ accept })).status, 200);
    });
  const excluded = [
    'text/html',
    'text/*',
    'application/xml',
    'application/json;q=0',
    'application/json;q=0, */*',
    '*/*;q=0',
    'application/*;q=0, text/html',
    'application/vnd.api+json',
    'nonsense',
  ];
  for (const accept of excluded)
    test(`GET /employees 406 NOT_ACCEPTABLE: Accept "${accept}"`, async () => {
      for (const repeat of ['first', 'remembered']) {
        const answer = await list({ accept });
        assert.equal(answer.status, 406, repeat);
        assert.equal(answer.body.error.code, 'NOT_ACCEPTABLE');
      }
    });
});

test('GET /employees 406 NOT_ACCEPTABLE: an Accept of more than 2,048 characters is not looked at', async () => {
  const accept = (size: number) => `application/json,${'a'.repeat(size - 'application/json,'.length)}`;
  assert.equal((await list({ accept: accept(2048) })).status, 200);
  const answer = await list({ accept: accept(2049) });
  assert.equal(answer.status, 406);
  assert.match(answer.body.error.message, /longer than 2048 characters/);
});

describe('Content-Type of a body', () => {
  const create = (headers: Record<string, string>) =>
    service.client.request('POST', '/employees', { headers, raw: JSON.stringify(newEmployee) });
  const supported = [
    'application/json',
    'Application/JSON',
    'application/json; charset=utf-8',
    'application/json;charset="UTF-8"',
    'application/json ; charset = Utf-8',
  ];
  for (const type of supported)
    test(`POST /employees 201: ${type}`, async () => {
      assert.equal((await create({ 'content-type': type })).status, 201);
    });
  const unsupported = [
    'text/plain',
    'application/xml',
    'application/x-www-form-urlencoded',
    'application/jsonp',
    'application/merge-patch+json',
    'application/json; charset=utf-16',
    'application/json; charset=iso-8859-1',
    'application/json; charset=utf-8; charset=utf-16',
    'application/json; charset=""',
    'application/json, text/plain',
    'json',
    '///',
    '',
  ];
  for (const type of unsupported)
    test(`POST /employees 415 UNSUPPORTED_MEDIA_TYPE: "${type}"`, async () => {
      const answer = await create({ 'content-type': type });
      assert.equal(answer.status, 415);
      assert.equal(answer.body.error.code, 'UNSUPPORTED_MEDIA_TYPE');
    });

  test('POST and PATCH without Content-Type are 415, with a body or without', async () => {
    assert.equal((await create({})).status, 415);
    const path = `/employees/${employeeId}`;
    assert.equal((await service.client.request('PATCH', path, { raw: '{"blocked":true}' })).status, 415);
    assert.equal((await service.client.request('PATCH', path)).status, 415);
  });

  test('GET looks at no Content-Type', async () => {
    assert.equal((await list({ 'content-type': 'text/plain' })).status, 200);
  });
});

describe('X-Tenant-ID', () => {
  test('400 VALIDATION_ERROR: not 24 hexadecimal characters, or two values in one', async () => {
    for (const tenant of ['', 'x', `${tenantA}0`, 'g'.repeat(24), `${tenantA},${tenantB}`]) {
      const answer = await list({ 'x-tenant-id': tenant });
      assert.equal(answer.status, 400, tenant);
      assert.equal(answer.body.error.code, 'VALIDATION_ERROR');
      assert.match(answer.body.error.message, /X-Tenant-ID/);
    }
  });

  test('403 TENANT_NOT_IN_SCOPE: not granted, or unknown to a whole-organization key', async () => {
    const foreign = await list({ 'x-tenant-id': tenantB }, keys.tenantA);
    const unknown = await list({ 'x-tenant-id': 'f'.repeat(24) });
    for (const answer of [foreign, unknown]) {
      assert.equal(answer.status, 403);
      assert.equal(answer.body.error.code, 'TENANT_NOT_IN_SCOPE');
    }
    assert.equal(foreign.body.error.message, unknown.body.error.message);
  });

  test('200: in scope, in lower case for the handler, null when absent', async () => {
    await list({ 'x-tenant-id': tenantA.toUpperCase() }, keys.tenantA);
    assert.equal(service.calls.at(-1)!.tenant, tenantA);
    await list({ 'x-tenant-id': tenantB });
    assert.equal(service.calls.at(-1)!.tenant, tenantB);
    await list({});
    assert.equal(service.calls.at(-1)!.tenant, null);
  });

  test('the tenant is checked after the contract', async () => {
    const answer = await service.client.get('/employees?page=0', { tenant: 'f'.repeat(24) });
    assert.equal(answer.status, 400);
  });
});

describe('Host', () => {
  const get = (headers: string) =>
    rawRequest(
      service.port,
      `GET /v1/employees HTTP/1.1\r\nX-API-Key: ${keys.all}\r\n${headers}Connection: close\r\n\r\n`,
    );
  test('400 VALIDATION_ERROR: missing or sent twice (RFC 9112)', async () => {
    for (const headers of ['', 'Host: a\r\nHost: b\r\n']) {
      const answer = await get(headers);
      assert.match(answer, /^HTTP\/1.1 400 /);
      assert.match(answer, /"VALIDATION_ERROR"/);
    }
    assert.match(await get('Host: a\r\n'), /^HTTP\/1.1 200 /);
  });
});

test('an answer is JSON without a charset, has its length, is not stored and not sniffed', async () => {
  const { headers, bytes } = await list({});
  assert.equal(headers['content-type'], 'application/json');
  assert.equal(headers['content-length'], String(bytes.length));
  assert.equal(headers['cache-control'], 'no-store');
  assert.equal(headers['x-content-type-options'], 'nosniff');
});
