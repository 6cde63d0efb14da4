import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { ErrorCode } from '@kontor/contract';
import { KeyUse } from '../../../../src/features/keys/usage/key-use.ts';
import { keyRemovals } from '../../../../src/features/keys/usage/removal.ts';
import { parseKey } from '../../../../src/auth/api-keys.ts';
import { writeUses } from '../../../../src/features/keys/usage/write.ts';
import { runOnce } from '../../../jobs/support.ts';
import { usePortal } from '../../../portal/support.ts';
import { type ApiClient, apiClient } from '../../../support/contract/client.ts';
import { startService } from '../../../support/service/service.ts';
import { signedInUser } from '../../../support/data/users.ts';
import { testKey } from '../../../support/data/test-data.ts';

let session: string;
const fixture = usePortal(async ({ sql, testData }) => {
  session = (await signedInUser(sql, testData.organization)).secret;
});

/** A new key, and a function that sends requests with it and returns once their uses are stored. */
async function newKey() {
  const text = await testKey(fixture.sql, fixture.testData.organization, 'all');
  const { id } = parseKey(text)!;
  const ask = async (work: (client: ApiClient) => Promise<unknown>): Promise<void> => {
    const service = await startService(fixture.sql);
    const client = apiClient(service.url, { key: text });
    await work(client);
    client.close();
    await service.stop();
  };
  const read = async (what: '' | '/usage' | '/health') =>
    (await fixture.portal.get(`/api-keys/${id}${what}`, { key: session })).body;
  return { id, text, ask, read };
}

interface Rejected {
  readonly operation?: string;
  readonly code?: ErrorCode;
  readonly message?: string;
  readonly requestId?: string;
}

const rejected = ({
  operation = 'listEmployees',
  code = 'VALIDATION_ERROR',
  message = 'page must be a whole number',
  requestId = crypto.randomUUID(),
}: Rejected) => ({ operation, requestId, rejection: { code, message } });

let second = Date.now() - 3_600_000;

/** Stores rejected requests of one write, one each second. */
async function store(id: string, all: readonly Rejected[]): Promise<void> {
  const use = new KeyUse(id);
  for (const each of all) use.errors.add(rejected(each), 400, (second += 1000));
  await writeUses(fixture.sql, fixture.testData.organization, [use]);
}

describe('the use of a key by operation', () => {
  test('has every request under its operation, by how it ended', async () => {
    const { ask, read } = await newKey();
    await ask(async client => {
      await client.get('/employees');
      await client.get('/employees', { query: { page: 0 } });
      await client.get('/orders');
      await client.get(`/orders/${'0'.repeat(24)}`);
    });
    const { operations, days, requests } = await read('/usage');
    const today = days[0].day;
    const counts = { day: today, denied: 0, limited: 0, failed: 0 };
    assert.deepEqual(
      operations,
      [
        { operation: 'getOrder', days: [{ ...counts, requests: 1, rejected: 1 }] },
        { operation: 'listEmployees', days: [{ ...counts, requests: 2, rejected: 1 }] },
        { operation: 'listOrders', days: [{ ...counts, requests: 1, rejected: 0 }] },
      ].map(({ operation, days: [day] }) => ({
        operation,
        days: [
          {
            day: day!.day,
            requests: day!.requests,
            rejected: day!.rejected,
            denied: 0,
            limited: 0,
            failed: 0,
          },
        ],
      })),
    );
    assert.equal(requests, 4);
  });

  test('in the list: requests and rejections of thirty days, together and by the day, for sorting and filtering', async () => {
    const { id, ask } = await newKey();
    await ask(async client => {
      for (let n = 0; n < 3; n++) await client.get('/divisions');
      for (let n = 0; n < 97; n++) await client.get('/divisions', { query: { page: 0 } });
    });
    const list = async (search: object) =>
      (await fixture.portal.post('/api-keys/search', search, { key: session })).body.items;
    const [first] = await list({ sort: '-requests', pageSize: 1 });
    assert.deepEqual([first.id, first.requests, first.rejections], [id, 100, 97]);
    assert.deepEqual(first.requestsByDay, [...Array.from({ length: 29 }, () => 0), 100]);
    assert.deepEqual(first.rejectionsByDay.at(-1), 97);
    const max = await list({ filter: 'rejections >= 97 AND requests < 101' });
    assert.deepEqual(
      max.map((key: { id: string }) => key.id),
      [id],
    );
  });
});

