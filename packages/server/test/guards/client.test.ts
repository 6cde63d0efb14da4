import assert, { AssertionError } from 'node:assert/strict';
import { type Server, type ServerResponse, createServer } from 'node:http';
import { after, before, describe, test } from 'node:test';
import {
  apis,
  type OpenApiDocument,
  openApiDocument,
  type ResponseObject,
  responsesIn,
} from '@kontor/contract';
import { type ApiClient, apiClient } from '../support/contract/client.ts';

const document: OpenApiDocument = openApiDocument(apis.public);
const [[, found]] = responsesIn(document, document.paths['/employees/{id}']!.get!) as [
  [number, ResponseObject],
];
const employee = found.content['application/json']!.example;
const requestId = '0199a8c2-4c1e-7d53-9b0a-3f1c5d7e9a21';
const quota = { 'ratelimit-policy': '"default";q=600;w=60', ratelimit: '"default";r=599;t=42' };

/** What the stand-in server answers next. */
let next: { status: number; headers: Record<string, string>; body: unknown };
let server: Server;
let client: ApiClient;

function answer(status: number, body: unknown, headers: Record<string, string>) {
  next = {
    status,
    body,
    headers: { 'content-type': 'application/json', 'x-request-id': requestId, ...headers },
  };
}

function reject(status: number, code: string, headers: Record<string, string> = {}) {
  answer(status, { error: { code, message: 'Do this', requestId } }, headers);
}

function send(response: ServerResponse): void {
  response.writeHead(next.status, next.headers);
  response.end(JSON.stringify(next.body));
}

async function departs(pattern: RegExp): Promise<void> {
  await assert.rejects(client.get('/employees/65f0c0ffee0123456789abcd'), error => {
    assert.ok(error instanceof AssertionError, String(error));
    assert.match(error.message, pattern);
    return true;
  });
}

describe('the test client', () => {
  before(async () => {
    server = createServer((_request, response) => send(response));
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    assert.ok(typeof address === 'object' && address);
    client = apiClient(`http://127.0.0.1:${address.port}/v1`, { key: 'key', openapi: document });
  });
  after(() => {
    client.close();
    server.close();
  });

  test('accepts an answer that is as declared', async () => {
    answer(200, employee, quota);
    const { status, body } = await client.get('/employees/65f0c0ffee0123456789abcd');
    assert.equal(status, 200);
    assert.deepEqual(body, employee);
  });

  test('accepts a declared rejection, with quota headers only where the contract has them', async () => {
    reject(404, 'NOT_FOUND', quota);
    assert.equal((await client.get('/employees/65f0c0ffee0123456789abcd')).status, 404);
    reject(401, 'INVALID_API_KEY');
    assert.equal((await client.get('/employees/65f0c0ffee0123456789abcd')).status, 401);
  });

  test('rejects a status that is not declared', async () => {
    reject(409, 'DUPLICATE_RESOURCE', quota);
    await departs(/status is not declared for getEmployee/);
  });

  test('rejects a body that is not of the schema, and names the place', async () => {
    answer(200, { ...(employee as object), blocked: 'no', extra: 1 }, quota);
    await departs(/\/blocked must be boolean[\s\S]*"extra"/);
  });

  test('rejects a code that is not declared with the status', async () => {
    reject(404, 'FILE_NOT_FOUND', quota);
    await departs(/the code FILE_NOT_FOUND is not declared/);
  });

  test('rejects a missing, a malformed and a forbidden header', async () => {
    answer(200, employee, { ratelimit: quota.ratelimit });
    await departs(/RateLimit-Policy is missing/);
    answer(200, employee, { ...quota, ratelimit: '599' });
    await departs(/RateLimit is "599": .*must match pattern/);
    reject(400, 'VALIDATION_ERROR', quota);
    await departs(/RateLimit must not be sent with this answer/);
    reject(429, 'RATE_LIMIT_EXCEEDED', { ...quota, 'retry-after': '0' });
    await departs(/Retry-After is "0": .*must be >= 1/);
    answer(200, employee, { ...quota, location: '/v1/employees/65f0c0ffee0123456789abcd' });
    await departs(/Location must not be sent/);
  });

  test('rejects a request identifier that is not the one sent, or not the one of the envelope', async () => {
    answer(200, employee, quota);
    const other = '0199a8c2-4c1e-7d53-9b0a-3f1c5d7e9a22';
    const headers = { 'X-Request-ID': other };
    await assert.rejects(client.get('/employees/65f0c0ffee0123456789abcd', { headers }), /came back/);
    reject(404, 'NOT_FOUND', { ...quota, 'x-request-id': other });
    await departs(/error\.requestId is 0199a8c2-4c1e-7d53-9b0a-3f1c5d7e9a21/);
  });

  test('rejects another media type and other text than JSON', async () => {
    answer(200, employee, { ...quota, 'content-type': 'text/html' });
    await departs(/the media type is "text\/html"/);
    answer(200, employee, { ...quota, 'content-type': 'application/json; charset=latin1' });
    await departs(/parameters other than charset=utf-8/);
  });

  test('expects 404 without quota headers on a route that is not declared', async () => {
    reject(404, 'NOT_FOUND');
    assert.equal((await client.get('/nowhere')).status, 404);
    assert.equal((await client.request('DELETE', '/employees')).status, 404);
    reject(404, 'NOT_FOUND', quota);
    await assert.rejects(client.get('/nowhere'), /ratelimit must not be sent on an unknown route/);
    reject(405, 'NOT_FOUND');
    await assert.rejects(client.request('PUT', '/employees'), /an unknown route must answer 404/);
  });
});
