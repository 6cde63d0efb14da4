import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { apis } from '@kontor/contract';
import { apiClient } from '../support/contract/client.ts';
import { orderInput, storeOrders } from '../support/data/orders.ts';
import { advance, files, incidentTestData, type IncidentTestData } from '../features/incidents/support.ts';

let context: IncidentTestData;
before(async () => (context = await incidentTestData()));
after(() => context.close());

/** A new resource of each type that accepts `If-Match`, with a patch that changes it, and one that does not. */
const updated: Record<string, () => Promise<{ path: string; changes: object; repeats: object }>> = {
  employee: async () => ({
    path: `/employees/${await context.employee({ city: 'Bonn' })}`,
    changes: { city: 'Köln' },
    repeats: { city: 'Bonn' },
  }),
  division: async () => {
    const body = { name: crypto.randomUUID(), costCenter: '1' };
    const { id } = (await context.client.post('/divisions', body, { tenant: context.testData.tenantA })).body;
    return { path: `/divisions/${id}`, changes: { costCenter: '2' }, repeats: { costCenter: '1' } };
  },
  incident: async () => ({
    path: `/incidents/${(await context.reported({ description: 'Rahmen' })).id}`,
    changes: { description: 'Gabel' },
    repeats: { description: 'Rahmen' },
  }),
};

const read = async (path: string) => (await context.client.get(path)).body;
const tagOf = ({ updatedAt }: { updatedAt: string }) => `"${updatedAt}"`;

test('every PATCH of the public API has a sample in this file', () => {
  const patches = Object.values(apis.public.operations).filter(({ method }) => method === 'PATCH');
  const paths = Object.keys(updated).map(type => `/${type}s/{id}`);
  assert.deepEqual(paths.toSorted(), patches.map(({ path }) => path).toSorted());
});

describe('ETag', () => {
  for (const [type, create] of Object.entries(updated))
    test(`200: a read and an update of an ${type} answer with its updatedAt, in quotation marks`, async () => {
      const { path, changes } = await create();
      const first = await context.client.get(path);
      assert.equal(first.headers.etag, tagOf(first.body));
      const second = await context.client.patch(path, changes);
      assert.equal(second.headers.etag, tagOf(second.body));
      assert.notEqual(second.headers.etag, first.headers.etag);
    });

  test('201 and 200: so do creates, and the read and the decision of an order', async () => {
    const { client, testData, sql } = context;
    const employee = await client.post(
      '/employees',
      { email: `${crypto.randomUUID()}@example.com`, firstName: 'A', lastName: '"updatedAt":"x"' },
      { tenant: testData.tenantA },
    );
    const division = await client.post(
      '/divisions',
      { name: crypto.randomUUID() },
      { tenant: testData.tenantA },
    );
    const incident = await client.post('/incidents', await context.report());
    const target = { organizationId: testData.organization, tenantId: testData.tenantA };
    const [order] = await storeOrders(sql, target, [orderInput({ employeeId: await context.employee() })]);
    const path = `/orders/${order!.id}`;
    const decided = [
      await client.get(path),
      await client.post(`${path}/decision`, { decision: 'rejected', comment: '"updatedAt":"x"' }),
    ];
    for (const answer of [employee, division, incident, ...decided])
      assert.equal(answer.headers.etag, tagOf(answer.body), JSON.stringify(answer.body));
  });

  test('lists, dry runs, attachments and rejections have none', async () => {
    const { client } = context;
    const { path, changes } = await updated['incident']!();
    const pdf = { bytes: files['application/pdf'], fileName: 'a.pdf' };
    const answers = [
      await client.get('/employees'),
      await client.patch(path, changes, { query: { dryRun: true } }),
      await client.upload(`${path}/attachments`, pdf),
      await client.get('/employees/0123456789abcdef01234567'),
    ];
    assert.deepEqual(
      answers.map(({ status, headers }) => [status, headers.etag]),
      [
        [200, undefined],
        [200, undefined],
        [201, undefined],
        [404, undefined],
      ],
    );
  });

  test('If-None-Match is ignored', async () => {
    const { path } = await updated['employee']!();
    const { headers } = await context.client.get(path);
    const again = await context.client.get(path, { headers: { 'if-none-match': headers.etag! } });
    assert.equal(again.status, 200);
  });
});

