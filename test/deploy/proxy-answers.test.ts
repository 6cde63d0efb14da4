import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { after, before, describe, test } from 'node:test';
import { connect as connectTls } from 'node:tls';
import { type ErrorCode, errorCatalog } from '@kontor/contract';
import { requestIdPattern } from '../../packages/contract/src/errors/error-body.ts';
import { findFreePort } from '../../packages/server/test/support/service/free-port.ts';
import { type Nginx, noNginx, startNginx } from './nginx.ts';

interface Answer {
  readonly status: number;
  /** By lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: { readonly error: { code: ErrorCode; message: string; requestId: string } };
}

/** Sends bytes and returns the one answer. A client of HTTP would not send most of these. */
async function context(socket: Socket, bytes: string): Promise<Answer> {
  const received = text(socket);
  socket.write(bytes);
  const answer = await received;
  const end = answer.indexOf('\r\n\r\n');
  const [first, ...lines] = answer.slice(0, end).split('\r\n');
  return {
    status: Number(first!.split(' ')[1]),
    headers: Object.fromEntries(
      lines.map(line => [line.split(': ')[0]!.toLowerCase(), line.slice(line.indexOf(': ') + 2)]),
    ),
    body: JSON.parse(answer.slice(end + 4)) as Answer['body'],
  };
}

/** A request with these headers, after which the connection closes. */
function requestText(line: string, ...headers: string[]): string {
  return [line, 'Host: api.example.com', 'Connection: close', ...headers, '', ''].join('\r\n');
}

const long = 'a'.repeat(40 * 1024);
const unavailable = [503, 'SERVICE_UNAVAILABLE'] as const;
const invalid = [400, 'VALIDATION_ERROR'] as const;

describe('what nginx answers by itself is an error of the API', { skip: noNginx }, () => {
  let unresponsive: Server;
  let away: Nginx;
  let slow: Nginx;
  before(async () => {
    unresponsive = createServer().listen(0, '127.0.0.1');
    await once(unresponsive, 'listening');
    away = await startNginx(`http://127.0.0.1:${await findFreePort()}`);
    const { port } = unresponsive.address() as AddressInfo;
    slow = await startNginx(`http://127.0.0.1:${port}`, {
      'proxy_read_timeout 130s': 'proxy_read_timeout 1s',
    });
  });
  after(async () => {
    await away?.stop();
    await slow?.stop();
    unresponsive?.close();
  });

  const overTls = ({ port }: Nginx) => connectTls({ port, host: '127.0.0.1', rejectUnauthorized: false });
  const employees = requestText('GET /v1/employees HTTP/1.1');

  const cases: Record<string, [send: () => Promise<Answer>, status: number, code: ErrorCode]> = {
    'Kontor is down': [() => context(overTls(away), employees), ...unavailable],
    'Kontor does not answer in time': [() => context(overTls(slow), employees), ...unavailable],
    'the body is larger than nginx takes': [
      () => context(overTls(away), requestText('POST /v1/employees HTTP/1.1', 'Content-Length: 7000000')),
      413,
      'PAYLOAD_TOO_LARGE',
    ],
    'the request target is too long': [
      () => context(overTls(away), requestText(`GET /v1/employees?filter=${long} HTTP/1.1`)),
      ...invalid,
    ],
    'a header is too long': [
      () => context(overTls(away), requestText('GET /v1/employees HTTP/1.1', `X-Long: ${long}`)),
      ...invalid,
    ],
    'the request line is none': [() => context(overTls(away), 'NONSENSE\r\n\r\n'), ...invalid],
    'the path has a broken escape': [
      () => context(overTls(away), requestText('GET /v1/%zz HTTP/1.1')),
      ...invalid,
    ],
    'there is no Host': [
      () => context(overTls(away), 'GET /v1/employees HTTP/1.1\r\nConnection: close\r\n\r\n'),
      ...invalid,
    ],
    'the Content-Length is no number': [
      () => context(overTls(away), requestText('POST /v1/employees HTTP/1.1', 'Content-Length: x')),
      ...invalid,
    ],
    'the Transfer-Encoding is unknown': [
      () => context(overTls(away), requestText('POST /v1/employees HTTP/1.1', 'Transfer-Encoding: x')),
      ...invalid,
    ],
    'the version of HTTP is unknown': [
      () => context(overTls(away), requestText('GET /v1/employees HTTP/3.0')),
      ...invalid,
    ],
    'the request is not encrypted': [
      () => context(connect({ port: away.port, host: '127.0.0.1' }), employees),
      ...invalid,
    ],
    'the method is TRACE': [
      () => context(overTls(away), requestText('TRACE /v1/employees HTTP/1.1')),
      404,
      'NOT_FOUND',
    ],
    'the path is that of its own errors': [
      () => context(overTls(away), requestText('GET /kontor-error/away HTTP/1.1')),
      404,
      'NOT_FOUND',
    ],
  };

  for (const [name, [send, status, code]] of Object.entries(cases))
    test(`${status} ${code} where ${name}`, async () => {
      const answer = await send();
      const { error, ...rest } = answer.body;
      assert.deepEqual([answer.status, error.code, rest], [status, code, {}]);
      assert.ok((errorCatalog[code].statuses as readonly number[]).includes(status));
      assert.deepEqual(Object.keys(error), ['code', 'message', 'requestId']);
      assert.ok(error.message.length > 0);
      assert.equal(answer.headers['content-type'], 'application/json');
      assert.equal(answer.headers['strict-transport-security'], 'max-age=31536000');
      assert.equal(answer.headers['server'], 'nginx');
      assert.match(error.requestId, new RegExp(requestIdPattern));
      assert.match(error.requestId, /^.{14}4/);
      assert.equal(answer.headers['x-request-id'], error.requestId);
      if (status === 503) assert.match(answer.headers['retry-after'] ?? '', /^[1-9]\d*$/);
      else assert.equal(answer.headers['retry-after'], undefined);
    });

  test('has the request identifier of the client where that is valid, else a new one each time', async () => {
    const withId = async (id: string) => {
      const bytes = requestText('GET /v1/employees HTTP/1.1', `X-Request-ID: ${id}`);
      return (await context(overTls(away), bytes)).body.error.requestId;
    };
    for (const id of ['0199A8C2-4c1e-7d53-9b0a-3f1c5d7e9a21', '5f0c1e52-8f5b-4c0f-8a43-6d0b4f1f1a11'])
      assert.equal(await withId(id), id);
    const invalidIds = ['x', '","code":"X', '5f0c1e52-8f5b-1c0f-8a43-6d0b4f1f1a11', ''];
    const made = await Promise.all(invalidIds.map(withId));
    for (const id of made) assert.match(id, new RegExp(requestIdPattern));
    assert.equal(new Set(made).size, made.length);
  });
});
