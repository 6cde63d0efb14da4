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

/** A name that no other division has. */
const fresh = () => `Abteilung ${(sequence += 1)}`;
const inA = () => ({ tenant: testData.tenantA });

async function created(body: Record<string, unknown>, options = {}) {
  const answer = await client.post('/divisions', { name: fresh(), ...body }, options);
  assert.equal(answer.status, 201, JSON.stringify(answer.body));
  return answer.body;
}

/** Asserts the rejection, and that it left everything as it was. */
async function rejected(ask: () => Promise<Answer<any>>, status: number, code: string): Promise<Answer<any>> {
  const state = await stateOf(sql);
  const answer = await ask();
  assert.deepEqual([answer.status, answer.body.error?.code], [status, code]);
  assert.equal(await stateOf(sql), state);
  return answer;
}

describe('createDivision 201', () => {
  test('answers the resource with every field in order, absent ones null, and its Location', async () => {
    const name = fresh();
    const answer = await client.post('/divisions', { name, parentId: testData.sales });
    assert.equal(answer.status, 201);
    const { id, createdAt, updatedAt, ...rest } = answer.body;
    const fields = ['id', 'tenant', 'name', 'parentId', 'order', 'costCenter', 'createdAt', 'updatedAt'];
    assert.deepEqual(Object.keys(answer.body), fields);
    assert.equal(answer.headers.location, `/v1/divisions/${id}`);
    assert.equal(createdAt, updatedAt);
    assert.deepEqual(rest, {
      tenant: testData.tenantA,
      name,
      parentId: testData.sales,
      order: 2,
      costCenter: null,
    });
    assert.deepEqual((await client.get(`/divisions/${id}`)).body, answer.body);
  });

  test('takes the tenant of parentId before all else, and an uppercase identifier as the same', async () => {
    const division = await created({ parentId: testData.lager.toUpperCase() });
    assert.deepEqual([division.tenant, division.parentId], [testData.tenantB, testData.lager]);
  });

  test('takes the tenant of X-Tenant-ID, else the only one in scope, also with parentId null', async () => {
    assert.equal((await created({}, { tenant: testData.tenantB })).tenant, testData.tenantB);
    assert.equal(
      (await created({ parentId: null }, { key: testData.keys.tenantA })).tenant,
      testData.tenantA,
    );
    assert.equal((await created({}, { key: testData.keys.foreign })).tenant, testData.foreign.tenant);
  });

  test('a key of divisions creates below them and can read the new one at once', async () => {
    const key = testData.keys.sales;
    const division = await created({ parentId: testData.north }, { key });
    assert.deepEqual((await client.get(`/divisions/${division.id}`, { key })).body, division);
  });

  test('keeps an order of any finite number exactly', async () => {
    for (const order of [1.5, -3, 0.1 + 0.2, 5e-324, Number.MAX_VALUE, -Number.MAX_VALUE, 1e21]) {
      const division = await created({ order, parentId: testData.support });
      assert.equal(division.order, order);
      const [row] = await sql`SELECT sort_order AS o FROM division WHERE id = ${division.id}`;
      assert.equal(row!['o'], order);
    }
  });

  test('takes -0 as 0', async () => {
    const name = fresh();
    const raw = `{"name":${JSON.stringify(name)},"order":-0}`;
    const headers = { 'content-type': 'application/json' };
    const answer = await client.request('POST', '/divisions', { raw, headers, ...inA() });
    assert.equal(answer.status, 201);
    assert.ok(Object.is(answer.body.order, 0));
    const [row] = await sql`SELECT sort_order::text AS o FROM division WHERE id = ${answer.body.id}`;
    assert.equal(row!['o'], '0');
  });

  test('comes behind the last sibling without an order', async () => {
    const parent = await created({}, inA());
    await created({ parentId: parent.id, order: 7.25 });
    await created({ parentId: parent.id, order: 2 });
    assert.equal((await created({ parentId: parent.id })).order, 8.25);
  });

  test('has a cost center of up to 36 characters, counted in code points', async () => {
    const costCenter = '🙂'.repeat(36);
    assert.equal((await created({ costCenter }, inA())).costCenter, costCenter);
    assert.equal((await created({ costCenter: null }, inA())).costCenter, null);
    assert.equal((await created({ name: 'ß'.repeat(200) }, inA())).name.length, 200);
  });

  test('counts it for organization, tenant and itself, and audits it without values', async () => {
    const answer = await client.post('/divisions', { name: fresh(), parentId: testData.support });
    await checkTables(sql, testData.organization);
    const [audit] = await sql`SELECT * FROM audit WHERE target_id = ${answer.body.id}`;
    assert.equal(audit?.['action'], 'division.create');
    assert.equal(audit?.['request_id'], answer.headers['x-request-id']);
    assert.deepEqual(audit?.['at'], new Date(answer.body.createdAt));
    assert.deepEqual(audit?.['fields'], []);
  });
});

