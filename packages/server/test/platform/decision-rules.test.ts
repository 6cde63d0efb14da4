import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import type { Order } from '@kontor/contract';
import type { Answer, RequestOptions } from '../support/contract/client.ts';
import { storeEmployees } from '../support/data/employees.ts';
import { contractInput, historyInput, importText, orderInput, storeOrders } from '../support/data/orders.ts';
import { stateOf } from '../support/data/test-data.ts';
import { usePlatform } from './support.ts';
import { importDecision } from '../../src/features/orders/decision-rules/imported.ts';
import { runOnce } from '../jobs/support.ts';

const fixture = usePlatform();
let tenant: string;
let employeeId: string;
/** A tenant of its own for each test, with an employee. */
beforeEach(async () => {
  const { own, sql, testData } = fixture;
  const created = await own.post(`/organizations/${testData.organization}/tenants`, {
    name: 'Muster Bonn GmbH',
  });
  tenant = created.body.id;
  employeeId = (await storeEmployees(sql, testData.organization, [{ tenant }]))[0]!.id;
});

const path = (more = '') =>
  `/organizations/${fixture.testData.organization}/tenants/${tenant}/decision-rule${more}`;
const set = (body: object, options?: RequestOptions): Promise<Answer<any>> =>
  fixture.own.post(path(), body, options);
const apply = (body: object = {}, options?: RequestOptions): Promise<Answer<any>> =>
  fixture.own.post(path('/application'), body, options);
const tryOut = (query: Record<string, string | number>): Promise<Answer<any>> =>
  fixture.own.get(path('/preview'), { query });
const dryRun = { query: { dryRun: true } };

const rule = { approveUpTo: '120.00', rejectAbove: '200.00' };

/** Stores orders of the employee, with rates of so much a month together. */
function stored(rates: readonly string[], more: Record<string, unknown> = {}): Promise<Order[]> {
  const target = { organizationId: fixture.testData.organization, tenantId: tenant };
  return storeOrders(
    fixture.sql,
    target,
    rates.map(rate => orderInput({ employeeId, contract: contractOf(rate), ...more })),
  );
}

function contractOf(leasingRate: string): Record<string, unknown> {
  const nothing = '0.00';
  const own = { leasingRate, leasingRateSubsidy: nothing, insuranceRate: nothing };
  return contractInput({ ...own, insuranceRateSubsidy: nothing, serviceRate: nothing });
}

/** The state and the source of the decision of orders, as the public API shows them. */
async function decisionsOn(orders: readonly Pick<Order, 'id'>[]): Promise<unknown[]> {
  const answers = await Promise.all(orders.map(({ id }) => fixture.client.get(`/orders/${id}`)));
  return answers.map(({ body: { status, hrHistory } }) => [status, hrHistory?.source ?? null]);
}

/** Everything that a rejected request must leave alone. */
async function everything(): Promise<string> {
  const rules = await fixture.sql`
    SELECT to_jsonb(r) AS row FROM decision_rule r ORDER BY organization_id, tenant_id, version`;
  return JSON.stringify([await stateOf(fixture.sql), rules]);
}

