import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type Employee, type Order, orderFields } from '@kontor/contract';
import type { Sql } from '../../support/database/sql.ts';
import { type Answer, type ApiClient, apiClient } from '../../support/contract/client.ts';
import { type TestDatabase, testDatabase } from '../../support/database/database.ts';
import { storeEmployees } from '../../support/data/employees.ts';
import {
  contractInput,
  historyInput,
  orderCounters,
  orderInput,
  productInput,
  storeOrders,
} from '../../support/data/orders.ts';
import { startService, type TestService } from '../../support/service/service.ts';
import { moveDivision } from '../../support/data/tree.ts';
import { insertTestData, type TestData } from '../../support/data/test-data.ts';

let database: TestDatabase;
let sql: Sql;
let service: TestService;
let testData: TestData;
let client: ApiClient;
let staff: Employee[];
/** The orders of the person without a division, in north, in support, and in tenant B. */
let unplaced: Order;
let inNorth: Order;
let inSupport: Order;
let inB: Order;

before(async () => {
  database = await testDatabase();
  sql = database.database.sql;
  testData = await insertTestData(sql);
  const { organization: organizationId, tenantA: tenant, tenantB, north, support, lager, foreign } = testData;
  staff = await storeEmployees(sql, organizationId, [
    { tenant },
    { tenant, divisionId: north },
    { tenant, divisionId: support },
    { tenant: tenantB, divisionId: lager },
  ]);
  const [a, b, c, d] = staff as [Employee, Employee, Employee, Employee];
  [unplaced, inNorth, inSupport] = (await storeOrders(sql, { organizationId, tenantId: tenant }, [
    orderInput({ orderNumber: 'Ö-1', employeeId: a.id, contract: contractInput() }),
    orderInput({
      orderNumber: 'A-2',
      employeeId: b.id,
      status: 'approved',
      hrHistory: historyInput('approved'),
      products: Array.from({ length: 40 }, () => productInput({ model: 'x'.repeat(200) })),
    }),
    orderInput({ orderNumber: 'a-3', employeeId: c.id, submittedAt: '2025-01-01T00:00:00.5Z' }),
  ])) as [Order, Order, Order];
  [inB] = (await storeOrders(sql, { organizationId, tenantId: tenantB }, [
    orderInput({ orderNumber: 'B-4', employeeId: d.id }),
  ])) as [Order];
  const [stranger] = await storeEmployees(sql, foreign.organization, [{ tenant: foreign.tenant }]);
  const theirs = { organizationId: foreign.organization, tenantId: foreign.tenant };
  await storeOrders(sql, theirs, [orderInput({ orderNumber: 'A-2', employeeId: stranger!.id })]);
  service = await startService(sql);
  client = apiClient(service.url, { key: testData.keys.all });
});

after(async () => {
  client.close();
  await service.stop();
  await database.drop();
});

const rejection = (answer: Answer<any>) => [answer.status, answer.body.error.code];
const idsOf = (answer: Answer<any>): string[] => answer.body.items.map((item: { id: string }) => item.id);

async function listed(key: string, options: { tenant?: string; query?: Record<string, string> } = {}) {
  const answer = await client.get('/orders', { key, ...options });
  assert.equal(answer.body.totalElements, answer.body.items.length);
  return idsOf(answer);
}

describe('listOrders 200', () => {
  test('answers the stored documents, without tenant and division, large ones too', async () => {
    const { body } = await client.get('/orders');
    assert.deepEqual(body.items, [unplaced, inNorth, inSupport, inB]);
    for (const order of body.items) assert.ok(!('tenant' in order) && !('divisionId' in order));
  });

  test('orders are seen exactly when their employee is', async () => {
    assert.deepEqual(await listed(testData.keys.tenantA), [unplaced.id, inNorth.id, inSupport.id]);
    assert.deepEqual(await listed(testData.keys.sales), [inNorth.id]);
    assert.deepEqual(await listed(testData.keys.salesAndSupport), [inNorth.id, inSupport.id]);
    assert.equal((await listed(testData.keys.foreign)).length, 1);
  });

  test('X-Tenant-ID narrows', async () => {
    assert.deepEqual(await listed(testData.keys.all, { tenant: testData.tenantB }), [inB.id]);
    assert.deepEqual(await listed(testData.keys.sales, { tenant: testData.tenantA }), [inNorth.id]);
  });

  const filters: [filter: () => string, expected: () => Order[]][] = [
    [() => "orderNumber STARTS_WITH 'A-'", () => [inNorth, inSupport]],
    [() => "orderNumber = 'ö-1'", () => [unplaced]],
    [() => `employeeId = ${staff[3]!.id.toUpperCase()}`, () => [inB]],
    [() => 'status IN (approved, rejected)', () => [inNorth]],
    [() => "submittedAt < '2025-01-01T00:00:00.500000001Z'", () => [inSupport]],
    [() => `updatedAt > '${inSupport.updatedAt}' OR createdAt IS NULL`, () => [inB]],
    [() => `id != ${inB.id} AND status != approved`, () => [unplaced, inSupport]],
  ];
  for (const [filter, expected] of filters)
    test(`filters: ${String(filter).slice(6)}`, async () =>
      assert.deepEqual(
        await listed(testData.keys.all, { query: { filter: filter() } }),
        expected().map(order => order.id),
      ));

  test('filters and sorts by every public scalar field', async () => {
    assert.deepEqual(
      [...orderFields.keys()],
      ['id', 'orderNumber', 'employeeId', 'status', 'submittedAt', 'createdAt', 'updatedAt'],
    );
    for (const field of orderFields.keys())
      for (const sort of [field, `-${field}`])
        assert.equal((await listed(testData.keys.salesAndSupport, { query: { sort } })).length, 2, sort);
    assert.deepEqual(await listed(testData.keys.all, { query: { sort: '-orderNumber' } }), [
      unplaced.id,
      inB.id,
      inSupport.id,
      inNorth.id,
    ]);
  });
});

