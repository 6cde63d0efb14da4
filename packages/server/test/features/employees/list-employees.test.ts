import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type Employee, employeeFields, fold } from '@kontor/contract';
import { createKey } from '../../../src/cli/access/key.ts';
import type { Sql } from '../../support/database/sql.ts';
import type { Answer, ApiClient, RequestOptions } from '../../support/contract/client.ts';
import { useFixture } from '../../support/service/fixture.ts';
import { storeEmployees } from '../../support/data/employees.ts';
import { testKey, testPepper, type TestData } from '../../support/data/test-data.ts';

let sql: Sql;
let testData: TestData;
let client: ApiClient;
/** Every employee of the organization, in the order of creation. */
let everyone: Employee[];

useFixture(async fixture => {
  ({ sql, testData, client } = fixture);
  everyone = await createEmployees();
});

/** Eight transactions, so that there are eight different `createdAt`; the last person has no tenant. */
async function createEmployees(): Promise<Employee[]> {
  const { organization, tenantA: tenant, tenantB, sales, north, support, lager } = testData;
  const staff: Partial<Employee>[][] = [
    [
      {
        email: 'maria@example.com',
        firstName: 'Maria',
        lastName: 'Groß',
        city: 'Köln',
        tenant,
        divisionId: sales,
      },
    ],
    [
      {
        email: 'jan@example.com',
        firstName: 'Jan',
        lastName: 'GROSS',
        city: 'köln',
        tenant,
        divisionId: north,
      },
    ],
    [{ email: 'oe@example.com', firstName: 'Zoë', lastName: "O'Brien", employeeNumber: '7', tenant }],
    [
      {
        email: 'ae@example.com',
        firstName: 'Ägidius',
        lastName: 'Ärmel',
        blocked: true,
        tenant,
        divisionId: support,
      },
    ],
    [
      { email: 'percent@example.com', lastName: '100%_\\', additionalInfo: 'say "x"', tenant: tenantB },
      { email: 'emoji@example.com', firstName: '😀', lastName: '\uffff', countryCode: 'DE', tenant: tenantB },
    ],
    [{ email: 'lager@example.com', privateEmail: 'Privat@Example.org', tenant: tenantB, divisionId: lager }],
    [
      {
        email: 'upper@example.com',
        firstName: 'ZOË',
        lastName: 'o’brien',
        employeeNumber: '07',
        tenant: tenantB,
      },
    ],
    [
      {
        email: 'nowhere@example.com',
        phoneNumber: '+49 30 1',
        postalCode: '10115',
        street: 'Lange Straße 12',
      },
    ],
  ];
  const stored: Employee[] = [];
  for (const batched of staff) stored.push(...(await storeEmployees(sql, organization, batched)));
  await storeEmployees(sql, testData.foreign.organization, [
    { email: 'maria@example.com', lastName: 'Fremd', tenant: testData.foreign.tenant },
  ]);
  return stored;
}

function list(query: RequestOptions['query'] = {}, options: RequestOptions = {}): Promise<Answer<any>> {
  return client.get('/employees', { ...options, query });
}

/** The local parts of the email addresses on the page, which identify the employees of this file. */
function namesOn({ status, body }: Answer<any>): string[] {
  assert.equal(status, 200, JSON.stringify(body));
  return body.items.map((item: Employee) => item.email.split('@')[0]);
}

async function rejection(
  query: RequestOptions['query'],
  options: RequestOptions = {},
): Promise<[number, string]> {
  const { status, body } = await list(query, options);
  return [status, body.error?.code];
}

const ids = (items: readonly { id: string }[]) => items.map(item => item.id);

