import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { employeeId, newEmployee, type StubService, stubService } from './stub-service.ts';

let service: StubService;
before(async () => (service = await stubService()));
after(() => service.close());

const list = (query: string) => service.client.get(`/employees?${query}`);

async function rejected(query: string, code: string): Promise<string> {
  const answer = await list(query);
  assert.equal(answer.status, 400, query);
  assert.equal(answer.body.error.code, code, query);
  return answer.body.error.message;
}

describe('GET /employees 200', () => {
  test('page and pageSize have defaults', async () => {
    await list('');
    assert.equal(service.calls.at(-1)!.query['page'], 1);
    assert.equal(service.calls.at(-1)!.query['pageSize'], 100);
  });

  const values: [query: string, name: string, value: unknown][] = [
    ['page=9007199254740991', 'page', Number.MAX_SAFE_INTEGER],
    ['page=007', 'page', 7],
    ['pageSize=1000', 'pageSize', 1000],
    ['pageSize=1&&page=2&', 'page', 2],
    ['sort=-updatedAt', 'sort', '-updatedAt'],
    ['s%6Frt=email', 'sort', 'email'],
    ["filter=lastName+=+'M%C3%BCller'", 'filter', "lastName = 'Müller'"],
    ['filter=firstName="%2B"', 'filter', 'firstName="+"'],
    ['filter=email=a', 'filter', 'email=a'],
    ["filter=lastName='%F0%9F%98%80'", 'filter', "lastName='😀'"],
    ['createdAtFrom=2024-02-29T23:59:59Z', 'createdAtFrom', '2024-02-29T23:59:59Z'],
    ['createdAtTo=2026-01-01T00:00:00.123456789Z', 'createdAtTo', '2026-01-01T00:00:00.123456789Z'],
    ['createdAtTo=0000-02-29T00%3A00%3A00.1Z', 'createdAtTo', '0000-02-29T00:00:00.1Z'],
  ];
  for (const [query, name, value] of values)
    test(query, async () => {
      assert.equal((await list(query)).status, 200);
      assert.equal(service.calls.at(-1)!.query[name], value);
    });
});

test('GET /employees 400 UNKNOWN_QUERY_PARAMETER', async () => {
  for (const query of [
    'x=1',
    'Page=1',
    'dryRun=true',
    '__proto__=1',
    'constructor',
    'page=1&limit=5',
    '=1',
    'x&x',
  ])
    await rejected(query, 'UNKNOWN_QUERY_PARAMETER');
  assert.match(await rejected('limit=5', 'UNKNOWN_QUERY_PARAMETER'), /"limit"\. Allowed: page, pageSize/);
  const message = await rejected('pagesize=5', 'UNKNOWN_QUERY_PARAMETER');
  const field = await rejected('lastName=Schulz', 'UNKNOWN_QUERY_PARAMETER');
  assert.match(field, /"lastName"\. Search for a field with filter, such as filter=lastName = "…"$/);
  assert.match(message, /"pagesize"\. Did you mean pageSize\? Allowed: page, /);
});