describe('createDivision 400', () => {
  const cases: [string, Record<string, unknown>, string, RegExp][] = [
    ['an unknown property', { color: 'red' }, 'UNSUPPORTED_FIELD', /color/],
    ['the read-only tenant', { tenant: 'a'.repeat(24) }, 'UNSUPPORTED_FIELD', /tenant/],
    ['a parentId that is no identifier', { parentId: 'sales' }, 'INVALID_REFERENCE_ID', /parentId/],
    ['a parentId that is no string', { parentId: 7 }, 'VALIDATION_ERROR', /parentId/],
    ['a missing name', { name: undefined }, 'VALIDATION_ERROR', /name/],
    ['a null name', { name: null }, 'VALIDATION_ERROR', /name/],
    ['an empty name', { name: '' }, 'VALIDATION_ERROR', /name/],
    ['a name over 200 characters', { name: 'x'.repeat(201) }, 'VALIDATION_ERROR', /200/],
    ['NUL in the name', { name: 'a\u0000b' }, 'VALIDATION_ERROR', /name/],
    ['a null order', { order: null }, 'VALIDATION_ERROR', /order/],
    ['an order as text', { order: '1' }, 'VALIDATION_ERROR', /order/],
    ['an empty cost center', { costCenter: '' }, 'VALIDATION_ERROR', /costCenter/],
    ['a cost center over 36 characters', { costCenter: 'x'.repeat(37) }, 'VALIDATION_ERROR', /36/],
  ];
  for (const [name, more, code, message] of cases)
    test(`${name} is ${code}`, async () => {
      const ask = () => client.post('/divisions', { name: fresh(), ...more }, inA());
      assert.match((await rejected(ask, 400, code)).body.error.message, message);
    });

  for (const number of ['1e400', '-1e400'])
    test(`the order ${number} is VALIDATION_ERROR`, async () => {
      const raw = `{"name":"Groß","order":${number}}`;
      const headers = { 'content-type': 'application/json' };
      const ask = () => client.request('POST', '/divisions', { raw, headers, ...inA() });
      assert.match((await rejected(ask, 400, 'VALIDATION_ERROR')).body.error.message, /order/);
    });
});

describe('createDivision 409', () => {
  test('DIVISION_NAME_NOT_UNIQUE_ON_SAME_LEVEL for the name of a sibling, compared by the folding', async () => {
    await created({ name: 'Große Straße', parentId: testData.north });
    for (const name of ['Große Straße', 'GROSSE STRASSE', 'große strasse'])
      await rejected(
        () => client.post('/divisions', { name, parentId: testData.north }),
        409,
        'DIVISION_NAME_NOT_UNIQUE_ON_SAME_LEVEL',
      );
    await rejected(
      () => client.post('/divisions', { name: 'sales' }, inA()),
      409,
      'DIVISION_NAME_NOT_UNIQUE_ON_SAME_LEVEL',
    );
  });

  test('the name is free on another level and in another tenant', async () => {
    const name = fresh();
    await created({ name }, inA());
    await created({ name, parentId: testData.sales });
    await created({ name }, { tenant: testData.tenantB });
  });

  test('of 10 creates of one name at once, exactly one succeeds', async () => {
    const name = fresh();
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => client.post('/divisions', { name }, inA())),
    );
    const statuses = answers.map(answer => answer.status).toSorted();
    assert.deepEqual(statuses, [201, ...Array.from({ length: 9 }, () => 409)]);
  });
});