describe('listEmployees 200', () => {
  test('answers the five fields, the first hundred by default, in the order of id', async () => {
    const { status, body } = await list();
    assert.equal(status, 200);
    assert.deepEqual(Object.keys(body), ['page', 'pageSize', 'totalPages', 'totalElements', 'items']);
    const { items, ...numbers } = body;
    assert.deepEqual(numbers, { page: 1, pageSize: 100, totalPages: 1, totalElements: everyone.length });
    const expected = everyone.toSorted((a, b) => (a.id < b.id ? -1 : 1));
    assert.deepEqual(items, expected);
  });

  test('a resource in the list is the same as the one alone', async () => {
    const { body } = await list({ filter: 'lastName = "100%_\\"' });
    assert.equal(body.items.length, 1);
    const single = await client.get(`/employees/${body.items[0].id}`);
    assert.deepEqual(body.items[0], single.body);
  });

  test('pages are disjoint and complete, and the last one has the rest', async () => {
    const seen: string[] = [];
    for (const page of [1, 2, 3, 4]) {
      const { body } = await list({ page, pageSize: 3, sort: 'email' });
      assert.deepEqual([body.totalPages, body.totalElements, body.pageSize], [3, 9, 3]);
      assert.equal(body.items.length, page === 4 ? 0 : 3);
      seen.push(...ids(body.items));
    }
    assert.deepEqual(seen.toSorted(), ids(everyone).toSorted());
  });

  test('a page that is requested out of order has the same items as in order', async () => {
    const all = await list({ sort: '-lastName' });
    const page = await list({ sort: '-lastName', pageSize: 4, page: 2 });
    assert.deepEqual(page.body.items, all.body.items.slice(4, 8));
  });

  test('a page past the end is empty and has the true totals, up to 2^53 - 1', async () => {
    for (const page of [2, 1000, Number.MAX_SAFE_INTEGER]) {
      const { status, body } = await list({ page });
      assert.equal(status, 200);
      assert.deepEqual(body, { page, pageSize: 100, totalPages: 1, totalElements: 9, items: [] });
    }
  });

  test('without a match there are no pages', async () => {
    const { body } = await list({ filter: 'city = Atlantis' });
    assert.deepEqual(body, { page: 1, pageSize: 100, totalPages: 0, totalElements: 0, items: [] });
  });

  test('pageSize goes from 1 to 1000', async () => {
    const smallest = await list({ pageSize: 1 });
    assert.deepEqual([smallest.body.items.length, smallest.body.totalPages], [1, 9]);
    const largest = await list({ pageSize: 1000 });
    assert.deepEqual([largest.body.items.length, largest.body.totalPages], [9, 1]);
  });
});

describe('listEmployees 200 with sort', () => {
  /** As the contract orders: null first, text by the code points of its folding. */
  function compare(a: unknown, b: unknown): number {
    if (a === null || b === null) return Number(a !== null) - Number(b !== null);
    if (typeof a !== 'string' || typeof b !== 'string') return Number(a) - Number(b);
    const [left, right] = [[...fold(a)], [...fold(b)]].map(text => text.map(point => point.codePointAt(0)!));
    const at = left!.findIndex((point, index) => point !== right![index]);
    return at === -1 ? left!.length - right!.length : left![at]! - (right![at] ?? -1);
  }

  for (const { name } of employeeFields.values())
    test(`${name}: nulls first ascending and last descending, ties by id in the direction of the sort`, async () => {
      const key = name as keyof Employee;
      const expected = everyone.toSorted((a, b) => compare(a[key], b[key]) || compare(a.id, b.id));
      assert.deepEqual(ids((await list({ sort: name })).body.items), ids(expected));
      assert.deepEqual(ids((await list({ sort: `-${name}` })).body.items), ids(expected.toReversed()));
    });

  test('walks over ties and nulls page by page, both ways', async () => {
    for (const sort of [
      'lastName',
      '-lastName',
      'blocked',
      '-tenant',
      'city',
      '-employeeNumber',
      'updatedAt',
    ]) {
      const whole = await list({ sort });
      const visited: string[] = [];
      for (let page = 1; page <= 5; page++)
        visited.push(...ids((await list({ sort, page, pageSize: 2 })).body.items));
      assert.deepEqual(visited, ids(whole.body.items), sort);
    }
  });
});