describe('GET /employees 400 VALIDATION_ERROR', () => {
  const malformed = {
    'a parameter sent twice': ['page=1&page=1', 'sort=email&filter=a=b&sort=email'],
    'no decimal digits': ['1e2', '+1', '%2B1', '1.0', '', '-1', '0x1', '1_0', ' 1', '1%20', '１', 'NaN'].map(
      v => `page=${v}`,
    ),
    'no value': ['page', 'pageSize=', 'sort=', 'createdAtFrom='],
    'out of range': [
      'page=0',
      'pageSize=0',
      'pageSize=1001',
      'page=9007199254740992',
      `page=${'9'.repeat(400)}`,
    ],
    'a malformed sort': [
      'sort=email,id',
      'sort=--email',
      'sort=-',
      'sort=email%20',
      'sort=%2Bemail',
      'sort=e+f',
    ],
    'no timestamp in UTC': [
      '2026-01-01',
      '2026-01-01T00:00:00',
      '2026-01-01T00:00:00%2B00:00',
      '2026-01-01t00:00:00z',
      '2026-01-01T00:00:00.Z',
      '2026-01-01T00:00:00.1234567890Z',
      '2026-01-01+00:00:00Z',
    ].map(v => `createdAtFrom=${v}`),
    'an impossible date': [
      '2026-02-29T00:00:00Z',
      '1900-02-29T00:00:00Z',
      '2026-04-31T00:00:00Z',
      '2026-13-01T00:00:00Z',
      '2026-00-01T00:00:00Z',
      '2026-01-00T00:00:00Z',
      '2026-01-01T24:00:00Z',
      '2026-01-01T00:60:00Z',
      '2026-06-30T23:59:60Z',
    ].map(v => `createdAtTo=${v}`),
    'bad percent-encoding': [
      'filter=%',
      'filter=%z',
      'filter=%4',
      'filter=%ff',
      'filter=%C3',
      '%zz=1',
      'page=1&%ff',
    ],
    'a lone surrogate': ['filter=%ED%A0%80'],
    'a NUL character': ['filter=a%00b', 'filter=%00'],
  };
  for (const [reason, queries] of Object.entries(malformed))
    test(reason, async () => {
      for (const query of queries) await rejected(encodeNonAscii(query), 'VALIDATION_ERROR');
    });

  test('the message names the parameter and its range', async () => {
    assert.match(await rejected('pageSize=5000', 'VALIDATION_ERROR'), /pageSize.*1 to 1000/);
    assert.match(
      await rejected('createdAtFrom=x', 'VALIDATION_ERROR'),
      /createdAtFrom.*2026-09-02T00:00:00Z/,
    );
  });
});

/** What a client does with characters that cannot stand in a URL. */
function encodeNonAscii(query: string): string {
  return query.replaceAll(/[^\x21-\x7e]/g, character => encodeURIComponent(character));
}

describe('dryRun', () => {
  const create = (query: string) => service.client.post(`/employees${query}`, newEmployee);
  test('is false unless it is true', async () => {
    await create('');
    assert.equal(service.calls.at(-1)!.dryRun, false);
    await create('?dryRun=false');
    assert.equal(service.calls.at(-1)!.dryRun, false);
    await create('?dryRun=true');
    assert.equal(service.calls.at(-1)!.dryRun, true);
  });

  test('400 VALIDATION_ERROR: neither true nor false', async () => {
    for (const value of ['', '1', 'True', 'TRUE', 'yes', 'true%20']) {
      const answer = await create(`?dryRun=${value}`);
      assert.equal(answer.status, 400);
      assert.equal(answer.body.error.code, 'VALIDATION_ERROR');
    }
  });

  test('400 UNKNOWN_QUERY_PARAMETER on a read', async () => {
    const answer = await service.client.get(`/employees/${employeeId}?dryRun=true`);
    assert.equal(answer.body.error.code, 'UNKNOWN_QUERY_PARAMETER');
  });
});

test('the query comes before the path, which comes before the body', async () => {
  const both = await service.client.patch('/employees/x?y=1', []);
  assert.equal(both.body.error.code, 'UNKNOWN_QUERY_PARAMETER');
  const path = await service.client.patch('/employees/x', []);
  assert.equal(path.body.error.code, 'INVALID_REFERENCE_ID');
});

test('GET /health 400 UNKNOWN_QUERY_PARAMETER', async () => {
  const answer = await service.client.get('/health?x=1', { key: null });
  assert.equal(answer.body.error.code, 'UNKNOWN_QUERY_PARAMETER');
});

test('a malformed sort must be one field', async () => {
  const sort =
    'sort must be one field, with a leading - for descending and no white space, such as -updatedAt';
  assert.equal(await rejected('sort=lastName,firstName', 'VALIDATION_ERROR'), sort);
});

test('a timestamp with +00:00 is rejected with the form that is accepted', async () => {
  const from = await rejected('createdAtFrom=2026-01-01T00:00:00%2B00:00', 'VALIDATION_ERROR');
  assert.match(from, /^createdAtFrom must be a timestamp in UTC, with Z instead of \+00:00, such as 2\S+Z$/);
});
