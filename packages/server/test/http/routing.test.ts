import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { after, before, test } from 'node:test';
import { employeeId, keys, rawRequest, type StubService, stubService } from './stub-service.ts';

let service: StubService;
before(
  async () =>
    (service = await stubService({
      pages: get => {
        get('/docs', () => ({
          status: 200,
          headers: { 'Content-Type': 'text/html' },
          page: '<p>reference</p>',
        }));
        get('/broken-page', async () => {
          throw new Error('the page is broken');
        });
      },
    })),
);
after(() => service.close());

const unknown: [method: string, path: string][] = [
  ['GET', '/nothing'],
  ['GET', '/'],
  ['GET', '/employees/'],
  ['GET', `/employees/${employeeId}/`],
  ['GET', '/Employees'],
  ['GET', '//employees'],
  ['DELETE', `/employees/${employeeId}`],
  ['PUT', '/employees'],
  ['OPTIONS', '/employees'],
  ['TRACE', '/employees'],
  ['PROPFIND', '/employees'],
  ['QUERY', '/employees'],
  ['POST', '/health'],
  ['GET', `/${'long'.repeat(10_000)}`],
];
for (const [method, path] of unknown)
  test(`404 NOT_FOUND without a key and without quota headers: ${method} ${path.slice(0, 60)}`, async () => {
    const answer = await service.client.request(method, path, { key: null });
    assert.equal(answer.status, 404);
    assert.equal(answer.body.error.code, 'NOT_FOUND');
  });

const meant: [method: string, path: string, message: string][] = [
  ['GET', '/employees/', 'did you mean GET /v1/employees?'],
  ['GET', `/employees/${employeeId}/?page=1`, 'did you mean GET /v1/employees/{id}?'],
  ['DELETE', `/employees/${employeeId}`, 'use GET or PATCH instead of DELETE'],
  ['GET', '/employee', 'did you mean GET /v1/employees?'],
  ['GET', `/Employees/${employeeId}`, 'did you mean GET /v1/employees/{id}?'],
  ['PUT', `/order/${employeeId}/decisions`, 'did you mean POST /v1/orders/{id}/decision?'],
  ['PUT', '/employees/', 'did you mean GET or POST /v1/employees?'],
];
for (const [method, path, message] of meant)
  test(`an unknown route suggests the most similar one: ${method} ${path}`, async () => {
    const answer = await service.client.request(method, path);
    assert.equal(answer.body.error.message, `There is no such operation; ${message}`);
  });

test('an unknown route names a missing /v1', async () => {
  const at = async (path: string) => {
    const answer = await fetch(`http://127.0.0.1:${service.port}${path}`);
    return ((await answer.json()) as any).error.message;
  };
  for (const path of ['/employees?page=1', '/v2/employees', '/api/v1/employees', '/api/employees'])
    assert.equal(await at(path), 'There is no such operation; did you mean GET /v1/employees?');
  assert.equal(
    await at('/v1/salaries'),
    'There is no such operation; check method and path against /v1/openapi.json',
  );
});

test('HEAD of an operation is 404 without a body', async () => {
  const answer = await service.client.request('HEAD', '/employees');
  assert.equal(answer.status, 404);
  assert.equal(answer.bytes.length, 0);
  assert.ok(answer.headers['x-request-id']);
});

test('HEAD is answered at once, also when its body does not come', { timeout: 10_000 }, async () => {
  const socket = connect(service.port, '127.0.0.1');
  socket.write('HEAD /v1/employees HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\n');
  const [answer] = (await once(socket, 'data')) as [Buffer];
  assert.match(answer.toString(), /^HTTP\/1.1 404 [^]*\r\n\r\n$/);
  socket.destroy();
});

test('an unknown route with a Content-Type that is none is 404 like any other', async () => {
  const answer = await service.client.request('PUT', '/employees', {
    headers: { 'content-type': '///' },
    raw: '{',
  });
  assert.equal(answer.status, 404);
});

test('the asterisk and the authority form are unknown routes', async () => {
  for (const line of ['OPTIONS * HTTP/1.1', 'CONNECT example.com:443 HTTP/1.1']) {
    const answer = await rawRequest(service.port, `${line}\r\nHost: x\r\nConnection: close\r\n\r\n`);
    assert.match(answer, /^HTTP\/1.1 404 /);
    assert.match(answer, /"NOT_FOUND"/);
  }
});

