import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { databaseStore } from '../../src/files/database-store.ts';
import { eraseDataSubject } from '../../src/privacy/erase.ts';
import { operator } from '../../src/write/writes.ts';
import { type Answer, type ApiClient, apiClient, type RequestOptions } from '../support/contract/client.ts';
import { storeEmployees } from '../support/data/employees.ts';
import {
  contractInput,
  orderCounters,
  orderInput,
  productInput,
  storeOrders,
} from '../support/data/orders.ts';
import { startService } from '../support/service/service.ts';
import { testToken } from '../support/data/tokens.ts';
import { stateOf } from '../support/data/test-data.ts';
import { usePlatform } from './support.ts';

type Input = Record<string, unknown>;

const fixture = usePlatform();
let path: string;
let employeeId: string;
beforeEach(async () => {
  const { sql, testData } = fixture;
  path = `/organizations/${testData.organization}/orders`;
  const person = { tenant: testData.tenantA, divisionId: testData.sales };
  employeeId = (await storeEmployees(sql, testData.organization, [person]))[0]!.id;
});

let count = 0;
const intake = (more: Input = {}): Input =>
  orderInput({ externalId: `shop-${++count}`, employeeId, ...more });

const take = (body: Input, options: RequestOptions = {}): Promise<Answer<any>> =>
  fixture.own.post(path, body, options);

/** The same answer for the write and its dry run, neither of which changes anything. */
async function rejected(body: Input, expected: [number, string], message?: RegExp): Promise<void> {
  const before = await stateOf(fixture.sql);
  for (const query of [{}, { dryRun: true }]) {
    const answer = await take(body, { query });
    assert.deepEqual([answer.status, answer.body.error.code], expected, answer.body.error.message);
    if (message) assert.match(answer.body.error.message, message);
  }
  assert.equal(await stateOf(fixture.sql), before);
}

describe('createOrder where the tenant has a rule for automatic decisions', () => {
  const contract = contractInput();
  const setRule = (rule: object) =>
    fixture.own.post(
      `/organizations/${fixture.testData.organization}/tenants/${fixture.testData.tenantA}/decision-rule`,
      rule,
    );
  const submittedAt = new Date().toISOString();

  test('decides on the order in the write that takes it in, with one entry of the audit', async () => {
    await setRule({ approveUpTo: '500.00' });
    const body = intake({ contract, submittedAt });
    const projected = await take(body, { query: { dryRun: true } });
    const answer = await take(body);
    assert.equal(answer.status, 201);
    for (const { status, hrHistory } of [projected.body, answer.body])
      assert.deepEqual([status, hrHistory.decision, hrHistory.source], ['approved', 'approved', 'automatic']);
    const { createdAt, updatedAt, hrHistory } = answer.body;
    assert.deepEqual([updatedAt, hrHistory.decidedAt], [createdAt, createdAt]);
    const entries = await fixture.sql`SELECT action, fields FROM audit WHERE target_id = ${answer.body.id}`;
    assert.deepEqual(entries, [{ action: 'order.create', fields: ['status', 'hrHistory'] }]);
    const shown = await fixture.client.get(`/orders?filter=status%20%3D%20'approved'`, {
      key: fixture.testData.keys.sales,
    });
    assert.ok(shown.body.items.some((order: { id: string }) => order.id === answer.body.id));
  });

  test('the same intake again is the same order, whatever was decided', async () => {
    await setRule({ rejectAbove: '1.00' });
    const body = intake({ contract, submittedAt });
    const first = await take(body);
    assert.equal(first.body.status, 'rejected');
    const again = await take(body);
    assert.equal(again.status, 200);
    assert.deepEqual(again.bytes, first.bytes);
  });

  test('leaves to users what the rule leaves to them, and approves no order of a blocked employee', async () => {
    await setRule({ approveUpTo: '1.00', rejectAbove: '500.00' });
    assert.equal((await take(intake({ contract, submittedAt }))).body.status, 'under_review');
    await setRule({ approveUpTo: '500.00' });
    assert.equal((await take(intake({ submittedAt }))).body.status, 'under_review');
    const { sql, testData } = fixture;
    const [blocked] = await storeEmployees(sql, testData.organization, [
      { tenant: testData.tenantA, blocked: true },
    ]);
    const body = intake({ contract, submittedAt, employeeId: blocked!.id });
    assert.equal((await take(body)).body.status, 'under_review');
  });

  test('a rule of another tenant, or one that was removed, decides nothing', async () => {
    const { testData, own } = fixture;
    const path = (tenant: string) =>
      `/organizations/${testData.organization}/tenants/${tenant}/decision-rule`;
    await own.post(path(testData.tenantB), { approveUpTo: '500.00' });
    await setRule({ approveUpTo: '500.00' });
    await own.request('DELETE', path(testData.tenantA));
    assert.equal((await take(intake({ contract, submittedAt }))).body.status, 'under_review');
  });
});