describe('listOrders 400, 401, 403, 406 and 422', () => {
  const cases: [query: Record<string, string>, status: number, code: string][] = [
    [{ pageSize: '1001' }, 400, 'VALIDATION_ERROR'],
    [{ filter: 'status =' }, 400, 'INVALID_FILTER_SYNTAX'],
    [{ filter: 'tenant IS NULL' }, 400, 'UNSUPPORTED_FILTER_FIELD'],
    [{ filter: 'divisionId IS NULL' }, 400, 'UNSUPPORTED_FILTER_FIELD'],
    [{ filter: 'products IS NULL' }, 400, 'UNSUPPORTED_FILTER_FIELD'],
    [{ filter: 'contract.listPrice = 1' }, 400, 'UNSUPPORTED_FILTER_FIELD'],
    [{ filter: 'status > approved' }, 400, 'UNSUPPORTED_FILTER_OPERATOR'],
    [{ sort: 'tenant' }, 400, 'UNSUPPORTED_SORT_FIELD'],
    [{ sort: '-divisionId' }, 400, 'UNSUPPORTED_SORT_FIELD'],
    [{ sort: 'hrHistory' }, 400, 'UNSUPPORTED_SORT_FIELD'],
    [{ status: 'approved' }, 400, 'UNKNOWN_QUERY_PARAMETER'],
    [{ filter: 'status = Approved' }, 422, 'VALIDATION_ERROR'],
    [{ filter: 'submittedAt > yesterday' }, 422, 'VALIDATION_ERROR'],
  ];
  for (const [query, status, code] of cases)
    test(`${status} ${code}: ${JSON.stringify(query)}`, async () =>
      assert.deepEqual(rejection(await client.get('/orders', { query })), [status, code]));

  test('401, 403 and 406', async () => {
    assert.deepEqual(rejection(await client.get('/orders', { key: null })), [401, 'INVALID_API_KEY']);
    const outside = { key: testData.keys.sales, tenant: testData.tenantB };
    assert.deepEqual(rejection(await client.get('/orders', outside)), [403, 'TENANT_NOT_IN_SCOPE']);
    const headers = { accept: 'text/csv' };
    assert.deepEqual(rejection(await client.get('/orders', { headers })), [406, 'NOT_ACCEPTABLE']);
  });
});

describe('getOrder', () => {
  test('200: the stored document, whatever the letter case of the id', async () => {
    const answer = await client.get(`/orders/${unplaced.id.toUpperCase()}`);
    assert.deepEqual([answer.status, answer.body], [200, unplaced]);
  });

  test('401 and 403', async () => {
    const target = `/orders/${unplaced.id}`;
    assert.deepEqual(rejection(await client.get(target, { key: null })), [401, 'INVALID_API_KEY']);
    const outside = { key: testData.keys.tenantA, tenant: testData.tenantB };
    assert.deepEqual(rejection(await client.get(target, outside)), [403, 'TENANT_NOT_IN_SCOPE']);
  });
});

describe('an order follows its employee', () => {
  test('into another division, at once, with exact counters and an unchanged document', async () => {
    const move = (divisionId: string | null) =>
      client.patch(`/employees/${inNorth.employeeId}`, { divisionId });
    await move(testData.support);
    assert.deepEqual(await listed(testData.keys.sales), []);
    assert.deepEqual((await client.get(`/orders/${inNorth.id}`)).body, inNorth);
    await move(null);
    assert.deepEqual(await listed(testData.keys.salesAndSupport), [inSupport.id]);
    await move(testData.north);
    assert.deepEqual(await listed(testData.keys.sales), [inNorth.id]);
    const { kept, real } = await orderCounters(sql, testData.organization);
    assert.deepEqual(kept, real);
  });

  test('when his division moves', async () => {
    await moveDivision(sql, testData.organization, { id: testData.north, parentId: testData.support });
    assert.deepEqual(await listed(testData.keys.sales), []);
    await moveDivision(sql, testData.organization, { id: testData.north, parentId: testData.sales });
    assert.deepEqual(await listed(testData.keys.sales), [inNorth.id]);
  });
});
