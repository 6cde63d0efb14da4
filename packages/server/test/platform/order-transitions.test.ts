import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type Order, orderStatuses } from '@kontor/contract';
import type { Answer, RequestOptions } from '../support/contract/client.ts';
import { moveEmployee, storeEmployees } from '../support/data/employees.ts';
import { overtaken } from '../support/database/locks.ts';
import { contractInput, historyInput, orderInput, storeOrders } from '../support/data/orders.ts';
import type { TestSession } from '../support/database/sql.ts';
import { stateOf } from '../support/data/test-data.ts';
import { usePlatform } from './support.ts';

const fixture = usePlatform();

type Status = Order['status'];

/** An order of a new employee of tenant A, with a contract by default. */
async function stored(order: Record<string, unknown> = {}, employee: object = {}): Promise<Order> {
  const { sql, testData } = fixture;
  const [person] = await storeEmployees(sql, testData.organization, [
    { tenant: testData.tenantA, ...employee },
  ]);
  const target = { organizationId: testData.organization, tenantId: testData.tenantA };
  const input = orderInput({ employeeId: person!.id, contract: contractInput(), ...order });
  return (await storeOrders(sql, target, [input]))[0]!;
}

/** The actions of the platform: the states that they lead from, the one that they lead to, what they are sent and audited as. */
const actions: Record<string, { from: Status[]; to: Status; body?: object; audit: string }> = {
  readiness: { from: ['approved'], to: 'ready_for_pickup', audit: 'order.make_ready' },
  handover: {
    from: ['ready_for_pickup'],
    to: 'active',
    body: { startDate: '2026-10-01' },
    audit: 'order.hand_over',
  },
  completion: { from: ['active'], to: 'completed', audit: 'order.complete' },
  cancellation: {
    from: ['under_review', 'approved', 'ready_for_pickup'],
    to: 'cancelled',
    audit: 'order.cancel',
  },
  expiry: { from: ['under_review'], to: 'expired', audit: 'order.expire' },
};

function act(id: string, action: string, body?: unknown, options?: RequestOptions): Promise<Answer<any>> {
  const path = `/organizations/${fixture.testData.organization}/orders/${id}/${action}`;
  return fixture.own.post(path, body, options);
}

const dryRun = { query: { dryRun: true } };

/** Asserts that the request is rejected so, and that nothing has changed. */
async function rejected(send: () => Promise<Answer<any>>, expected: [number, string]): Promise<string> {
  const before = await stateOf(fixture.sql);
  const answer = await send();
  assert.deepEqual([answer.status, answer.body.error?.code], expected);
  assert.equal(await stateOf(fixture.sql), before);
  return answer.body.error.message;
}

for (const [action, { from, to, body, audit }] of Object.entries(actions))
  describe(`POST …/${action}`, () => {
    for (const status of from)
      test(`200: an order that is ${status} becomes ${to}, which the public API shows at once`, async () => {
        const order = await stored({ status });
        const { status: answered, body: moved, bytes } = await act(order.id, action, body);
        assert.equal(answered, 200);
        assert.ok(moved.updatedAt > order.updatedAt);
        const { contract } = moved;
        assert.deepEqual(moved, { ...order, status: to, contract, updatedAt: moved.updatedAt });
        if (action !== 'handover') assert.deepEqual(contract, order.contract);
        assert.deepEqual((await fixture.client.get(`/orders/${order.id}`)).bytes, bytes);
        const filter = `updatedAt > ${order.updatedAt} AND status = ${to} AND id = '${order.id}'`;
        const query = { filter, sort: 'updatedAt' };
        assert.deepEqual((await fixture.client.get('/orders', { query })).body.items, [moved]);
        const [entry] = await fixture.sql`
          SELECT fields, actor_type, at FROM audit WHERE target_id = ${order.id} AND action = ${audit}`;
        const fields = action === 'handover' ? ['status', 'contract'] : ['status'];
        assert.deepEqual([entry!['fields'], entry!['actor_type']], [fields, 'platform_token']);
        assert.equal((entry!['at'] as Date).toISOString(), moved.updatedAt);
      });

    for (const status of orderStatuses.filter(other => !from.includes(other)))
      test(`409 INVALID_STATE_TRANSITION: an order that is ${status}`, async () => {
        const { id } = await stored({ status, contract: null });
        for (const options of [{}, dryRun]) {
          const message = await rejected(
            () => act(id, action, body, options),
            [409, 'INVALID_STATE_TRANSITION'],
          );
          assert.match(message, new RegExp(`is ${status} and cannot become ${to}`));
        }
      });

    test('409 INVALID_STATE_TRANSITION: again, so of 10 at once one is made', async () => {
      const { id } = await stored({ status: from[0] });
      const answers = await Promise.all(Array.from({ length: 10 }, () => act(id, action, body)));
      assert.deepEqual(answers.map(({ status }) => status).sort(), [200, ...Array(9).fill(409)]);
      await rejected(() => act(id, action, body), [409, 'INVALID_STATE_TRANSITION']);
    });
  });

