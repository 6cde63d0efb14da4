import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  ConnectionError,
  Kontor,
  NotFoundError,
  ServerError,
  UnexpectedAnswerError,
  WriteOutcomeUnknown,
} from '../src/index.ts';
import { answer, scriptedServer, type Step } from './support/scripted-server.ts';

const id = '65f0c0ffee0123456789abcd';
const person = { email: 'maria@example.com', firstName: 'Maria', lastName: 'Schulz' };

async function start(...steps: readonly Step[]) {
  const server = await scriptedServer(...steps);
  const kontor = new Kontor({ apiKey: 'kontor_key', baseUrl: server.url, serviceDeadline: 0 });
  return { kontor, server };
}

/** A resource that changed in this second of a minute. */
const changed = (second: number) => ({
  id: `65f0c0ffee01234567890a${10 + second}`,
  updatedAt: `2026-11-27T12:00:${10 + second}.000Z`,
  createdAt: '2026-11-27T12:00:00.000Z',
});
const changes = (first: number, count: number) =>
  Array.from({ length: count }, (_, index) => changed(first + index));
const page = (items: readonly object[], totals: object = {}) =>
  answer(200, { page: 1, pageSize: 1000, totalPages: 1, totalElements: items.length, items, ...totals });
const html: Step = response =>
  response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end('<html>Sign in</html>');

type Read = (kontor: Kontor) => Promise<unknown>;
const get: Read = kontor => kontor.employees.get(id);
const list: Read = kontor => Array.fromAsync(kontor.employees.list());
const follow: Read = async kontor => {
  let count = 0;
  // A list that ignores its filter would never end.
  for await (const _employee of kontor.employees.changes({
    since: `${changed(5).updatedAt}/${changed(5).id}`,
  }))
    if (++count > 5000) return;
};

describe('an answer that is not the one of Kontor', () => {
  const cases: Record<string, [read: Read, step: Step]> = {
    'a page in HTML': [get, html],
    'a page in HTML instead of a list': [list, html],
    'a page in HTML instead of health': [kontor => kontor.health(), html],
    'a page in HTML instead of a file': [kontor => kontor.orders.downloadAttachment(id, id), html],
    'an empty body': [get, response => response.writeHead(200).end()],
    'JSON of another API': [get, answer(200, { message: 'hello' })],
    'JSON of another API instead of a list': [list, answer(200, { data: [], total: 0 })],
    'JSON of another API instead of health': [kontor => kontor.health(), answer(200, [])],
    'JSON of another API after a dry run': [
      kontor => kontor.employees.create(person, { dryRun: true }),
      answer(200, { status: 'ok' }),
    ],
    'another resource': [get, answer(200, { id: id.replace('6', '7') })],
    null: [get, answer(200, null)],
    'a list without totals': [list, answer(200, { items: [], page: 1, pageSize: 1000 })],
    'a list of another page': [list, page([], { page: 2 })],
    'a list of another page size': [list, page(changes(1, 20), { pageSize: 20 })],
    'a list that ends early': [list, page(changes(1, 3), { totalElements: 7 })],
    'a list with more than its totals': [list, page(changes(1, 3), { totalElements: 2 })],
    'a list with fewer pages than it needs': [
      list,
      page(changes(1, 3), { totalElements: 3000, totalPages: 2 }),
    ],
    'changes without the filter': [follow, page(changes(1, 9))],
    'changes in another order': [follow, page(changes(6, 3).toReversed())],
    'changes that are repeated': [follow, page([changed(6), changed(6)])],
    'changes without identifiers': [follow, page([{ name: 'a' }])],
  };
  for (const [name, [read, step]] of Object.entries(cases))
    test(`is an error, and is not requested again: ${name}`, { timeout: 60_000 }, async () => {
      const { kontor, server } = await start(step);
      const error = await read(kontor).catch((error: unknown) => error);
      assert.ok(error instanceof UnexpectedAnswerError, String(error));
      assert.deepEqual([error.code, error.status, error.retryable], ['UNEXPECTED_ANSWER', 200, false]);
      assert.ok(error.message.includes(`Check baseUrl (${server.url}/v1)`), error.message);
      assert.equal(server.requests.length, 1);
      assert.match(error.requestId, /^[0-9a-f-]{36}$/);
    });

  test('has its media type', async () => {
    const { kontor } = await start(html);
    await assert.rejects(get(kontor), {
      mediaType: 'text/html; charset=utf-8',
      message: /^200 text\/html; charset=utf-8: the body is not a JSON object\. /,
    });
  });

  test('leaves the outcome of a write unknown, with the reason', async () => {
    const { kontor, server } = await start(html);
    const error = await kontor.employees.create(person).catch((error: unknown) => error);
    assert.ok(error instanceof WriteOutcomeUnknown && error.cause instanceof UnexpectedAnswerError);
    assert.ok(error.message.endsWith(error.cause.message));
    assert.equal(server.requests.length, 1);
  });

  for (const [status, ErrorClass] of [
    [404, NotFoundError],
    [502, ServerError],
  ] as const)
    for (const [name, body] of [
      ['HTML', '<html>'],
      ['JSON of another API', '{"error":"no such page"}'],
    ] as const)
      test(`and is an error of HTTP names the media type and baseUrl: ${status} ${name}`, async () => {
        const { kontor, server } = await start(response =>
          response.writeHead(status, { 'content-type': 'text/html' }).end(body),
        );
        const error = await kontor.employees.get(id, { maxRetries: 0 }).catch((error: unknown) => error);
        assert.ok(error instanceof ErrorClass && error.code === 'UNEXPECTED_ANSWER', String(error));
        assert.match(error.message, /the body \(text\/html\) is not an error of Kontor/);
        assert.ok(error.message.includes(`baseUrl (${server.url}/v1)`));
      });
});