describe('listEmployees 200 with filter', () => {
  const examples: [filter: string, names: string[]][] = [
    ["lastName = 'gross'", ['jan', 'maria']],
    ['lastName=GROSS', ['jan', 'maria']],
    ["lastName != 'gross' AND tenant IS NOT NULL", ['ae', 'emoji', 'lager', 'oe', 'percent', 'upper']],
    ['employeeNumber > 07', ['oe']],
    ['employeeNumber >= 07', ['oe', 'upper']],
    ['employeeNumber < 7', ['upper']],
    ['employeeNumber <= 7', ['oe', 'upper']],
    ['firstName IN (maria, "JAN", \'nobody\')', ['jan', 'maria']],
    ["lastName CONTAINS '%_'", ['percent']],
    ["lastName CONTAINS '\\'b'", ['oe']],
    ['lastName CONTAINS brien', ['oe', 'upper']],
    ['lastName CONTAINS r', ['ae', 'jan', 'maria', 'oe', 'upper']],
    ["lastName STARTS_WITH 'ä'", ['ae']],
    ['additionalInfo ENDS_WITH \'"x"\'', ['percent']],
    ["street ENDS_WITH 'STRASSE 12'", ['nowhere']],
    ['lastName ENDS_WITH "\\"', ['percent']],
    ["lastName STARTS_WITH '_'", []],
    ['city IS NULL AND tenant IS NULL', ['nowhere']],
    ['city IS NOT NULL', ['jan', 'maria']],
    ['city CONTAINS ""', ['jan', 'maria']],
    ['blocked = TRUE', ['ae']],
    ['blocked != false', ['ae']],
    ['blocked IN (true, false) AND city = KÖLN', ['jan', 'maria']],
    ['blocked IS NULL', []],
    ['firstName = zoë', ['oe', 'upper']],
    ['firstName = 😀', ['emoji']],
    ["privateEmail = 'privat@example.ORG'", ['lager']],
    ['city = köln AND firstName = jan OR blocked = true', ['ae', 'jan']],
    ['city = köln AND (firstName = jan OR blocked = true)', ['jan']],
    ['city=köln and firstName=jan oR blocked is not null and email=ae@example.com', ['ae', 'jan']],
  ];
  for (const [filter, names] of examples)
    test(`${filter} matches ${names.join(', ') || 'anonymous'}`, async () => {
      const answer = await list({ filter });
      assert.deepEqual(namesOn(answer).toSorted(), names);
      assert.equal(answer.body.totalElements, names.length);
    });

  test('!= is the complement of =, null included', async () => {
    const equal = namesOn(await list({ filter: 'city = köln' }));
    const other = namesOn(await list({ filter: 'city != köln' }));
    assert.equal(equal.length + other.length, everyone.length);
    assert.ok(other.includes('nowhere'));
  });

  test('identifiers are compared without letter case', async () => {
    const { id, divisionId, tenant } = everyone[0]!;
    assert.deepEqual(namesOn(await list({ filter: `id = ${id.toUpperCase()}` })), ['maria']);
    assert.deepEqual(namesOn(await list({ filter: `divisionId = ${divisionId!.toUpperCase()}` })), ['maria']);
    const inTenant = await list({ filter: `tenant IN (${tenant!.toUpperCase()})` });
    assert.equal(inTenant.body.totalElements, 4);
    assert.equal((await list({ filter: `id STARTS_WITH ${id.slice(0, 20).toUpperCase()}` })).status, 200);
  });

  test('instants are compared at full precision', async () => {
    const { createdAt } = everyone[2]!;
    const finer = createdAt.replace('Z', '000001Z');
    assert.deepEqual(namesOn(await list({ filter: `createdAt = ${createdAt}` })), ['oe']);
    assert.deepEqual(namesOn(await list({ filter: `createdAt = ${createdAt.replace('Z', '000000Z')}` })), [
      'oe',
    ]);
    assert.deepEqual(namesOn(await list({ filter: `createdAt = ${finer}` })), []);
    assert.equal((await list({ filter: `createdAt != ${finer}` })).body.totalElements, everyone.length);
    const [upTo, below] = [`createdAt <= ${finer}`, `createdAt < ${createdAt}`];
    assert.deepEqual(namesOn(await list({ filter: upTo })), ['maria', 'jan', 'oe']);
    assert.deepEqual(namesOn(await list({ filter: below })), ['maria', 'jan']);
    assert.deepEqual(namesOn(await list({ filter: `createdAt < ${finer} AND createdAt >= ${createdAt}` })), [
      'oe',
    ]);
    assert.deepEqual(namesOn(await list({ filter: `createdAt IN (${finer}, ${createdAt})` })), ['oe']);
  });

  test('a filter at its bounds is answered', async () => {
    const comparisons = Array.from({ length: 100 }, () => 'city = köln').join(' OR ');
    assert.equal((await list({ filter: comparisons })).body.totalElements, 2);
    const values = Array.from({ length: 499 }, (_, n) => `n${n}`).join(',');
    assert.equal((await list({ filter: `firstName IN (${values}, jan)` })).body.totalElements, 1);
    const nested = `${'('.repeat(20)}city = köln${')'.repeat(20)}`;
    assert.equal((await list({ filter: nested })).body.totalElements, 2);
  });

  test('sort, filter, bounds of createdAt and page work together', async () => {
    const query = {
      filter: 'lastName IS NOT NULL',
      createdAtFrom: everyone[1]!.createdAt,
      sort: '-lastName',
      pageSize: 2,
    };
    const first = await list({ ...query, page: 1 });
    const second = await list({ ...query, page: 2 });
    assert.deepEqual([first.body.totalElements, first.body.totalPages], [6, 3]);
    assert.deepEqual(namesOn(first), ['emoji', 'ae']);
    assert.deepEqual(namesOn(second), ['upper', 'oe']);
  });
});