describe('the rule of a tenant', () => {
  test('POST 200: it holds, and is read again', async () => {
    const { status, body } = await set({ ...rule, withinDays: 30 });
    const { changedAt } = body;
    assert.deepEqual([status, body], [200, { tenant, version: 1, ...rule, withinDays: 30, changedAt }]);
    assert.deepEqual((await fixture.own.get(path())).body, body);
  });

  test('POST 200: another one takes its place as a whole, and the same one again changes nothing', async () => {
    await set({ ...rule, withinDays: 30 });
    const { body } = await set({ approveUpTo: '99.90' });
    assert.partialDeepStrictEqual(body, {
      version: 2,
      approveUpTo: '99.90',
      rejectAbove: null,
      withinDays: null,
    });
    const before = await everything();
    assert.deepEqual((await set({ approveUpTo: '99.90', rejectAbove: null })).body, body);
    assert.equal(await everything(), before);
  });

  test('DELETE 200: it is shown once more and holds no longer; versions go on', async () => {
    const { own } = fixture;
    const { body } = await set(rule);
    const removed = await own.request('DELETE', path());
    assert.deepEqual([removed.status, removed.body], [200, body]);
    for (const answer of [await own.get(path()), await own.request('DELETE', path()), await apply()])
      assert.deepEqual([answer.status, answer.body.error.code], [404, 'NOT_FOUND']);
    assert.equal((await set(rule)).body.version, 3);
  });

  test('it is audited: who and which fields', async () => {
    await set(rule);
    await set({ ...rule, approveUpTo: '99.90' });
    await fixture.own.request('DELETE', path());
    const entries = await fixture.sql`
      SELECT action, fields, actor_type FROM audit
      WHERE target_id = ${tenant} AND action LIKE '%rule' ORDER BY at`;
    assert.deepEqual(
      entries.map(row => [row['action'], row['fields'], row['actor_type']]),
      [
        ['tenant.set_decision_rule', ['approveUpTo', 'rejectAbove'], 'platform_token'],
        ['tenant.set_decision_rule', ['approveUpTo'], 'platform_token'],
        ['tenant.remove_decision_rule', ['approveUpTo', 'rejectAbove'], 'platform_token'],
      ],
    );
  });

  test('of 5 that are set at once each has a version of its own', async () => {
    const answers = await Promise.all(['1', '2', '3', '4', '5'].map(n => set({ approveUpTo: `${n}.00` })));
    assert.deepEqual(answers.map(({ body }) => body.version).sort(), [1, 2, 3, 4, 5]);
  });

  const rejections: [name: string, expected: [number, string], body: object][] = [
    ['a rule that says nothing', [422, 'VALIDATION_ERROR'], {}],
    ['days alone', [422, 'VALIDATION_ERROR'], { withinDays: 30 }],
    ['limits the wrong way round', [422, 'VALIDATION_ERROR'], { approveUpTo: '2.00', rejectAbove: '1.99' }],
    ['less than nothing', [422, 'VALIDATION_ERROR'], { rejectAbove: '-1.00' }],
    ['a number', [400, 'VALIDATION_ERROR'], { approveUpTo: 120 }],
    ['one place', [400, 'VALIDATION_ERROR'], { approveUpTo: '120.0' }],
    ['no days', [400, 'VALIDATION_ERROR'], { ...rule, withinDays: 0 }],
    ['an unknown property', [400, 'UNSUPPORTED_FIELD'], { ...rule, currency: 'EUR' }],
  ];
  for (const [name, expected, body] of rejections)
    test(`${expected.join(' ')}: ${name}`, async () => {
      const before = await everything();
      const { status, body: answered } = await set(body);
      assert.deepEqual([status, answered.error.code], expected, answered.error.message);
      assert.equal(await everything(), before);
    });
});