test('the list, the page and the usage of a key have the same numbers, however its requests ended', async () => {
  const { id, read } = await newKey();
  const request = { requestId: crypto.randomUUID(), rejection: null, readTo: null };
  const statuses = [200, 201, 400, 401, 404, 422, 429, 429, 499, 500, 503];
  const use = new KeyUse(id);
  for (const [index, status] of statuses.entries())
    use.answered({ ...request, operation: index % 2 ? 'listOrders' : 'listEmployees' }, status);
  await writeUses(fixture.sql, fixture.testData.organization, [use]);

  const { days, operations, requests } = await read('/usage');
  type Counts = Record<'requests' | 'rejected' | 'denied' | 'limited' | 'failed', number>;
  const sum = (counts: readonly Counts[], ...names: (keyof Counts)[]) =>
    counts.reduce((total, day) => total + names.reduce((part, name) => part + day[name], 0), 0);
  const without = ['rejected', 'denied', 'limited', 'failed'] as const;
  const expected = [statuses.length, 8];
  const ofOperations = operations.flatMap((each: { days: Counts[] }) => each.days);
  assert.deepEqual([sum(days, 'requests'), sum(days, ...without)], expected);
  assert.deepEqual([sum(ofOperations, 'requests'), sum(ofOperations, ...without)], expected);
  const filter = `id = '${id}'`;
  const listed = await fixture.portal.post('/api-keys/search', { filter }, { key: session });
  for (const key of [listed.body.items[0], await read('')]) {
    assert.deepEqual([key.requests, key.rejections], expected);
    assert.deepEqual([key.requestsByDay.at(-1), key.rejectionsByDay.at(-1)], expected);
  }
  assert.equal(requests, statuses.length);
});