describe('a body', () => {
  /** A client whose server answers so many megabytes. */
  const flooded = (megabytes: number, status: number) => {
    let sent = 0;
    const body = () =>
      new ReadableStream<Uint8Array>({
        pull(stream) {
          if (sent++ >= megabytes) return stream.close();
          stream.enqueue(new Uint8Array(2 ** 20).fill(32));
        },
      });
    const fetch = () => Promise.resolve(new Response(body(), { status }));
    const options = { apiKey: 'kontor_key', baseUrl: 'http://127.0.0.1', fetch };
    return { kontor: new Kontor(options), sent: () => sent };
  };

  test('of JSON is read up to 64 MiB', async () => {
    const { kontor, sent } = flooded(1000, 200);
    await assert.rejects(kontor.employees.get(id), {
      name: 'UnexpectedAnswerError',
      message: /the body has more than 67108864 bytes/,
    });
    assert.ok(sent() < 80);
  });

  test('of an error is read up to 64 KiB, and keeps its status', async () => {
    const { kontor, sent } = flooded(1000, 404);
    await assert.rejects(kontor.employees.get(id), { name: 'NotFoundError', code: 'UNEXPECTED_ANSWER' });
    assert.ok(sent() < 10);
  });

  test('that breaks off is a broken connection, and is requested again', async () => {
    const { kontor, server } = await start(response => {
      response.writeHead(200, { 'content-length': '100', 'content-type': 'application/json' }).write('{"id"');
      response.socket!.end();
    });
    await assert.rejects(kontor.employees.get(id, { maxRetries: 1 }), ConnectionError);
    assert.equal(server.requests.length, 2);
  });
});

describe('list() goes by totalPages', () => {
  const totals = { pageSize: 2, totalPages: 3, totalElements: 6 };
  const steps = (...pages: (readonly object[])[]) =>
    pages.map((items, index) => page(items, { ...totals, page: index + 1 }));
  const read = (kontor: Kontor, sort?: string) =>
    Array.fromAsync(kontor.employees.list({ pageSize: 2, ...(sort !== undefined && { sort }) }));

  test('also where rows that move left a page short', async () => {
    const { kontor, server } = await start(...steps(changes(1, 2), changes(3, 1), []));
    assert.equal((await read(kontor, '-updatedAt')).length, 3);
    assert.equal(server.requests.length, 3);
  });

  test('and rejects when a page in the middle is torn', async () => {
    const { kontor } = await start(...steps(changes(1, 2), changes(3, 1), changes(5, 2)));
    await assert.rejects(read(kontor, '-updatedAt'), UnexpectedAnswerError);
  });

  test('and rejects when a list whose rows cannot move ends early', async () => {
    for (const pages of [
      [changes(1, 2), changes(3, 2), changes(5, 1)],
      [changes(1, 2), [], []],
    ]) {
      const { kontor } = await start(...steps(...pages));
      await assert.rejects(read(kontor), { message: /the list has \d of 6 elements up to page 3/ });
    }
  });
});