describe('createDivision 422', () => {
  test('TENANT_CONTEXT_AMBIGUOUS when several tenants are possible', async () => {
    await rejected(() => client.post('/divisions', { name: fresh() }), 422, 'TENANT_CONTEXT_AMBIGUOUS');
  });

  test('VALIDATION_ERROR when a key that does not cover the whole tenant sends no parentId', async () => {
    for (const body of [{ name: fresh() }, { name: fresh(), parentId: null }]) {
      const ask = () => client.post('/divisions', body, { key: testData.keys.salesAndSupport });
      assert.match((await rejected(ask, 422, 'VALIDATION_ERROR')).body.error.message, /parentId/);
    }
    const mixed = await testKey(sql, testData.organization, {
      tenants: [testData.tenantB],
      divisions: [{ tenant: testData.tenantA, id: testData.sales }],
    });
    const ask = () => client.post('/divisions', { name: fresh() }, { key: mixed, ...inA() });
    await rejected(ask, 422, 'VALIDATION_ERROR');
    await created({}, { key: mixed, tenant: testData.tenantB });
  });

  test('VALIDATION_ERROR below the twentieth level', async () => {
    let parentId: string | null = null;
    const place = { organizationId: testData.organization, tenantId: testData.tenantA };
    for (let level = 1; level < 20; level++)
      parentId = await testDivision(sql, { ...place, parentId }, fresh());
    const last = await created({ parentId });
    const ask = () => client.post('/divisions', { name: fresh(), parentId: last.id });
    assert.match((await rejected(ask, 422, 'VALIDATION_ERROR')).body.error.message, /20/);
  });

  test('INVALID_REFERENCE, the same for missing, out of scope, foreign and outside the selected tenant', async () => {
    const key = testData.keys.sales;
    const asks = [
      () => client.post('/divisions', { name: fresh(), parentId: 'f'.repeat(24) }, { key }),
      () => client.post('/divisions', { name: fresh(), parentId: testData.support }, { key }),
      () => client.post('/divisions', { name: fresh(), parentId: testData.foreign.division }, { key }),
      () => client.post('/divisions', { name: fresh(), parentId: testData.lager }, inA()),
    ];
    const messages = new Set<string>();
    for (const ask of asks) messages.add((await rejected(ask, 422, 'INVALID_REFERENCE')).body.error.message);
    assert.equal(messages.size, 1);
  });
});

describe('createDivision with dryRun', () => {
  const dry = () => ({ ...inA(), query: { dryRun: true } });

  test('answers 503 instead of waiting for a name that a write under way takes', async () => {
    const name = 'zugleich';
    await sql
      .begin(async transaction => {
        await transaction`
          INSERT INTO division (organization_id, id, tenant_id, name, folded_name, sort_order, created_at, updated_at,
            doc_version, fold_version, doc)
          VALUES (${testData.organization}, ${'e'.repeat(24)}, ${testData.tenantA}, ${name}, ${name}, 1, now(), now(), 1, 1, '{}')`;
        const answer = await client.post('/divisions', { name }, dry());
        assert.deepEqual([answer.status, answer.body.error.code], [503, 'SERVICE_UNAVAILABLE']);
        throw new Error('roll back');
      })
      .catch((error: Error) => assert.equal(error.message, 'roll back'));
  });
});