describe('the errors of a key', () => {
  test('that are equal are one group with their number, the first, the last and the newest five requests', async () => {
    const { ask, read } = await newKey();
    const requestIds = Array.from({ length: 8 }, () => crypto.randomUUID());
    const began = Date.now();
    for (const some of [requestIds.slice(0, 2), requestIds.slice(2)])
      await ask(async client => {
        for (const id of some)
          await client.get('/employees', { query: { page: 0 }, headers: { 'x-request-id': id } });
      });
    const { errors } = await read('/health');
    const { firstAt, lastAt, ...group } = errors[0];
    assert.ok(began <= Date.parse(firstAt) && firstAt < lastAt && Date.parse(lastAt) <= Date.now());
    assert.deepEqual(
      [group, errors.length],
      [
        {
          operation: 'listEmployees',
          status: 400,
          code: 'VALIDATION_ERROR',
          message: 'page must be a whole number from 1 to 9007199254740991, in decimal digits',
          count: 8,
          requestIds: requestIds.slice(3).toReversed(),
        },
        1,
      ],
    );
    await ask(client => client.get('/orders', { query: { page: 0 } }));
    await ask(client => client.get(`/orders/${'0'.repeat(24)}`));
    const operations = (await read('/health')).errors.map((each: { operation: string }) => each.operation);
    assert.deepEqual(operations, ['getOrder', 'listOrders', 'listEmployees']);
  });

  test('differ by operation, code and message, but not by numbers in the message', async () => {
    const { id, read } = await newKey();
    const message = (n: number) => `items[${n}].email must be a string`;
    await store(id, [
      { message: message(1) },
      { message: message(17) },
      { message: 'items must be an array' },
      { message: message(2), code: 'UNSUPPORTED_FIELD' },
      { message: message(3), operation: 'listOrders' },
    ]);
    await store(id, [{ message: message(400) }]);
    const found = (await read('/health')).errors as { message: string; count: number }[];
    assert.deepEqual(
      found.map(each => [each.message, each.count]),
      [
        [message(400), 3],
        [message(3), 1],
        [message(2), 1],
        ['items must be an array', 1],
      ],
    );
  });

  test('in a loop with another message each time push out none of another operation or code', async () => {
    const { id, read } = await newKey();
    const word = (n: number) => n.toString(36).replaceAll(/\d/g, digit => 'ABCDEFGHIJ'[Number(digit)]!);
    const looped = Array.from({ length: 300 }, (_, n) => ({ message: `${word(n)} is not known` }));
    const others = ['getOrder', 'listOrders', 'createEmployee'].map(operation => ({
      operation,
      message: 'other',
    }));
    await store(id, [{ message: 'other', code: 'UNSUPPORTED_FIELD' }]);
    await store(id, [...others, ...looped.slice(0, 50)]);
    for (let n = 50; n < looped.length; n += 50) await store(id, looped.slice(n, n + 50));
    const found = (await read('/health')).errors as { message: string }[];
    assert.deepEqual(
      found.map(each => each.message),
      [
        ...looped
          .slice(-3)
          .map(each => each.message)
          .toReversed(),
        'other',
        'other',
        'other',
        'other',
      ],
    );
  });

  test('are kept in the twenty groups with the newest errors', async () => {
    const { id, read } = await newKey();
    const operations = Array.from({ length: 25 }, (_, n) => `operation${n}`);
    await store(
      id,
      operations.slice(0, 15).map(operation => ({ operation })),
    );
    await store(
      id,
      operations.slice(15).map(operation => ({ operation })),
    );
    await store(id, [{ operation: 'operation5' }]);
    const found = (await read('/health')).errors as { operation: string; count: number }[];
    assert.deepEqual(
      found.map(each => [each.operation, each.count]),
      ['operation5', ...operations.slice(6).toReversed()].map(operation => [
        operation,
        operation === 'operation5' ? 2 : 1,
      ]),
    );
  });

  test('that could not be written are added to what came after them', () => {
    const [earlier, later] = [new KeyUse('k'), new KeyUse('k')];
    const fail = (use: KeyUse, requestId: string, at: number) =>
      use.errors.add(rejected({ requestId }), 400, at);
    fail(earlier, 'first', 1);
    fail(later, 'last', 2);
    later.addEarlier(earlier);
    const [group, ...more] = later.errors;
    assert.deepEqual(
      [group?.count, group?.firstAt, group?.lastAt, group?.requestIds, more],
      [2, 1, 2, ['last', 'first'], []],
    );
  });

  test('repeat nothing of the request, wherever it stood in it', async () => {
    const mark = 'Geheimnis';
    const body = (fields: object) => JSON.stringify({ email: 'a@example.com', ...fields });
    const json = { 'content-type': 'application/json' };
    const rejected: ((client: ApiClient) => Promise<{ status: number }>)[] = [
      c => c.get('/employees', { query: { sort: mark } }),
      c => c.get('/employees', { query: { sort: `-${mark}` } }),
      c => c.get('/employees', { query: { filter: `${mark} = 1` } }),
      c => c.get('/employees', { query: { filter: `lastName = ${mark} ${mark}` } }),
      c => c.get('/employees', { query: { filter: `createdAt = '${mark}'` } }),
      c => c.get('/employees', { query: { filter: `blocked = ${mark}` } }),
      c => c.get('/employees', { query: { filter: `lastName ~ '${mark}` } }),
      c => c.get('/employees', { query: { [mark]: mark } }),
      c => c.get('/employees', { query: { page: mark } }),
      c => c.get('/employees', { query: { createdAtFrom: mark } }),
      c => c.get(`/employees/${mark}`),
      c => c.get('/employees', { headers: { 'x-tenant-id': mark } }),
      c => c.get('/employees', { headers: { accept: mark } }),
      c => c.get('/employees', { headers: { 'idempotency-key': mark } }),
      c => c.request('POST', '/employees', { raw: body({ [mark]: mark }), headers: json }),
      c => c.request('POST', '/employees', { raw: body({ email: mark }), headers: json }),
      c => c.request('POST', '/employees', { raw: body({ firstName: [mark] }), headers: json }),
      c => c.request('POST', '/employees', { raw: body({ divisionId: mark }), headers: json }),
      c => c.request('POST', '/employees', { raw: `{"${mark}": 1, "${mark}": 2}`, headers: json }),
      c => c.request('POST', '/employees', { raw: `{${mark}`, headers: json }),
      c => c.request('POST', '/employees', { raw: '{}', headers: { 'content-type': `text/${mark}` } }),
      c =>
        c.request('POST', '/employees', {
          raw: '{}',
          headers: { 'content-type': `application/json; charset=${mark}` },
        }),
    ];
    for (const one of rejected) {
      const { ask, id } = await newKey();
      await ask(async client => {
        assert.ok((await one(client)).status >= 400, one.toString());
      });
      const kept = await fixture.sql<{ text: string }[]>`
        SELECT row_to_json(e)::text AS text FROM key_error e WHERE key_id = ${id}`;
      assert.equal(kept.length, 1);
      assert.doesNotMatch(kept[0]!.text, new RegExp(mark, 'i'));
    }
  });

  test('of a download that breaks off, of other words and without end, are short', () => {
    const use = new KeyUse('k');
    const request = { operation: 'listEmployees', requestId: '1', readTo: null };
    use.answered({ ...request, rejection: null }, 502);
    use.answered({ ...request, rejection: { code: 'VALIDATION_ERROR', message: 'x'.repeat(9999) } }, 400);
    use.answered({ ...request, rejection: null }, 499);
    assert.deepEqual(
      Array.from(use.errors, ({ code, message }) => [code, message.length]),
      [
        ['BAD_GATEWAY', 64],
        ['VALIDATION_ERROR', 300],
      ],
    );
  });
});

