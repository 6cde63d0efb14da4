import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, beforeEach, describe, test } from 'node:test';
import { HttpClient } from '../../faults/http-client.ts';
import { Poller } from '../../faults/poller.ts';
import { type Question, Round } from '../../faults/round.ts';
import { exactly } from '../../faults/oracle.ts';

interface LogLines {
  status: number;
  body: unknown;
  headers?: Record<string, string>;
}

/** A service that answers with the given text and the request identifier that it was sent. */
let server: Server;
let client: HttpClient;
let round: Round;
let respond: (requestId: string) => LogLines;

before(async () => {
  server = createServer((request: IncomingMessage, response) => {
    const requestId = request.headers['x-request-id'] as string;
    const { status, body, headers } = respond(requestId);
    response.writeHead(status, { 'x-request-id': requestId, ...headers });
    if (body === undefined) response.destroy();
    else response.end(JSON.stringify(body));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  client = new HttpClient(`http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`);
});
beforeEach(() => (round = new Round(client, [])));
after(() => {
  client.close();
  server.close();
});

const expected = { id: 'a', city: 'Ulm' };
const question: Question = {
  name: 'get',
  method: 'GET',
  path: '/a',
  key: '',
  oracle: exactly(200, expected),
};

function error(code: string, requestId: string) {
  return { error: { code, message: 'Try again', requestId } };
}

async function kinds(answer: typeof respond): Promise<string[]> {
  respond = answer;
  await round.ask(question);
  return round.findings.map(({ kind }) => kind);
}

describe('an answer', () => {
  test('that is expected is no finding', async () => {
    assert.deepEqual(await kinds(() => ({ status: 200, body: expected })), []);
    assert.equal(round.counts.successes, 1);
  });
  test('of 503 that names when to try again is none either', async () => {
    const headers = { 'retry-after': '1' };
    const answer = (id: string) => ({ status: 503, body: error('SERVICE_UNAVAILABLE', id), headers });
    assert.deepEqual(await kinds(answer), []);
    assert.equal(round.counts.unavailable, 1);
  });
  test('of 503 without that is found', async () => {
    const answer = (id: string) => ({ status: 503, body: error('SERVICE_UNAVAILABLE', id) });
    assert.deepEqual(await kinds(answer), ['503 without Retry-After of at least 1']);
  });
  test('with other content is found', async () => {
    const answer = () => ({ status: 200, body: { ...expected, city: 'Köln' } });
    assert.deepEqual(await kinds(answer), ['false answer: get got 200']);
  });
  test('with another status is found', async () => {
    const answer = (id: string) => ({ status: 404, body: error('NOT_FOUND', id) });
    assert.deepEqual(await kinds(answer), ['false answer: get got 404 NOT_FOUND']);
  });
  test('of 500 is found', async () => {
    const answer = (id: string) => ({ status: 500, body: error('INTERNAL_SERVER_ERROR', id) });
    assert.deepEqual(await kinds(answer), ['status 500']);
  });
  test('of an error without the envelope is found', async () => {
    const answer = () => ({ status: 503, body: 'Bad gateway', headers: { 'retry-after': '1' } });
    assert.deepEqual(await kinds(answer), ['503 without the error envelope', '503 with the code undefined']);
  });
  test('with the identifier of another request is found', async () => {
    const answer = () => ({ status: 200, body: expected, headers: { 'x-request-id': 'another' } });
    assert.deepEqual(await kinds(answer), ['200 with another X-Request-ID than was sent']);
  });
  test('that does not come is found', async () => {
    assert.deepEqual(await kinds(() => ({ status: 200, body: undefined })), ['no answer but socket hang up']);
  });
  test('against what is demanded for the time being is found', async () => {
    round.restriction = () => 'answer in the wrong moment';
    assert.deepEqual(await kinds(() => ({ status: 200, body: expected })), ['answer in the wrong moment']);
  });
});

describe('a poller', () => {
  const first = { id: 'a', updatedAt: '2026-01-01T00:00:00.000Z' };
  const second = { id: 'b', updatedAt: '2026-01-01T00:00:00.001Z' };

  /** Polls a service that answers these pages, and from then on empty ones; answers the kinds of what was found. */
  async function poll(...pages: object[][]): Promise<{ poller: Poller; found: string[] }> {
    const poller = new Poller('/employees', '');
    respond = () => ({ status: 200, body: { items: pages.shift() ?? [] } });
    const finished = await poller.run(
      round,
      () => pages.length === 0,
      () => false,
    );
    assert.ok(finished);
    return { poller, found: round.findings.map(({ kind }) => kind) };
  }

  test('that was given every version has missed nothing', async () => {
    const { poller, found } = await poll([first], [second]);
    assert.deepEqual([found, [...poller.missed([first, second])]], [[], []]);
  });
  test('that was not given a row, or only an older version, has missed it', async () => {
    const { poller } = await poll([first]);
    const later = { ...first, updatedAt: '2026-01-01T00:00:00.002Z' };
    const missed = [...poller.missed([later, second])].map(({ kind }) => kind);
    assert.deepEqual(missed, ['change missed by a poller', 'change missed by a poller']);
  });
  test('reports a row that comes too late', async () => {
    const { found } = await poll([second], [first]);
    assert.deepEqual(found, ['false answer: poll of the poller got 200']);
  });
});