describe('listEmployees 200 with createdAtFrom and createdAtTo', () => {
  test('both bounds are inclusive', async () => {
    const { createdAt } = everyone[2]!;
    assert.deepEqual(namesOn(await list({ createdAtFrom: createdAt, createdAtTo: createdAt })), ['oe']);
    assert.equal((await list({ createdAtFrom: createdAt })).body.totalElements, 7);
    assert.equal((await list({ createdAtTo: createdAt })).body.totalElements, 3);
  });

  test('bounds finer than a millisecond, down to nanoseconds, are kept', async () => {
    const { createdAt } = everyone[2]!;
    const justAfter = createdAt.replace('Z', '000001Z');
    const millisecondBefore = new Date(Date.parse(createdAt) - 1).toISOString();
    const justBefore = millisecondBefore.replace('Z', '999999Z');
    assert.equal(namesOn(await list({ createdAtFrom: justAfter })).includes('oe'), false);
    assert.equal(namesOn(await list({ createdAtTo: justBefore })).includes('oe'), false);
    assert.deepEqual(namesOn(await list({ createdAtFrom: justBefore, createdAtTo: justAfter })), ['oe']);
  });

  test('whole seconds and far years are instants', async () => {
    for (const [createdAtFrom, total] of [
      ['2020-01-01T00:00:00Z', 9],
      ['9999-12-31T23:59:59.999999999Z', 0],
    ] as const)
      assert.equal((await list({ createdAtFrom })).body.totalElements, total);
    assert.equal((await list({ createdAtTo: '0001-01-01T00:00:00Z' })).body.totalElements, 0);
  });
});

describe('listEmployees 200 by scope', () => {
  test('X-Tenant-ID narrows to one tenant, in either letter case', async () => {
    const inA = ['ae', 'jan', 'maria', 'oe'];
    for (const tenant of [testData.tenantA, testData.tenantA.toUpperCase()]) {
      const answer = await list({ sort: 'email' }, { tenant });
      assert.deepEqual(namesOn(answer), inA);
      assert.equal(answer.body.totalElements, 4);
    }
    assert.equal(
      (await list({ filter: 'lastName IS NULL' }, { tenant: testData.tenantB })).body.totalElements,
      1,
    );
  });

  test('a key reads its tenant, a division key its subtree, another organization nothing of this one', async () => {
    const seenBy = async (key: string, tenant?: string) =>
      namesOn(await list({ sort: 'email' }, { key, ...(tenant && { tenant }) }));
    assert.deepEqual(await seenBy(testData.keys.tenantA), ['ae', 'jan', 'maria', 'oe']);
    assert.deepEqual(await seenBy(testData.keys.sales), ['jan', 'maria']);
    assert.deepEqual(await seenBy(testData.keys.sales, testData.tenantA), ['jan', 'maria']);
    assert.deepEqual(await seenBy(testData.keys.salesAndSupport), ['ae', 'jan', 'maria']);
    const foreign = await list({}, { key: testData.keys.foreign });
    assert.deepEqual([foreign.body.totalElements, foreign.body.items[0].lastName], [1, 'Fremd']);
  });

  test('grants that overlap count once', async () => {
    const key = await testKey(sql, testData.organization, {
      divisions: [testData.sales, testData.north].map(id => ({ tenant: testData.tenantA, id })),
    });
    const answer = await list({ sort: 'email' }, { key });
    assert.deepEqual(namesOn(answer), ['jan', 'maria']);
    assert.equal(answer.body.totalElements, 2);
  });

  test('a filter does not reach beyond the scope', async () => {
    const filter = `tenant = ${testData.tenantB} OR lastName IS NOT NULL OR id IS NOT NULL`;
    assert.deepEqual(namesOn(await list({ filter, sort: 'email' }, { key: testData.keys.sales })), [
      'jan',
      'maria',
    ]);
  });
});

