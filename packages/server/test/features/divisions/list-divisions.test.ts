import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type Division, divisionFields, fold } from '@kontor/contract';
import type { Answer, ApiClient, RequestOptions } from '../../support/contract/client.ts';
import { useFixture } from '../../support/service/fixture.ts';
import { testKey, type TestData } from '../../support/data/test-data.ts';

let testData: TestData;
let client: ApiClient;
/** Every division of the organization, in the order of the identifiers. */
let all: Division[];

const fixture = useFixture(async () => {
  ({ testData, client } = fixture);
  const more: object[] = [
    { name: 'Straße', parentId: testData.sales, order: 1.5, costCenter: 'Ä-1' },
    { name: '100%_\\', parentId: testData.sales, order: -0.25, costCenter: 'ä-1' },
    { name: 'viel', parentId: testData.north, order: Number.MAX_VALUE },
    { name: 'wenig', parentId: testData.north, order: 5e-324, costCenter: '4711' },
    { name: 'zehn', parentId: testData.support, order: 10 },
    { name: 'neun', parentId: testData.support, order: 9 },
    { name: 'Nord', parentId: testData.lager, order: -1e300 },
  ];
  for (const body of more) assert.equal((await client.post('/divisions', body)).status, 201);
  all = (await list({ pageSize: 1000 })).body.items;
});

function list(query: RequestOptions['query'] = {}, options: RequestOptions = {}): Promise<Answer<any>> {
  return client.get('/divisions', { ...options, query });
}

function namesOn({ status, body }: Answer<any>): string[] {
  assert.equal(status, 200, JSON.stringify(body));
  return body.items.map((item: Division) => item.name);
}

const filtered = async (filter: string) => namesOn(await list({ filter })).toSorted();
const namesOf = (divisions: readonly Division[]) => divisions.map(division => division.name);

