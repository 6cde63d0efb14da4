import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Sql } from '../../support/database/sql.ts';
import type { Answer, ApiClient } from '../../support/contract/client.ts';
import { useFixture } from '../../support/service/fixture.ts';
import { checkTables } from '../../support/data/divisions.ts';
import { stateOf, testDivision, testKey, type TestData } from '../../support/data/test-data.ts';

let sql: Sql;
let testData: TestData;
let client: ApiClient;
let sequence = 0;

useFixture(async fixture => {
  ({ sql, testData, client } = fixture);
});

const fresh = () => `Abteilung ${(sequence += 1)}`;

/** A new division of tenant A, below a parent or as a root. */
async function division(parentId: string | null = null, more: Record<string, unknown> = {}) {
  const answer = await client.post(
    '/divisions',
    { name: fresh(), parentId, ...more },
    { tenant: testData.tenantA },
  );
  assert.equal(answer.status, 201, JSON.stringify(answer.body));
  return answer.body;
}

const update = (id: string, body: object, options = {}) => client.patch(`/divisions/${id}`, body, options);

async function rejected(ask: () => Promise<Answer<any>>, status: number, code: string): Promise<Answer<any>> {
  const state = await stateOf(sql);
  const answer = await ask();
  assert.deepEqual([answer.status, answer.body.error?.code], [status, code]);
  assert.equal(await stateOf(sql), state);
  return answer;
}

const idsSeenBy = async (key: string) =>
  (await client.get('/divisions', { key })).body.items.map((item: { id: string }) => item.id);

describe('updateDivision 200', () => {
  test('merges: absent stays, null clears, and updatedAt moves on', async () => {
    const before = await division(testData.sales, { order: 4, costCenter: 'K-1' });
    const name = fresh();
    const answer = await update(before.id, { name, costCenter: null });
    const { updatedAt } = answer.body;
    assert.deepEqual([answer.status, answer.body], [200, { ...before, name, costCenter: null, updatedAt }]);
    assert.ok(updatedAt > before.updatedAt);
    assert.deepEqual((await client.get(`/divisions/${before.id}`)).body, answer.body);
  });

  test('reorders with decimals; -0 is 0', async () => {
    const { id } = await division(testData.sales, { order: 4 });
    assert.equal((await update(id, { order: 1.5 })).body.order, 1.5);
    const headers = { 'content-type': 'application/json' };
    const answer = await client.request('PATCH', `/divisions/${id}`, { raw: '{"order":-0}', headers });
    assert.ok(Object.is(answer.body.order, 0));
    const state = await stateOf(sql);
    await client.request('PATCH', `/divisions/${id}`, { raw: '{"order":-0}', headers });
    assert.equal(await stateOf(sql), state);
  });

  test('a change of nothing leaves updatedAt, clock and audit alone', async () => {
    const before = await division(testData.sales, { costCenter: 'K-1' });
    const state = await stateOf(sql);
    const { name, parentId, order, costCenter } = before;
    const answer = await update(before.id, { name, parentId, order, costCenter });
    assert.deepEqual([answer.status, answer.body], [200, before]);
    assert.equal(await stateOf(sql), state);
  });

  test('the name may change its letter case', async () => {
    const { id } = await division(testData.sales, { name: 'Auftrag' });
    assert.equal((await update(id, { name: 'AUFTRAG' })).body.name, 'AUFTRAG');
  });

  test('audits the names of the changed fields, not their values', async () => {
    const { id, costCenter } = await division();
    await update(id, { name: fresh(), costCenter, order: 12, parentId: testData.support });
    const [row] = await sql`SELECT * FROM audit WHERE target_id = ${id} AND action = 'division.update'`;
    assert.deepEqual(row?.['fields'], ['name', 'order', 'parentId']);
  });

  test('a move takes the whole subtree, and every key gets its new access at once', async () => {
    const top = await division(testData.sales);
    const below = await division(top.id);
    const person = { email: `${top.id}@example.com`, firstName: 'A', lastName: 'B', divisionId: below.id };
    const { body: employee } = await client.post('/employees', person);
    const sales = testData.keys.sales;
    const support = await testKey(sql, testData.organization, {
      divisions: [{ tenant: testData.tenantA, id: testData.support }],
    });
    const seen = async (key: string) => [
      (await idsSeenBy(key)).includes(below.id),
      (await client.get(`/divisions/${below.id}`, { key })).status,
      (await client.get(`/employees/${employee.id}`, { key })).status,
      (await client.get('/divisions', { key })).body.totalElements === (await idsSeenBy(key)).length,
    ];
    assert.deepEqual(await seen(sales), [true, 200, 200, true]);
    assert.deepEqual(await seen(support), [false, 404, 404, true]);
    const answer = await update(top.id, { parentId: testData.support });
    assert.deepEqual([answer.status, answer.body.parentId], [200, testData.support]);
    assert.deepEqual(await seen(sales), [false, 404, 404, true]);
    assert.deepEqual(await seen(support), [true, 200, 200, true]);
    assert.equal((await update(top.id, { parentId: null })).body.parentId, null);
    assert.deepEqual(await seen(support), [false, 404, 404, true]);
    await checkTables(sql, testData.organization);
  });

  test('a key of divisions may move between them', async () => {
    const { id } = await division(testData.north);
    const key = testData.keys.salesAndSupport;
    assert.equal((await update(id, { parentId: testData.support }, { key })).body.parentId, testData.support);
  });
});