describe('createOrder 201', () => {
  test('the order is under review, and the public API shows it to every key with access to the employee', async () => {
    const { client, own, testData, sql } = fixture;
    const body = intake({ contract: contractInput() });
    const answer = await take(body);
    assert.equal(answer.status, 201);
    const { id, status, hrHistory, attachments, contract, ...order } = answer.body;
    assert.deepEqual([status, hrHistory, attachments], ['under_review', null, []]);
    assert.deepEqual([order.orderNumber, order.employeeId], [body['orderNumber'], employeeId]);
    assert.deepEqual([contract.salaryConversion, contract.taxableBenefit], ['83.10', '8.00']);
    assert.equal(answer.headers.location, `/platform/v1${path}/${id}`);
    assert.deepEqual((await own.get(`${path}/${id}`)).bytes, answer.bytes);
    for (const key of [testData.keys.all, testData.keys.sales])
      assert.deepEqual((await client.get(`/orders/${id}`, { key })).bytes, answer.bytes);
    const { kept, real } = await orderCounters(sql, testData.organization);
    assert.deepEqual(kept, real);
  });

  test('audits it under the name of the token', async () => {
    const { body } = await take(intake());
    const [entry] = await fixture.sql`
      SELECT action, actor_type, actor_name FROM audit WHERE target_id = ${body.id}`;
    assert.deepEqual(
      { ...entry },
      { action: 'order.create', actor_type: 'platform_token', actor_name: 'back office' },
    );
  });

  test('of an employee without a tenant, visible only to a key of the whole organization', async () => {
    const { client, sql, testData } = fixture;
    const [anonymous] = await storeEmployees(sql, testData.organization, [{}]);
    const { status, body } = await take(intake({ employeeId: anonymous!.id }));
    assert.equal(status, 201);
    assert.equal((await client.get(`/orders/${body.id}`)).status, 200);
    assert.equal((await client.get(`/orders/${body.id}`, { key: testData.keys.tenantA })).status, 404);
    const { kept, real } = await orderCounters(sql, testData.organization);
    assert.deepEqual(kept, real);
  });

  test('another organization may use the same externalId and number', async () => {
    const { platform, sql, testData } = fixture;
    const { organization, tenant } = testData.foreign;
    const [stranger] = await storeEmployees(sql, organization, [{ tenant }]);
    const body = intake();
    assert.equal((await take(body)).status, 201);
    const there = { ...body, employeeId: stranger!.id };
    assert.equal((await platform.post(`/organizations/${organization}/orders`, there)).status, 201);
  });
});

describe('createOrder 200: the same intake again', () => {
  test('is the order as it is, whatever became of it meanwhile', async () => {
    const { client, sql } = fixture;
    const body = intake({ contract: contractInput() });
    const first = await take(body);
    assert.deepEqual((await take(body)).bytes, first.bytes);
    await client.post(`/orders/${first.body.id}/decision`, { decision: 'rejected' });
    const before = await stateOf(sql);
    for (const query of [{}, { dryRun: true }]) {
      const again = await take(body, { query });
      assert.deepEqual([again.status, again.body.id, again.body.status], [200, first.body.id, 'rejected']);
      assert.equal(again.headers.location, undefined);
    }
    assert.equal(await stateOf(sql), before);
  });

  test('however it is written: nulls, letter case of identifiers, parts of milliseconds, what follows from the rest', async () => {
    const body = intake({ contract: contractInput() });
    const { id } = (await take(body)).body;
    const again = await take({
      ...body,
      employeeId: employeeId.toUpperCase(),
      submittedAt: '2026-09-01T10:00:00.000999Z',
      products: [productInput({ service: null, netService: null })],
      contract: contractInput({ salaryConversion: '83.10', taxableBenefit: '8.00', endDate: null }),
      sPedelec: false,
    });
    assert.deepEqual([again.status, again.body.id], [200, id]);
  });
});

test('an S-pedelec is stored as one, and no public document says so', async () => {
  const { body } = await take(intake({ sPedelec: true }));
  const [row] = await fixture.sql`SELECT is_s_pedelec, doc FROM employee_order WHERE id = ${body.id}`;
  assert.equal(row!['is_s_pedelec'], true);
  assert.doesNotMatch(String(row!['doc']), /pedelec/i);
  assert.ok(!('sPedelec' in body));
});

describe('createOrder 200 with dryRun', () => {
  test('shows the order that would be, and stores nothing', async () => {
    const before = await stateOf(fixture.sql);
    const { status, body } = await take(intake(), { query: { dryRun: true } });
    assert.deepEqual([status, body.id, body.status], [200, '0'.repeat(24), 'under_review']);
    assert.equal(await stateOf(fixture.sql), before);
  });
});