describe('listDivisions 200', () => {
  test('answers the five fields, every division of the organization once, in the order of id', async () => {
    const { body } = await list();
    assert.deepEqual(Object.keys(body), ['page', 'pageSize', 'totalPages', 'totalElements', 'items']);
    assert.equal(body.totalElements, 11);
    assert.deepEqual(
      body.items,
      all.toSorted((a, b) => (a.id < b.id ? -1 : 1)),
    );
    for (const item of body.items) assert.deepEqual((await client.get(`/divisions/${item.id}`)).body, item);
  });

  test('shows a key what its grants and X-Tenant-ID leave, but no ancestor, with exact totals', async () => {
    const northKey = await testKey(fixture.sql, testData.organization, {
      divisions: [{ tenant: testData.tenantA, id: testData.north }],
    });
    const below = (top: string) => {
      const ids = new Set([top]);
      for (const item of all) if (item.parentId !== null && ids.has(item.parentId)) ids.add(item.id);
      return all.filter(item => ids.has(item.id));
    };
    const cases: [RequestOptions, Division[]][] = [
      [{}, all],
      [{ tenant: testData.tenantB }, all.filter(item => item.tenant === testData.tenantB)],
      [{ key: testData.keys.tenantA }, all.filter(item => item.tenant === testData.tenantA)],
      [{ key: testData.keys.sales }, below(testData.sales)],
      [{ key: testData.keys.salesAndSupport }, [...below(testData.sales), ...below(testData.support)]],
      [{ key: northKey }, below(testData.north)],
    ];
    for (const [options, expected] of cases)
      for (const filter of [undefined, 'id IS NOT NULL', 'order > -1 AND order < 5']) {
        const { body } = await list({ ...(filter && { filter }), sort: 'order' }, options);
        const matching = expected.filter(
          item => !filter?.startsWith('order') || (item.order > -1 && item.order < 5),
        );
        assert.deepEqual(namesOf(body.items).toSorted(), namesOf(matching).toSorted());
        assert.equal(body.totalElements, matching.length);
      }
  });

  test('every field sorts both ways, nulls first ascending, text by its folding, order as a number', async () => {
    const compare = (a: string | number, b: string | number) => (a < b ? -1 : a > b ? 1 : 0);
    for (const { name, type } of divisionFields.values()) {
      const key = (item: Division) => {
        const value = item[name as keyof Division];
        if (value === null) return null;
        return type === 'string' ? fold(String(value)) : value;
      };
      const expected = all.toSorted((a, b) => {
        const [left, right] = [key(a), key(b)];
        if (left === null || right === null)
          return left === right ? compare(a.id, b.id) : left === null ? -1 : 1;
        return compare(left, right) || compare(a.id, b.id);
      });
      assert.deepEqual(namesOn(await list({ sort: name })), namesOf(expected), name);
      assert.deepEqual(namesOn(await list({ sort: `-${name}` })), namesOf(expected.toReversed()), `-${name}`);
    }
  });

  test('pages sorted by order are disjoint and complete, up to the largest and smallest numbers', async () => {
    for (const sort of ['order', '-order', 'costCenter']) {
      const seen: string[] = [];
      for (let page = 1; page <= 4; page++) seen.push(...namesOn(await list({ sort, page, pageSize: 3 })));
      assert.deepEqual(seen, namesOn(await list({ sort })));
    }
  });

  test('filters order as a number, also beyond what a number can hold', async () => {
    assert.deepEqual(await filtered('order >= 9 AND order <= 10'), ['neun', 'zehn']);
    assert.deepEqual(await filtered('order IN (1.50, -0.25)'), ['100%_\\', 'Straße']);
    assert.deepEqual(await filtered(`order > ${'9'.repeat(400)}`), []);
    assert.equal((await filtered(`order < ${'9'.repeat(400)}`)).length, all.length);
    assert.deepEqual(await filtered(`order < -1${'0'.repeat(290)}`), ['Nord']);
    const positive = all.filter(item => item.order > 0).length;
    assert.equal((await filtered(`order > 0.${'0'.repeat(400)}1`)).length, positive);
  });

  test('filters text by the folding, and null parents and cost centers', async () => {
    assert.deepEqual(await filtered("name = 'STRASSE'"), ['Straße']);
    assert.deepEqual(await filtered("name CONTAINS '%_'"), ['100%_\\']);
    assert.deepEqual(await filtered("costCenter = 'Ä-1'"), ['100%_\\', 'Straße']);
    assert.deepEqual(await filtered("costCenter STARTS_WITH '47'"), ['wenig']);
    assert.deepEqual(await filtered('parentId IS NULL'), ['Lager', 'Sales', 'Support']);
    assert.deepEqual(await filtered(`parentId = ${testData.support}`), ['neun', 'zehn']);
    assert.deepEqual(await filtered(`tenant = ${testData.tenantB} AND parentId IS NOT NULL`), ['Nord']);
  });

  test('createdAt bounds the list, and a page past the end is empty with the true totals', async () => {
    const [first] = all;
    const { body } = await list({ createdAtFrom: first!.createdAt, createdAtTo: first!.createdAt });
    assert.deepEqual(body.items, [first]);
    const past = await list({ page: 9 });
    assert.deepEqual([past.body.items, past.body.totalElements], [[], all.length]);
  });

  test('a poller of updatedAt gets every change of a visible division', async () => {
    const poll = async () => namesOn(await list({ sort: '-updatedAt', pageSize: 1 }));
    await client.patch(`/divisions/${testData.north}`, { costCenter: 'N' });
    assert.deepEqual(await poll(), ['North']);
    await client.patch(`/divisions/${testData.north}`, { costCenter: null });
    assert.deepEqual(await poll(), ['North']);
  });
});

describe('listDivisions 400, 401, 403 and 422', () => {
  const cases: [string, Record<string, string>, number, string][] = [
    ['a filter that is none', { filter: 'name =' }, 400, 'INVALID_FILTER_SYNTAX'],
    ['an unknown field', { filter: 'city = x' }, 400, 'UNSUPPORTED_FILTER_FIELD'],
    ['a text operator on order', { filter: 'order CONTAINS 1' }, 400, 'UNSUPPORTED_FILTER_OPERATOR'],
    ['an unknown sort', { sort: 'city' }, 400, 'UNSUPPORTED_SORT_FIELD'],
    ['a page of no number', { page: 'x' }, 400, 'VALIDATION_ERROR'],
    ['dryRun', { dryRun: 'true' }, 400, 'UNKNOWN_QUERY_PARAMETER'],
    ['an order that is no number', { filter: 'order = a' }, 422, 'VALIDATION_ERROR'],
    ['an order with an exponent', { filter: 'order = 1e3' }, 422, 'VALIDATION_ERROR'],
  ];
  for (const [name, query, status, code] of cases)
    test(`${name} is ${code}`, async () => {
      const answer = await list(query);
      assert.deepEqual([answer.status, answer.body.error.code], [status, code]);
    });
});