describe('updateDivision 400', () => {
  const cases: [string, Record<string, unknown>, string, RegExp][] = [
    ['an empty body', {}, 'VALIDATION_ERROR', /property/],
    ['an unknown property', { color: 'red' }, 'UNSUPPORTED_FIELD', /color/],
    ['the tenant', { tenant: 'a'.repeat(24) }, 'UNSUPPORTED_FIELD', /tenant/],
    ['the id', { id: 'a'.repeat(24) }, 'UNSUPPORTED_FIELD', /\bid\b/],
    ['a parentId that is no identifier', { parentId: 'sales' }, 'INVALID_REFERENCE_ID', /parentId/],
    ['a null name', { name: null }, 'VALIDATION_ERROR', /name/],
    ['an empty name', { name: '' }, 'VALIDATION_ERROR', /name/],
    ['a null order', { order: null }, 'VALIDATION_ERROR', /order/],
    ['a cost center over 36 characters', { costCenter: 'x'.repeat(37) }, 'VALIDATION_ERROR', /36/],
  ];
  for (const [name, body, code, message] of cases)
    test(`${name} is ${code}`, async () => {
      const answer = await rejected(() => update(testData.sales, body), 400, code);
      assert.match(answer.body.error.message, message);
    });

  test('an order beyond the numbers is VALIDATION_ERROR', async () => {
    const headers = { 'content-type': 'application/json' };
    const ask = () =>
      client.request('PATCH', `/divisions/${testData.sales}`, { raw: '{"order":1e400}', headers });
    await rejected(ask, 400, 'VALIDATION_ERROR');
  });
});

describe('updateDivision 409', () => {
  test('DIVISION_CYCLE below itself or a division below it, also for a key of that division', async () => {
    const top = await division(testData.sales);
    const middle = await division(top.id);
    const bottom = await division(middle.id);
    for (const parent of [top, middle, bottom])
      await rejected(() => update(top.id, { parentId: parent.id }), 409, 'DIVISION_CYCLE');
    const ask = () => update(testData.sales, { parentId: bottom.id }, { key: testData.keys.sales });
    await rejected(ask, 409, 'DIVISION_CYCLE');
  });

  test('DIVISION_NAME_NOT_UNIQUE_ON_SAME_LEVEL after a rename or a move, ignoring case', async () => {
    const parent = await division();
    const other = await division(parent.id, { name: 'Straße' });
    const code = 'DIVISION_NAME_NOT_UNIQUE_ON_SAME_LEVEL';
    const sibling = await division(parent.id);
    await rejected(() => update(sibling.id, { name: 'STRASSE' }), 409, code);
    const elsewhere = await division(testData.sales, { name: 'strasse' });
    await rejected(() => update(elsewhere.id, { parentId: parent.id }), 409, code);
    const root = await division(null, { name: 'Wurzel' });
    const nested = await division(parent.id, { name: 'WURZEL' });
    await rejected(() => update(nested.id, { parentId: null }), 409, code);
    assert.equal((await update(nested.id, { parentId: null, name: 'Stamm' })).status, 200);
    assert.equal((await update(other.id, { name: 'Weg' })).status, 200);
    assert.equal((await update(sibling.id, { name: 'STRASSE' })).status, 200);
    assert.ok(root.id);
  });
});

describe('updateDivision 422', () => {
  test('INVALID_REFERENCE for a parent that is missing, out of scope, of another tenant or organization', async () => {
    const key = testData.keys.salesAndSupport;
    const { id } = await division(testData.sales);
    const unseen = await division();
    const parents = ['f'.repeat(24), unseen.id, testData.lager, testData.foreign.division];
    const messages = new Set<string>();
    for (const parentId of parents) {
      const ask = () => update(id, { parentId }, { key });
      messages.add((await rejected(ask, 422, 'INVALID_REFERENCE')).body.error.message);
    }
    await rejected(() => update(id, { parentId: testData.lager }), 422, 'INVALID_REFERENCE');
    assert.equal(messages.size, 1);
  });

  test('INVALID_REFERENCE when a key that does not cover the whole tenant makes a division a root', async () => {
    const { id } = await division(testData.sales);
    const ask = () => update(id, { parentId: null }, { key: testData.keys.sales });
    await rejected(ask, 422, 'INVALID_REFERENCE');
    assert.equal((await update(id, { parentId: null }, { key: testData.keys.tenantA })).status, 200);
  });

  test('VALIDATION_ERROR when the moved subtree would reach below the twentieth level', async () => {
    const place = { organizationId: testData.organization, tenantId: testData.tenantA };
    let parentId: string | null = null;
    for (let level = 1; level <= 17; level++)
      parentId = await testDivision(sql, { ...place, parentId }, fresh());
    const top = await division();
    const second = await division(top.id);
    const third = await division(second.id);
    await division(top.id);
    assert.equal((await update(top.id, { parentId })).status, 200);
    await update(top.id, { parentId: null });
    await division(third.id);
    const answer = await rejected(() => update(top.id, { parentId }), 422, 'VALIDATION_ERROR');
    assert.match(answer.body.error.message, /parentId.*20/);
  });
});

describe('updateDivision with dryRun', () => {
  const dry = { query: { dryRun: true } };

  test('does not wait for the clock of an organization, and 100 ms for a division that a write holds', async () => {
    await sql.begin(async transaction => {
      await transaction`UPDATE organization SET clock = clock WHERE id = ${testData.organization}`;
      assert.equal((await update(testData.sales, { order: 77 }, dry)).status, 200);
      await transaction`
        SELECT FROM division WHERE organization_id = ${testData.organization} AND id = ${testData.sales} FOR UPDATE`;
      const answer = await update(testData.sales, { order: 77 }, dry);
      assert.deepEqual([answer.status, answer.body.error.code], [503, 'SERVICE_UNAVAILABLE']);
    });
  });
});