describe('POST …/readiness, which has no body', () => {
  const chunked = { 'transfer-encoding': 'chunked' };
  const send = (id: string, raw: string, headers = {}) => {
    const path = `/organizations/${fixture.testData.organization}/orders/${id}/readiness`;
    return fixture.own.request('POST', path, { raw, headers });
  };

  for (const [name, raw, headers] of [
    ['an empty object', '{}', { 'content-type': 'application/json' }],
    ['text', 'x', { 'content-type': 'text/plain' }],
    ['chunks', '{}', chunked],
    ['a megabyte', ' '.repeat(1024 * 1024), {}],
  ] as const)
    test(`400 VALIDATION_ERROR: ${name}`, async () => {
      const { id } = await stored({ status: 'approved' });
      const message = await rejected(() => send(id, raw, headers), [400, 'VALIDATION_ERROR']);
      assert.match(message, /accepts no body/);
    });

  test('200: an empty body, declared by its length or in chunks', async () => {
    for (const headers of [{ 'content-length': '0' }, chunked]) {
      const { id } = await stored({ status: 'approved' });
      assert.equal((await send(id, '', headers)).status, 200);
    }
  });
});

describe('POST …/handover', () => {
  const handOver = (id: string, body: object) => act(id, 'handover', body);
  const status = 'ready_for_pickup';

  test('200: the contract gets its number and its days, and what it costs stays', async () => {
    const { id, contract } = await stored({ status });
    const days = { contractNumber: 'LV-1', startDate: '2026-10-01', endDate: '2029-08-31' };
    assert.deepEqual((await handOver(id, days)).body.contract, { ...contract, ...days });
  });

  test('200: without an end the contract runs to the last day of its term', async () => {
    const { id } = await stored({ status });
    assert.equal((await handOver(id, { startDate: '2026-10-01' })).body.contract.endDate, '2029-09-30');
  });

  test('200: final amounts replace those of the order, and what follows is computed from them', async () => {
    const { id, contract } = await stored({ status });
    const amounts = { listPrice: '4000.00', purchasePrice: '3800.00', leasingRate: '108.10' };
    const { body } = await handOver(id, { startDate: '2026-10-01', ...amounts });
    const derived = { salaryConversion: '93.10', taxableBenefit: '10.00' };
    const days = { startDate: '2026-10-01', endDate: '2029-09-30' };
    assert.deepEqual(body.contract, { ...contract, ...days, ...amounts, ...derived });
  });

  test('200: a stored benefit of an earlier formula stays until the amounts change', async () => {
    const benefitAfter = async (body: object) => {
      const { id, contract } = await stored({ status });
      assert.equal(contract!.taxableBenefit, '8.00');
      await fixture.sql`
        UPDATE employee_order SET doc = replace(doc, '"taxableBenefit":"8.00"', '"taxableBenefit":"7.00"')
        WHERE id = ${id}`;
      return (await handOver(id, { startDate: '2026-10-01', ...body })).body.contract.taxableBenefit;
    };
    assert.equal(await benefitAfter({}), '7.00');
    assert.equal(await benefitAfter({ leasingRate: '108.10' }), '8.00');
  });

  test('200: the fields of the contract are the default', async () => {
    const days = { contractNumber: 'LV-2', startDate: '2026-10-05', endDate: '2029-10-04' };
    const { id, contract } = await stored({ status, contract: contractInput(days) });
    assert.deepEqual((await handOver(id, {})).body.contract, contract);
  });

  const invalid: [name: string, contract: object | null, body: object, message: RegExp][] = [
    ['an order without a contract', null, { startDate: '2026-10-01' }, /^contract: /],
    ['no first day', contractInput(), {}, /^startDate /],
    [
      'an end before the start',
      contractInput(),
      { startDate: '2026-10-01', endDate: '2026-09-30' },
      /^endDate /,
    ],
    [
      'a start behind the end that the contract has',
      contractInput({ startDate: '2026-10-01', endDate: '2026-10-31' }),
      { startDate: '2026-11-01' },
      /^endDate must not/,
    ],
    [
      'a final subsidy above its rate',
      contractInput(),
      { startDate: '2026-10-01', serviceRateSubsidy: '5.01' },
      /^serviceRateSubsidy must not exceed/,
    ],
    [
      'a term that ends after the year 9999',
      contractInput({ termMonths: 9e15 }),
      { startDate: '2026-10-01' },
      /^endDate is required/,
    ],
  ];
  for (const [name, contract, body, message] of invalid)
    test(`422 VALIDATION_ERROR: ${name}`, async () => {
      const { id } = await stored({ status, contract });
      assert.match(await rejected(() => handOver(id, body), [422, 'VALIDATION_ERROR']), message);
    });

  const malformed: [name: string, body: object, code: string][] = [
    ['a day that is not in the calendar', { startDate: '2026-02-30' }, 'VALIDATION_ERROR'],
    ['an instant', { startDate: '2026-10-01T00:00:00Z' }, 'VALIDATION_ERROR'],
    ['an empty number', { startDate: '2026-10-01', contractNumber: '' }, 'VALIDATION_ERROR'],
    [
      'an amount that follows from others',
      { startDate: '2026-10-01', salaryConversion: '1.00' },
      'UNSUPPORTED_FIELD',
    ],
  ];
  for (const [name, body, code] of malformed)
    test(`400 ${code}: ${name}`, async () => {
      const { id } = await stored({ status });
      await rejected(() => handOver(id, body), [400, code]);
    });
});