describe('createOrder 409 DUPLICATE_RESOURCE', () => {
  const others: Record<string, (body: Input) => Input> = {
    orderNumber: () => ({ orderNumber: 'another' }),
    employeeId: () => ({ employeeId: 'f'.repeat(24) }),
    submittedAt: () => ({ submittedAt: '2026-09-01T10:00:00.001Z' }),
    'an amount': () => ({ products: [productInput({ netAmount: '3024.3698' })] }),
    'one more product': () => ({ products: [productInput(), productInput()] }),
    'having no contract': () => ({ contract: null }),
    'being an S-pedelec': () => ({ sPedelec: true }),
    'a term': () => ({ contract: contractInput({ termMonths: 48 }) }),
  };
  for (const [name, change] of Object.entries(others))
    test(`an intake with a taken externalId that differs in ${name} changes nothing`, async () => {
      const body = intake({ contract: contractInput() });
      await take(body);
      await rejected({ ...body, ...change(body) }, [409, 'DUPLICATE_RESOURCE'], /^externalId/);
    });

  test('an order number that another order has, taken in or imported', async () => {
    const { sql, testData } = fixture;
    const body = intake();
    await take(body);
    const target = { organizationId: testData.organization, tenantId: testData.tenantA };
    const [imported] = await storeOrders(sql, target, [orderInput({ employeeId })]);
    for (const orderNumber of [body['orderNumber'], imported!.orderNumber])
      await rejected(intake({ orderNumber }), [409, 'DUPLICATE_RESOURCE'], /^orderNumber/);
  });

  test('after the erasure of the data subject a comparison is impossible', async () => {
    const { sql, testData } = fixture;
    const body = intake();
    const { id } = (await take(body)).body;
    await fixture.client.post(`/orders/${id}/decision`, { decision: 'rejected' });
    await eraseDataSubject(
      { db: sql, store: databaseStore(sql) },
      { organizationId: testData.organization, employeeId },
      operator,
    );
    const [row] = await sql`SELECT intake_digest FROM employee_order WHERE id = ${id}`;
    assert.equal(row!['intake_digest'], null);
    await rejected(body, [409, 'DUPLICATE_RESOURCE'], /^externalId/);
    await rejected(intake(), [422, 'INVALID_REFERENCE'], /erased/);
  });
});

describe('createOrder 422', () => {
  test('INVALID_REFERENCE: the identifier is unknown, or of another organization', async () => {
    const { sql, testData } = fixture;
    const [stranger] = await storeEmployees(sql, testData.foreign.organization, [
      { tenant: testData.foreign.tenant },
    ]);
    for (const id of ['f'.repeat(24), stranger!.id])
      await rejected(intake({ employeeId: id }), [422, 'INVALID_REFERENCE'], /^employeeId/);
  });

  const contracts: Record<string, [Input, RegExp]> = {
    'a subsidy over its rate': [{ serviceRateSubsidy: '5.01' }, /^serviceRateSubsidy must not exceed/],
    'an end before the start': [{ startDate: '2026-10-02', endDate: '2026-10-01' }, /^endDate/],
    'a sum that does not follow': [{ salaryConversion: '83.11' }, /^salaryConversion must be 83.10/],
    'an amount below zero': [{ purchasePrice: '-1.00' }, /^purchasePrice/],
  };
  for (const [name, [contract, message]] of Object.entries(contracts))
    test(`VALIDATION_ERROR: ${name}`, async () => {
      await rejected(intake({ contract: contractInput(contract) }), [422, 'VALIDATION_ERROR'], message);
    });
});

describe('createOrder 400', () => {
  const faults: Record<string, [Input, string, RegExp]> = {
    'an identifier that is none': [{ employeeId: '42' }, 'INVALID_REFERENCE_ID', /^employeeId/],
    'a number for an amount': [
      { products: [{ ...productInput(), grossAmount: 1 }] },
      'VALIDATION_ERROR',
      /^products.0.grossAmount/,
    ],
    'no externalId': [{ externalId: undefined }, 'VALIDATION_ERROR', /^externalId is required/],
    'an instant with an offset': [
      { submittedAt: '2026-09-01T10:00:00+02:00' },
      'VALIDATION_ERROR',
      /^submittedAt/,
    ],
    'an instant of the year 0': [{ submittedAt: '0000-01-01T00:00:00Z' }, 'VALIDATION_ERROR', /^submittedAt/],
    'a state, which the service gives': [{ status: 'active' }, 'UNSUPPORTED_FIELD', /status/],
    'a property that a product has not': [
      { products: [productInput({ rateInCents: 1 })] },
      'UNSUPPORTED_FIELD',
      /rateInCents/,
    ],
  };
  for (const [name, [more, code, message]] of Object.entries(faults))
    test(`${code}: ${name}`, async () => {
      await rejected(intake(more), [400, code], message);
    });
});