describe('a rule decides', () => {
  test('on orders that are imported: what it approves and rejects is automatic, the rest waits', async () => {
    await set(rule);
    const orders = await stored(['120.00', '150.00', '200.01']);
    await runOnce(fixture.sql, importDecision);
    assert.deepEqual(await decisionsOn(orders), [
      ['approved', 'automatic'],
      ['under_review', null],
      ['rejected', 'automatic'],
    ]);
    const target = { organizationId: fixture.testData.organization, tenantId: tenant };
    const line = JSON.stringify(orderInput({ employeeId, contract: contractOf('1.00') }));
    assert.partialDeepStrictEqual(await importText(fixture.sql, target, line), {
      imported: 1,
      awaitsRule: true,
    });
  });

  /** The intake of an order of the employee with such a rate. */
  const intakeOf = (rate: string, more: object = {}) => ({
    ...orderInput({ employeeId, contract: contractOf(rate) }),
    externalId: `shop-${tenant}-${rate}`,
    ...more,
  });
  const orders = () => `/organizations/${fixture.testData.organization}/orders`;

  test('on an order that the platform takes in: it comes in decided, audited once, and again it is the same', async () => {
    await set(rule);
    const { own, client, sql } = fixture;
    const body = intakeOf('120.00');
    const dry = await own.post(orders(), body, dryRun);
    assert.deepEqual([dry.status, dry.body.status], [200, 'approved']);
    const answer = await own.post(orders(), body);
    const { id, status, hrHistory, createdAt, updatedAt } = answer.body;
    assert.deepEqual([answer.status, status, updatedAt], [201, 'approved', createdAt]);
    const source = 'automatic';
    const history = { decision: 'approved', decisionBy: null, source, comment: null, decidedAt: createdAt };
    assert.deepEqual(hrHistory, history);
    assert.deepEqual((await client.get(`/orders/${id}`)).bytes, answer.bytes);
    const filter = `status = approved AND id = '${id}'`;
    assert.equal((await client.get('/orders', { query: { filter } })).body.totalElements, 1);
    assert.deepEqual(await sql`SELECT action FROM audit WHERE target_id = ${id}`, [
      { action: 'order.create' },
    ]);
    const again = await own.post(orders(), body);
    assert.deepEqual([again.status, again.bytes], [200, answer.bytes]);
  });

  test('on each line of a batch, and never for a blocked employee nor by the rule of another tenant', async () => {
    await set(rule);
    const { own, sql, testData } = fixture;
    const staff = await storeEmployees(sql, testData.organization, [
      { tenant, blocked: true },
      { tenant: testData.tenantA },
      {},
    ]);
    const [blocked, elsewhere, nowhere] = staff.map(({ id }) => id);
    const items = [
      intakeOf('1.00'),
      intakeOf('150.00'),
      intakeOf('300.00'),
      intakeOf('2.00', { employeeId: blocked }),
      intakeOf('301.00', { employeeId: blocked }),
      intakeOf('3.00', { employeeId: elsewhere }),
      intakeOf('4.00', { employeeId: nowhere }),
      intakeOf('5.00', { contract: null }),
    ];
    const { body } = await own.post(orders().replace(/orders$/, 'order-batches'), { items });
    const decided = await decisionsOn(body.items.map(({ id }: { id: string }) => ({ id })));
    const waiting = ['under_review', null];
    assert.deepEqual(decided, [
      ['approved', 'automatic'],
      waiting,
      ['rejected', 'automatic'],
      waiting,
      ['rejected', 'automatic'],
      waiting,
      waiting,
      waiting,
    ]);
  });

  test('on no order that comes in when it was removed', async () => {
    await set(rule);
    await fixture.own.request('DELETE', path());
    assert.equal((await fixture.own.post(orders(), intakeOf('1.00'))).body.status, 'under_review');
  });

  test('on no order that is older than its days, nor of another tenant, nor that came before it', async () => {
    const before = await stored(['1.00']);
    await set({ ...rule, withinDays: 5 });
    const old = await stored(['1.00'], { submittedAt: '2026-01-01T00:00:00Z' });
    const { sql, testData } = fixture;
    const [elsewhere] = await storeEmployees(sql, testData.organization, [{ tenant: testData.tenantA }]);
    const others = await storeOrders(
      sql,
      { organizationId: testData.organization, tenantId: testData.tenantA },
      [orderInput({ employeeId: elsewhere!.id, contract: contractOf('1.00') })],
    );
    const waiting = ['under_review', null];
    assert.deepEqual(await decisionsOn([...before, ...old, ...others]), [waiting, waiting, waiting]);
  });

  test('on what people have left, when it is applied: pollers see each change', async () => {
    const orders = await stored(['1.00', '150.00', '300.00']);
    await set(rule);
    const { status, body } = await apply();
    assert.deepEqual([status, body], [200, { inspected: 3, approved: 1, rejected: 1, left: 1, next: null }]);
    assert.deepEqual(await decisionsOn(orders), [
      ['approved', 'automatic'],
      ['under_review', null],
      ['rejected', 'automatic'],
    ]);
    const since = orders
      .map(({ updatedAt }) => updatedAt)
      .sort()
      .at(-1)!;
    const filter = `updatedAt > ${since} AND employeeId = '${employeeId}'`;
    const changed = (await fixture.client.get('/orders', { query: { filter } })).body.items as Order[];
    assert.deepEqual(changed.map(({ id }) => id).sort(), [orders[0]!.id, orders[2]!.id].sort());
    for (const { hrHistory, updatedAt } of changed) assert.equal(hrHistory!.decidedAt, updatedAt);
    const audited = await fixture.sql`
      SELECT fields FROM audit WHERE target_id = ANY(${changed.map(({ id }) => id)}) AND action = 'order.decide'`;
    assert.deepEqual(
      audited.map(row => row['fields']),
      [
        ['status', 'hrHistory'],
        ['status', 'hrHistory'],
      ],
    );
    assert.deepEqual((await apply()).body, { inspected: 1, approved: 0, rejected: 0, left: 1, next: null });
  });

  test('and who decides at the same time is first or too late, never both', async () => {
    const orders = await stored(Array.from({ length: 20 }, () => '1.00'));
    await set(rule);
    const [applied, ...decided] = await Promise.all([
      apply(),
      ...orders.map(({ id }) => fixture.client.post(`/orders/${id}/decision`, { decision: 'rejected' })),
    ]);
    const won = decided.filter(({ status }) => status === 200).length;
    assert.equal(won + applied.body.approved, 20);
    for (const answer of decided) assert.ok([200, 409].includes(answer.status));
  });

  test('not in a dry run, which returns its decision', async () => {
    await stored(['1.00']);
    await set(rule);
    const before = await everything();
    assert.equal((await apply({}, dryRun)).body.approved, 1);
    assert.equal(await everything(), before);
  });

  test('on a thousand orders at a time, and on the others when it is asked again', async () => {
    const { sql, testData } = fixture;
    const orders = await stored(Array.from({ length: 1002 }, () => '150.00'));
    await set({ rejectAbove: '100.00' });
    const ids = orders.map(({ id }) => id).sort();
    const firstPart = (await apply()).body;
    assert.deepEqual(firstPart, { inspected: 1000, approved: 0, rejected: 1000, left: 0, next: ids[999] });
    const { body } = await apply({ after: ids[999]!.toUpperCase() });
    assert.deepEqual(body, { inspected: 2, approved: 0, rejected: 2, left: 0, next: null });
    const [open] = await sql`
      SELECT count(*)::int AS n FROM employee_order
      WHERE organization_id = ${testData.organization} AND tenant_id = ${tenant} AND status = 'under_review'`;
    assert.equal(open!['n'], 0);
  });
});