describe('the last success of a key', () => {
  test('is the last request that was no error, beside the last use', async () => {
    const { ask, read } = await newKey();
    await ask(client => client.get('/employees', { query: { page: 0 } }));
    const failing = await read('/health');
    assert.deepEqual([failing.lastSuccessAt, typeof failing.lastUsedAt], [null, 'string']);
    await ask(client => client.get('/employees'));
    const then = await read('');
    assert.ok(then.lastSuccessAt >= then.lastUsedAt);
    await ask(client => client.get('/employees', { query: { page: 0 } }));
    const again = await read('/health');
    assert.equal(again.lastSuccessAt, then.lastSuccessAt);
    assert.ok(again.lastUsedAt > then.lastUsedAt);
  });
});

describe('how far a key has read', () => {
  const poll = (more: Record<string, string | number> = {}) => ({ query: { sort: 'updatedAt', ...more } });

  test('is as far as the clock where the page was not full, and lags behind what comes then', async () => {
    const { ask, read } = await newKey();
    await ask(client => client.get('/divisions', poll({ pageSize: 1000 })));
    const health = await read('/health');
    const [division] = health.polls;
    assert.deepEqual(
      [health.polls.length, division.operation, division.readTo, division.lagSeconds],
      [1, 'listDivisions', health.clockAt, 0],
    );
    await fixture.client.post('/divisions', { name: 'Later', parentId: fixture.testData.sales });
    const later = await read('/health');
    assert.ok(later.polls[0].lagSeconds >= 1 && later.clockAt > later.polls[0].readTo);
    const filter = `updatedAt >= ${division.readTo} AND (updatedAt > ${division.readTo} OR id > '${'0'.repeat(24)}')`;
    await ask(client => client.get('/divisions', poll({ filter })));
    assert.equal((await read('/health')).polls[0].lagSeconds, 0);
  });

  test('is as far as the last row where the page was full', async () => {
    const { ask, read } = await newKey();
    const { body } = await fixture.client.get('/divisions', poll({ pageSize: 2 }));
    await ask(client => client.get('/divisions', poll({ pageSize: 2 })));
    assert.equal((await read('/health')).polls[0].readTo, body.items[1].updatedAt);
  });

  test('is not known of lists in another order or with another bound, which are no polls', async () => {
    const { ask, read } = await newKey();
    const now = new Date().toISOString();
    await ask(async client => {
      await client.get('/divisions', { query: { sort: '-updatedAt' } });
      await client.get('/divisions');
      await client.get('/divisions', poll({ filter: `updatedAt < ${now}` }));
      await client.get('/divisions', poll({ filter: `name = Sales OR updatedAt IN (${now})` }));
      await client.get('/divisions', poll({ page: 0 }));
    });
    assert.deepEqual((await read('/health')).polls, []);
  });
});

test('operations are kept for ninety days and errors for thirty: the service removes the rest by itself', async () => {
  const { sql, testData } = fixture;
  const { id, ask, read } = await newKey();
  await ask(client => client.get('/employees', { query: { page: 0 } }));
  const { organization } = testData;
  const ago = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();
  for (const days of [89, 92, 400])
    await sql`
      INSERT INTO key_operation (organization_id, key_id, day, operation, requests, rejected, limited, failed)
      VALUES (${organization}, ${id}, ${ago(days).slice(0, 10)}::date, 'listOrders', 1, 0, 0, 0)`;
  for (const days of [29, 32, 400])
    await sql`
      INSERT INTO key_error (organization_id, key_id, operation, code, pattern, status, message, count, first_at, last_at, request_ids)
      VALUES (${organization}, ${id}, 'listOrders', 'NOT_FOUND', ${`e${days}`}, 404, '', 1, ${ago(500)}::timestamptz,
        ${ago(days)}::timestamptz, ${[crypto.randomUUID()]}::text[])`;
  assert.equal((await read('/health')).errors.length, 2, 'what is to be removed is not shown any more');
  for (const job of keyRemovals) {
    const { inspections } = await runOnce(sql, job);
    assert.deepEqual(inspections, [2, 0], job.name);
  }
  const left = await sql<{ n: number }[]>`
    SELECT (SELECT count(*)::int FROM key_operation WHERE organization_id = ${organization} AND key_id = ${id}) AS operations,
      (SELECT count(*)::int FROM key_error WHERE organization_id = ${organization} AND key_id = ${id}) AS errors`;
  assert.deepEqual(left, [{ operations: 2, errors: 2 }]);
});

test('uses of keys that are none are written nowhere', async () => {
  const { sql, testData } = fixture;
  const foreign = parseKey(testData.keys.foreign)!.id;
  const use = new KeyUse(foreign);
  use.answered({ operation: 'listEmployees', requestId: '1', rejection: null, readTo: null }, 200);
  await writeUses(sql, testData.organization, [use]);
  assert.deepEqual(await sql`SELECT FROM key_usage WHERE key_id = ${foreign}`, []);
});