describe('intakes of one externalId at once', () => {
  let others: ApiClient[];
  const resources = new AsyncDisposableStack();
  before(async () => {
    const key = await testToken(fixture.sql);
    const another = await startService(fixture.sql);
    resources.defer(() => another.stop());
    others = [fixture.service, another].map(({ managementUrl }) =>
      apiClient(managementUrl, { api: 'platform', key }),
    );
    others.forEach(client => resources.defer(() => client.close()));
  });
  after(() => resources.disposeAsync());

  test('are one order, through two processes', async () => {
    const body = intake();
    const answers = await Promise.all(Array.from({ length: 12 }, (_, n) => others[n % 2]!.post(path, body)));
    assert.deepEqual(answers.map(({ status }) => status).sort(), [
      ...Array.from({ length: 11 }, () => 200),
      201,
    ]);
    assert.equal(new Set(answers.map(({ body }) => body.id)).size, 1);
    const rows = await fixture.sql`SELECT id FROM employee_order WHERE external_id = ${body['externalId']}`;
    assert.equal(rows.length, 1);
  });

  test('that differ are rejected, but for one', async () => {
    const body = intake();
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, n) =>
        others[n % 2]!.post(path, { ...body, orderNumber: `N-${n}-${employeeId}` }),
      ),
    );
    assert.deepEqual(answers.map(({ status }) => status).sort(), [
      201,
      ...Array.from({ length: 7 }, () => 409),
    ]);
  });
});

describe('createOrder with list prices of the products', () => {
  const listed = (more: Input) => productInput({ listPrice: '3999.00', ...more });
  const benefitOf = async (products: Input[]) => {
    const contract = contractInput({ listPrice: '7998.00' });
    return (await take(intake({ products, contract }))).body.contract.taxableBenefit;
  };

  test('201: the benefit is the sum of those of the products, each rounded alone', async () => {
    // Together they are 19.00.
    assert.equal(await benefitOf([listed({}), listed({})]), '18.00');
    assert.equal(await benefitOf([listed({}), listed({ benefitRule: 'full' })]), '48.00');
    const device = productInput({ benefitRule: 'none' });
    assert.equal(await benefitOf([listed({}), device]), '9.00');
  });

  test('201: the public document has neither price nor rule, and without them the contract decides', async () => {
    const { body } = await take(intake({ products: [listed({})], contract: contractInput() }));
    const [product] = (await fixture.client.get(`/orders/${body.id}`)).body.products;
    assert.deepEqual([product.listPrice, product.benefitRule], [undefined, undefined]);
    assert.equal(await benefitOf([productInput(), productInput()]), '19.00');
  });

  test('201, then 200: a repeated intake is the same with the same prices, and another with others', async () => {
    const body = intake({ products: [listed({})], contract: contractInput() });
    await take(body);
    assert.equal((await take(body)).status, 200);
    await rejected({ ...body, products: [listed({ listPrice: '3998.00' })] }, [409, 'DUPLICATE_RESOURCE']);
    await rejected({ ...body, products: [productInput()] }, [409, 'DUPLICATE_RESOURCE']);
  });

  test('200: a changed subsidy keeps the sum, and the list price of the contract cannot change', async () => {
    const contract = contractInput({ startDate: '2026-10-01', endDate: '2029-09-30' });
    const products = [listed({}), listed({})];
    const { sql, testData } = fixture;
    const target = { organizationId: testData.organization, tenantId: testData.tenantA };
    const input = orderInput({ employeeId, status: 'active', products, contract });
    const [order] = await storeOrders(sql, target, [input]);
    assert.equal(order!.contract!.taxableBenefit, '18.00');
    const versions = `${path}/${order!.id}/contract-versions`;
    const changed = await fixture.own.post(versions, { from: '2026-10', leasingRate: '99.00' });
    assert.equal(changed.body.order.contract.taxableBenefit, '18.00');
    const again = await fixture.own.post(versions, { from: '2026-10', listPrice: '8000.00' });
    assert.deepEqual([again.status, again.body.error.code], [422, 'VALIDATION_ERROR']);
  });

  test('422 VALIDATION_ERROR: a product without a list price, or with a negative one', async () => {
    const of = (...products: Input[]) => intake({ products, contract: contractInput() });
    const expected: [number, string] = [422, 'VALIDATION_ERROR'];
    await rejected(of(listed({}), productInput()), expected, /^products\[1\].listPrice is required/);
    await rejected(
      of(productInput({ benefitRule: 'full' })),
      expected,
      /^products\[0\].listPrice is required/,
    );
    await rejected(of(listed({ listPrice: '-1.00' })), expected, /^products\[0\].listPrice must not/);
  });
});