describe('listEmployees 400', () => {
  const rejections: [query: Record<string, string | number>, code: string][] = [
    [{ page: 0 }, 'VALIDATION_ERROR'],
    [{ page: '1e2' }, 'VALIDATION_ERROR'],
    [{ page: '' }, 'VALIDATION_ERROR'],
    [{ page: '9007199254740992' }, 'VALIDATION_ERROR'],
    [{ pageSize: 0 }, 'VALIDATION_ERROR'],
    [{ pageSize: 1001 }, 'VALIDATION_ERROR'],
    [{ pageSize: '+1' }, 'VALIDATION_ERROR'],
    [{ sort: 'lastName,id' }, 'VALIDATION_ERROR'],
    [{ sort: ' lastName' }, 'VALIDATION_ERROR'],
    [{ sort: '--lastName' }, 'VALIDATION_ERROR'],
    [{ sort: '' }, 'VALIDATION_ERROR'],
    [{ createdAtFrom: '2026-01-01' }, 'VALIDATION_ERROR'],
    [{ createdAtFrom: '2026-01-01T00:00:00+01:00' }, 'VALIDATION_ERROR'],
    [{ createdAtTo: '2026-02-30T00:00:00Z' }, 'VALIDATION_ERROR'],
    [{ createdAtTo: '2026-01-01T00:00:00.0000000001Z' }, 'VALIDATION_ERROR'],
    [{ dryRun: 'true' }, 'UNKNOWN_QUERY_PARAMETER'],
    [{ dryRun: 'false' }, 'UNKNOWN_QUERY_PARAMETER'],
    [{ Page: 1 }, 'UNKNOWN_QUERY_PARAMETER'],
    [{ filter: '' }, 'INVALID_FILTER_SYNTAX'],
    [{ filter: 'city = null' }, 'INVALID_FILTER_SYNTAX'],
    [{ filter: 'city =' }, 'INVALID_FILTER_SYNTAX'],
    [{ filter: `city = '${'x'.repeat(16_000)}'` }, 'INVALID_FILTER_SYNTAX'],
    [{ filter: 'products.model = x' }, 'UNSUPPORTED_FILTER_FIELD'],
    [{ filter: 'lastname = x' }, 'UNSUPPORTED_FILTER_FIELD'],
    [{ filter: 'activatedAt IS NULL' }, 'UNSUPPORTED_FILTER_FIELD'],
    [{ filter: 'blocked > false' }, 'UNSUPPORTED_FILTER_OPERATOR'],
    [{ filter: 'createdAt CONTAINS 2026' }, 'UNSUPPORTED_FILTER_OPERATOR'],
    [{ sort: 'lastname' }, 'UNSUPPORTED_SORT_FIELD'],
    [{ sort: '-activatedAt' }, 'UNSUPPORTED_SORT_FIELD'],
    [{ sort: 'products.model' }, 'UNSUPPORTED_SORT_FIELD'],
  ];
  for (const [query, code] of rejections)
    test(`${JSON.stringify(query).slice(0, 80)} is ${code}`, async () => {
      assert.deepEqual(await rejection(query), [400, code]);
    });

  test('a parameter that is sent twice is VALIDATION_ERROR', async () => {
    const answer = await client.get('/employees?page=1&page=1');
    assert.deepEqual([answer.status, answer.body.error.code], [400, 'VALIDATION_ERROR']);
  });

  test('an X-Tenant-ID that is no identifier is VALIDATION_ERROR, one sent twice UNSUPPORTED_HEADER', async () => {
    assert.deepEqual(await rejection({}, { tenant: 'x' }), [400, 'VALIDATION_ERROR']);
    const twice = { headers: { 'X-Tenant-ID': [testData.tenantA, testData.tenantB] } };
    assert.deepEqual(await rejection({}, twice), [400, 'UNSUPPORTED_HEADER']);
  });

  test('an X-Request-ID of another version than 4 and 7 is INVALID_REQUEST_ID', async () => {
    const headers = { 'X-Request-ID': '0199a8c2-4c1e-1d53-9b0a-3f1c5d7e9a21' };
    assert.deepEqual(await rejection({}, { headers }), [400, 'INVALID_REQUEST_ID']);
  });
});

