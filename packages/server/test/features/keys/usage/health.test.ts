import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { KeyUse } from '../../../../src/features/keys/usage/key-use.ts';
import { keyRemovals } from '../../../../src/features/keys/usage/removal.ts';
import { parseKey } from '../../../../src/auth/api-keys.ts';
import { writeUses } from '../../../../src/features/keys/usage/write.ts';
import { runOnce } from '../../../jobs/support.ts';
import { usePortal } from '../../../portal/support.ts';
import { type ApiClient, apiClient, type RequestOptions } from '../../../support/client.ts';
import { startService } from '../../../support/service.ts';
import { signedInUser } from '../../../support/users.ts';
import { testKey } from '../../../support/test-data.ts';

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
    const counts = { day: today, limited: 0, failed: 0 };
    assert.deepEqual(
      operations,
      [
        { operation: 'getOrder', days: [{ ...counts, requests: 1, rejected: 1 }] },
        { operation: 'listEmployees', days: [{ ...counts, requests: 2, rejected: 1 }] },
        { operation: 'listOrders', days: [{ ...counts, requests: 1, rejected: 0 }] },
      ].map(({ operation, days: [day] }) => ({
        operation,
        days: [{ day: day!.day, requests: day!.requests, rejected: day!.rejected, limited: 0, failed: 0 }],
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
    const list = async (query: RequestOptions['query']) =>
      (await fixture.portal.get('/api-keys', { key: session, query: query! })).body.items;
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

describe('the errors of a key', () => {
  test('are the last twenty, newest first, with the identifiers of their requests', async () => {
    const { ask, read } = await newKey();
    const requestIds = Array.from({ length: 25 }, () => crypto.randomUUID());
    await ask(async client => {
      for (const id of requestIds)
        await client.get('/employees', { query: { page: 0 }, headers: { 'x-request-id': id } });
    });
    const { errors } = await read('/health');
    assert.deepEqual(
      errors.map(({ requestId }: { requestId: string }) => requestId),
      requestIds.slice(5).toReversed(),
    );
    const { at, requestId, ...first } = errors[0];
    assert.ok(Math.abs(Date.parse(at) - Date.now()) < 60_000 && requestId);
    assert.deepEqual(first, {
      operation: 'listEmployees',
      status: 400,
      code: 'VALIDATION_ERROR',
      message: 'page must be a whole number from 1 to 9007199254740991, in decimal digits',
    });
    await ask(client => client.get('/orders', { query: { page: 0 } }));
    const then = (await read('/health')).errors;
    assert.deepEqual([then.length, then[0].operation], [20, 'listOrders']);
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
    // No more than twenty are kept.
    for (const some of [rejected.slice(0, 11), rejected.slice(11)]) {
      const { ask, id } = await newKey();
      await ask(async client => {
        for (const one of some) assert.ok((await one(client)).status >= 400, one.toString());
      });
      const kept = await fixture.sql<
        { message: string }[]
      >`SELECT message FROM key_error WHERE key_id = ${id}`;
      assert.equal(kept.length, some.length);
      for (const { message } of kept) assert.doesNotMatch(message, new RegExp(mark, 'i'));
    }
  });

  test('of a download that breaks off, of other words and without end, are short', () => {
    const use = new KeyUse('k');
    const request = { operation: 'listEmployees', requestId: '1', readTo: null };
    use.answered({ ...request, rejection: null }, 502);
    use.answered({ ...request, rejection: { code: 'VALIDATION_ERROR', message: 'x'.repeat(9999) } }, 400);
    use.answered({ ...request, rejection: null }, 499);
    assert.deepEqual(
      use.errors.map(({ code, message }) => [code, message.length]),
      [
        ['BAD_GATEWAY', 63],
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
      INSERT INTO key_error (organization_id, key_id, id, at, operation, status, code, message, request_id)
      VALUES (${organization}, ${id}, ${`e${days}`}, ${ago(days)}::timestamptz, 'listOrders', 404, 'NOT_FOUND', '', ${crypto.randomUUID()})`;
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