test('the absolute form of a target is routed by its path', async () => {
  const answer = await rawRequest(
    service.port,
    'GET http://example.com/v1/health?x=1 HTTP/1.1\r\nHost: example.com\r\nConnection: close\r\n\r\n',
  );
  assert.match(answer, /^HTTP\/1.1 400 /);
  assert.match(answer, /UNKNOWN_QUERY_PARAMETER/);
});

test('percent-encoded letters of a path are the letters', async () => {
  const answer = await fetch(`${service.url}/%65mployees`, { headers: { 'x-api-key': keys.all } });
  assert.equal(answer.status, 200);
});

test('bad percent-encoding in the path of an operation is 401 without a key, then 400 VALIDATION_ERROR', async () => {
  assert.equal((await service.client.get('/employees/%zz', { key: null })).status, 401);
  for (const path of ['/employees/%zz', '/employees/%', '/employees/%ff']) {
    const answer = await service.client.get(path);
    assert.equal(answer.status, 400);
    assert.equal(answer.body.error.code, 'VALIDATION_ERROR');
  }
});

test('bad percent-encoding in another path is 400 VALIDATION_ERROR', async () => {
  const answer = await service.client.get('/%zz', { key: null });
  assert.equal(answer.status, 400);
  assert.equal(answer.body.error.code, 'VALIDATION_ERROR');
});

for (const id of ['1', `${employeeId}0`, 'g'.repeat(24), `${employeeId}%00`, '%2F', 'x'.repeat(5000), 'a;b'])
  test(`GET /employees/{id} 400 INVALID_REFERENCE_ID: ${id.slice(0, 40)}`, async () => {
    const answer = await service.client.get(`/employees/${id}`);
    assert.equal(answer.status, 400);
    assert.equal(answer.body.error.code, 'INVALID_REFERENCE_ID');
    assert.match(answer.body.error.message, /^id /);
  });

test('an identifier in upper case reaches the handler in lower case', async () => {
  await service.client.get(`/employees/${employeeId.toUpperCase()}`);
  assert.equal(service.calls.at(-1)!.parameters['id'], employeeId);
});

test('GET /openapi.json needs no key and is the document', async () => {
  const answer = await service.client.get('/openapi.json', { key: null });
  assert.equal(answer.status, 200);
  assert.equal(answer.headers['content-type'], 'application/json');
  assert.equal(answer.body.openapi, '3.1.1');
});

test('pages are served beside the API, with X-Request-ID and log lines; one that fails is 500 in the envelope', async () => {
  const origin = `http://127.0.0.1:${service.port}`;
  const page = await fetch(`${origin}/docs`);
  assert.equal(await page.text(), '<p>reference</p>');
  assert.ok(page.headers.get('x-request-id'));
  const invalid = await fetch(`${origin}/docs`, { headers: { 'x-request-id': 'x' } });
  assert.equal(await invalid.text(), '<p>reference</p>');
  assert.notEqual(invalid.headers.get('x-request-id'), 'x');
  const broken = await fetch(`${origin}/broken-page`);
  assert.equal(broken.status, 500);
  const { error } = (await broken.json()) as any;
  assert.deepEqual(
    [error.code, error.requestId],
    ['INTERNAL_SERVER_ERROR', broken.headers.get('x-request-id')],
  );
  const lines = () => service.log.filter(line => line['operation'] === 'pages' && line['msg'] === 'request');
  // The line is written when the answer has left, which the client may notice first.
  while (lines().length < 3) await new Promise(setImmediate);
  assert.deepEqual(
    lines().map(line => line['status']),
    [200, 200, 500],
  );
});

test('401 INVALID_API_KEY: missing, wrong, empty or sent twice; it comes before everything in the request', async () => {
  const attempts: Record<string, string | string[]>[] = [
    {},
    { 'x-api-key': 'wrong' },
    { 'x-api-key': '' },
    { 'x-api-key': [keys.all, keys.all] },
    { 'if-match': '*', accept: 'text/html', 'x-tenant-id': 'x' },
  ];
  for (const headers of attempts) {
    const answer = await service.client.get('/employees?nonsense=1&filter=', { key: null, headers });
    assert.equal(answer.status, 401);
    assert.equal(answer.body.error.code, 'INVALID_API_KEY');
  }
});