describe('listEmployees 401, 403, 406 and 429', () => {
  test('no key, a wrong one and a garbled one are INVALID_API_KEY', async () => {
    const wrong = `${testData.keys.all.slice(0, -7)}${'A'.repeat(7)}`;
    for (const key of [null, wrong, 'x', ''])
      assert.deepEqual(await rejection({}, { key }), [401, 'INVALID_API_KEY']);
  });

  test('a tenant that is foreign, missing or outside the grants is TENANT_NOT_IN_SCOPE', async () => {
    const { tenantA, tenantB, foreign, keys } = testData;
    for (const [key, tenant] of [
      [keys.all, foreign.tenant],
      [keys.all, 'f'.repeat(24)],
      [keys.tenantA, tenantB],
      [keys.sales, tenantB],
      [keys.foreign, tenantA],
    ] as const)
      assert.deepEqual(await rejection({}, { key, tenant }), [403, 'TENANT_NOT_IN_SCOPE']);
  });

  test('an Accept without JSON is NOT_ACCEPTABLE', async () => {
    const excluded = ['text/html', 'application/json;q=0', 'application/xml, text/*'];
    for (const accept of excluded)
      assert.deepEqual(await rejection({}, { headers: { accept } }), [406, 'NOT_ACCEPTABLE']);
    assert.equal((await list({}, { headers: { accept: 'application/*;q=0.1' } })).status, 200);
  });

  test('a key without quota left gets RATE_LIMIT_EXCEEDED, bad requests counted', async () => {
    const quota = { requests: 2, seconds: 3600 };
    const { organization: organizationId } = testData;
    const { key } = await createKey(sql, testPepper, { organizationId, name: 'two', quota, grants: 'all' });
    assert.equal((await list({}, { key })).status, 200);
    assert.deepEqual(await rejection({ page: 0 }, { key }), [400, 'VALIDATION_ERROR']);
    assert.deepEqual(await rejection({}, { key }), [429, 'RATE_LIMIT_EXCEEDED']);
  });
});

describe('listEmployees 422', () => {
  const rejections: Record<string, string>[] = [
    { createdAtFrom: '2026-01-02T00:00:00Z', createdAtTo: '2026-01-01T00:00:00Z' },
    { createdAtFrom: '2026-01-01T00:00:00.000000001Z', createdAtTo: '2026-01-01T00:00:00Z' },
    { filter: 'blocked = maybe' },
    { filter: 'blocked IN (true, 1)' },
    { filter: 'createdAt > yesterday' },
    { filter: 'updatedAt = 2026-02-30T00:00:00Z' },
    { filter: 'updatedAt = 2026-01-01' },
    { filter: 'city = köln OR createdAt < "2026-01-01T00:00:00+01:00"' },
  ];
  for (const query of rejections)
    test(`${JSON.stringify(query)} is VALIDATION_ERROR`, async () => {
      assert.deepEqual(await rejection(query), [422, 'VALIDATION_ERROR']);
    });

  test('equal bounds of createdAt are fine', async () => {
    const instant = '2026-01-01T00:00:00Z';
    assert.equal((await list({ createdAtFrom: instant, createdAtTo: instant })).status, 200);
  });
});