for (const [type, create] of Object.entries(updated))
  describe(`If-Match of an ${type}`, () => {
    const patch = (path: string, body: object, tag: string, query = {}) =>
      context.client.patch(path, body, { headers: { 'if-match': tag }, query });

    test('200: the version that was read', async () => {
      const { path, changes } = await create();
      const answer = await patch(path, changes, tagOf(await read(path)));
      assert.equal(answer.status, 200);
      assert.deepEqual(answer.body, await read(path));
    });

    test('200: a weak tag, as a proxy that compresses makes it', async () => {
      const { path, changes } = await create();
      assert.equal((await patch(path, changes, `W/${tagOf(await read(path))}`)).status, 200);
    });

    test('409 INVALID_STATE_TRANSITION: another version, with the current one; nothing is changed', async () => {
      const { path, changes } = await create();
      const { updatedAt, ...others } = await read(path);
      for (const version of ['2020-01-01T00:00:00.000Z', '9999-12-31T23:59:59.999Z']) {
        const answer = await patch(path, changes, `"${version}"`);
        assert.equal(answer.status, 409);
        assert.equal(answer.body.error.code, 'INVALID_STATE_TRANSITION');
        assert.ok(answer.body.error.message.includes(updatedAt), answer.body.error.message);
        assert.equal(answer.headers.etag, `"${updatedAt}"`);
        assert.deepEqual(await read(path), { updatedAt, ...others });
      }
    });

    test('200: a patch without a change comes before the comparison, so an own update can be repeated', async () => {
      const { path, changes, repeats } = await create();
      const first = await read(path);
      const unchanged = await patch(path, repeats, '"2020-01-01T00:00:00.000Z"');
      assert.deepEqual([unchanged.status, unchanged.body], [200, first]);
      const stored = await patch(path, changes, tagOf(first));
      const repeated = await patch(path, changes, tagOf(first));
      assert.deepEqual([repeated.status, repeated.body], [200, stored.body]);
      assert.equal(repeated.headers.etag, tagOf(stored.body));
    });

    test('a dry run answers the same: 409 with the current version, 200 without', async () => {
      const { path, changes } = await create();
      const first = await read(path);
      const outdated = await patch(path, changes, '"2020-01-01T00:00:00.000Z"', { dryRun: true });
      assert.deepEqual([outdated.status, outdated.headers.etag], [409, tagOf(first)]);
      const current = await patch(path, changes, tagOf(first), { dryRun: true });
      assert.deepEqual([current.status, current.headers.etag], [200, undefined]);
      assert.deepEqual(await read(path), first);
    });

    test('of 32 different updates of one version at once, one is stored', async () => {
      const { path, changes } = await create();
      const [[field]] = [Object.keys(changes)];
      const tag = tagOf(await read(path));
      const clients = Array.from({ length: 4 }, () =>
        apiClient(context.service.url, { key: context.testData.keys.all }),
      );
      const answers = await Promise.all(
        Array.from({ length: 32 }, (_, n) =>
          clients[n % 4]!.patch(path, { [field!]: `edit ${n}` }, { headers: { 'if-match': tag } }),
        ),
      );
      clients.forEach(client => client.close());
      const stored = answers.filter(({ status }) => status === 200);
      assert.equal(stored.length, 1);
      const last = await read(path);
      assert.deepEqual(stored[0]!.body, last);
      for (const { status, headers } of answers) if (status === 409) assert.equal(headers.etag, tagOf(last));
      assert.equal(answers.filter(({ status }) => status === 409).length, 31);
    });

    const rejected = {
      'any version': '*',
      'no tag': '2026-11-27T12:00:00.000Z',
      'two tags': '"2026-11-27T12:00:00.000Z", "2026-11-27T12:00:00.001Z"',
      'two headers': ['"2026-11-27T12:00:00.000Z"', '"2026-11-27T12:00:00.000Z"'],
      'a tag of another service': '"5d8c72a5edda8d6a"',
      'another form of the instant': '"2026-11-27T12:00:00Z"',
      'an empty header': '',
    };
    for (const [what, tag] of Object.entries(rejected))
      test(`400 UNSUPPORTED_HEADER: ${what}`, async () => {
        const { path, changes } = await create();
        const first = await read(path);
        const answer = await context.client.patch(path, changes, { headers: { 'if-match': tag } });
        assert.deepEqual([answer.status, answer.body.error.code], [400, 'UNSUPPORTED_HEADER']);
        assert.match(answer.body.error.message, /^if-match must be/);
        assert.deepEqual(await read(path), first);
      });
  });

describe('409 without ETag', () => {
  test('a state that forbids the patch is reported before the version', async () => {
    const { id } = await context.reported();
    await advance(context.sql, id, 'resolved');
    const answer = await context.client.patch(
      `/incidents/${id}`,
      { description: 'Gabel' },
      { headers: { 'if-match': '"2020-01-01T00:00:00.000Z"' } },
    );
    assert.deepEqual([answer.status, answer.body.error.code], [409, 'INVALID_STATE_TRANSITION']);
    assert.equal(answer.headers.etag, undefined);
  });

  test('neither has a value that must be unique', async () => {
    const { tenantA } = context.testData;
    const name = crypto.randomUUID();
    const path = `/employees/${await context.employee()}`;
    await context.client.patch(`/employees/${await context.employee()}`, { employeeNumber: name });
    await context.client.post('/divisions', { name }, { tenant: tenantA });
    const answers = [
      await context.client.patch(
        path,
        { employeeNumber: name },
        { headers: { 'if-match': tagOf(await read(path)) } },
      ),
      await context.client.post('/divisions', { name }, { tenant: tenantA }),
    ];
    for (const { status, headers } of answers) assert.deepEqual([status, headers.etag], [409, undefined]);
  });
});