describe('the preview of a rule', () => {
  const decided = (decision: 'approved' | 'rejected', source: string) => ({
    status: decision,
    hrHistory: historyInput(decision, { source }),
  });

  test('GET 200: what it would have decided, and how that differs from what people decided', async () => {
    await stored(['1.00'], decided('approved', 'user'));
    const [rejected] = await stored(['10.00'], decided('rejected', 'api_key'));
    const [approved] = await stored(['300.00'], decided('approved', 'user'));
    await stored(['150.00'], decided('approved', 'user'));
    await stored(['300.00'], decided('approved', 'automatic'));
    await stored(['1.00', '150.00']);
    await stored(['1.00'], { contract: null });
    const before = await everything();
    const { status, body } = await tryOut(rule);
    assert.equal(status, 200);
    const decidedAt = rejected!.hrHistory!.decidedAt;
    const of = ({ id, orderNumber }: Order) => ({ orderId: id, orderNumber, decidedAt });
    const differing = [
      { ...of(rejected!), monthlyRate: '10.00', decision: 'rejected', wouldBe: 'approved' },
      { ...of(approved!), monthlyRate: '300.00', decision: 'approved', wouldBe: 'rejected' },
    ];
    const expected = {
      inspected: 8,
      wouldApprove: 3,
      wouldReject: 2,
      wouldLeave: 3,
      decidedByHand: 4,
      agreed: 1,
      differed: 2,
      differing: differing.sort((a, b) => (a.orderId < b.orderId ? -1 : 1)),
      next: null,
    };
    assert.deepEqual(body, expected);
    assert.equal(await everything(), before);
  });

  test('GET 200: part by part it comes to the same', async () => {
    await stored(
      Array.from({ length: 7 }, (_, n) => `${n * 50}.00`),
      decided('approved', 'user'),
    );
    const whole = (await tryOut(rule)).body;
    const parts: any[] = [];
    for (let after: string | null = '0'.repeat(24); after !== null; after = parts.at(-1).next)
      parts.push((await tryOut({ ...rule, limit: 3, after: after.toUpperCase() })).body);
    assert.deepEqual(
      parts.map(({ inspected }) => inspected),
      [3, 3, 1],
    );
    for (const [name, value] of Object.entries(whole)) {
      const values = parts.map(part => part[name]);
      if (typeof value === 'number')
        assert.equal(
          values.reduce((sum, n) => sum + n, 0),
          value,
          name,
        );
      else if (Array.isArray(value)) assert.deepEqual(values.flat(), value);
    }
  });

  test('GET 200: an order counts with the age that it had when it came in', async () => {
    await stored(['1.00'], { submittedAt: '2026-01-01T00:00:00Z' });
    assert.equal((await tryOut({ ...rule, withinDays: 30 })).body.wouldLeave, 1);
    assert.equal((await tryOut({ ...rule, withinDays: 36_500 })).body.wouldApprove, 1);
  });

  const rejections: [name: string, expected: [number, string], query: Record<string, string | number>][] = [
    ['no rule', [422, 'VALIDATION_ERROR'], {}],
    ['limits the wrong way round', [422, 'VALIDATION_ERROR'], { approveUpTo: '2.00', rejectAbove: '1.00' }],
    ['an amount with one place', [400, 'VALIDATION_ERROR'], { approveUpTo: '2.0' }],
    ['more orders than are looked at', [400, 'VALIDATION_ERROR'], { ...rule, limit: 10_001 }],
    ['a dry run, which every preview is', [400, 'UNKNOWN_QUERY_PARAMETER'], { ...rule, dryRun: 'true' }],
  ];
  for (const [name, expected, query] of rejections)
    test(`${expected.join(' ')}: ${name}`, async () => {
      const { status, body } = await tryOut(query);
      assert.deepEqual([status, body.error.code], expected);
    });
});