describe('POST …/decision', () => {
  const decide = (id: string, body: object = { decision: 'approved' }, options?: RequestOptions) =>
    act(id, 'decision', body, options);

  for (const decision of ['approved', 'rejected'] as const)
    test(`200: ${decision}, and hrHistory names neither a user nor a key`, async () => {
      const order = await stored();
      const { body } = await decide(order.id, { decision, comment: 'laut Vereinbarung' });
      const { updatedAt } = body;
      const comment = 'laut Vereinbarung';
      const hrHistory = { decision, decisionBy: null, source: 'automatic', comment, decidedAt: updatedAt };
      assert.deepEqual(body, { ...order, status: decision, hrHistory, updatedAt });
      assert.deepEqual((await fixture.client.get(`/orders/${order.id}`)).body, body);
    });

  test('409 ORDER_ALREADY_DECIDED: by the public API, and the other way round', async () => {
    const { client } = fixture;
    const [first, second] = [await stored(), await stored()];
    await client.post(`/orders/${first.id}/decision`, { decision: 'rejected' });
    await rejected(() => decide(first.id), [409, 'ORDER_ALREADY_DECIDED']);
    await decide(second.id);
    const again = () => client.post(`/orders/${second.id}/decision`, { decision: 'approved' });
    await rejected(again, [409, 'ORDER_ALREADY_DECIDED']);
  });

  test('409 INVALID_STATE_TRANSITION: an order that is expired without a decision', async () => {
    const { id } = await stored({ status: 'expired' });
    await rejected(() => decide(id), [409, 'INVALID_STATE_TRANSITION']);
  });

  test('422 EMPLOYEE_BLOCKED: approval of an order of a blocked employee, which can be rejected', async () => {
    const { id } = await stored({}, { blocked: true });
    await rejected(() => decide(id), [422, 'EMPLOYEE_BLOCKED']);
    assert.equal((await decide(id, { decision: 'rejected' })).status, 200);
  });
});

describe('writes under way', () => {
  test('an order that another process moves meanwhile is INVALID_STATE_TRANSITION', async () => {
    const { sql, testData } = fixture;
    const { id } = await stored({ status: 'approved', hrHistory: historyInput('approved') });
    const write = (transaction: TestSession) => transaction`
      UPDATE employee_order SET status = 'cancelled', doc = replace(doc, '"status":"approved"', '"status":"cancelled"')
      WHERE organization_id = ${testData.organization} AND id = ${id}`;
    const [answer] = await overtaken(sql, testData.organization, () => [act(id, 'readiness')], write);
    assert.deepEqual([answer!.status, answer!.body.error.code], [409, 'INVALID_STATE_TRANSITION']);
  });

  test('an employee who moves to another division meanwhile takes the order along, and it goes on', async () => {
    const { sql, testData } = fixture;
    const { id, employeeId } = await stored({ status: 'approved' }, { divisionId: testData.north });
    const move = (transaction: TestSession) =>
      moveEmployee(transaction, testData.organization, { id: employeeId, to: testData.support });
    const [answer] = await overtaken(sql, testData.organization, () => [act(id, 'readiness')], move);
    assert.deepEqual([answer!.status, answer!.body.status], [200, 'ready_for_pickup']);
  });
});
