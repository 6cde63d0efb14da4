import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Order } from '@kontor/contract';
import type { Sql, TestSession } from '../../support/database/sql.ts';
import {
  type Answer,
  type ApiClient,
  apiClient,
  type RequestOptions,
} from '../../support/contract/client.ts';
import { type TestDatabase, testDatabase } from '../../support/database/database.ts';
import { moveEmployee, storeEmployees } from '../../support/data/employees.ts';
import { overtaken } from '../../support/database/locks.ts';
import { historyInput, orderInput, storeOrders } from '../../support/data/orders.ts';
import { startService, type TestService } from '../../support/service/service.ts';
import { insertTestData, stateOf, type TestData } from '../../support/data/test-data.ts';

let database: TestDatabase;
let sql: Sql;
let service: TestService;
let testData: TestData;
let client: ApiClient;

before(async () => {
  database = await testDatabase();
  sql = database.database.sql;
  testData = await insertTestData(sql);
  service = await startService(sql);
  client = apiClient(service.url, { key: testData.keys.all });
});

after(async () => {
  client.close();
  await service.stop();
  await database.drop();
});

/** An order of a new employee of tenant A. */
async function stored(
  order: Record<string, unknown> = {},
  employee: { blocked?: boolean; divisionId?: string } = {},
): Promise<Order> {
  const [person] = await storeEmployees(sql, testData.organization, [
    { tenant: testData.tenantA, ...employee },
  ]);
  const target = { organizationId: testData.organization, tenantId: testData.tenantA };
  const [document] = await storeOrders(sql, target, [orderInput({ employeeId: person!.id, ...order })]);
  return document!;
}

const decide = (id: string, body: unknown = { decision: 'approved' }, options?: RequestOptions) =>
  client.post(`/orders/${id}/decision`, body, options);
const rejection = (answer: Answer<any>) => [answer.status, answer.body.error.code];

/** Asserts that the request is rejected so, and that nothing has changed. */
async function rejected(send: () => Promise<Answer<any>>, status: number, code: string): Promise<string> {
  const before = await stateOf(sql);
  const answer = await send();
  assert.deepEqual(rejection(answer), [status, code]);
  assert.equal(await stateOf(sql), before);
  return answer.body.error.message;
}

describe('decideOrder 200', () => {
  for (const decision of ['approved', 'rejected'] as const)
    test(`${decision}: the order has it, and hrHistory names the key without a user`, async () => {
      const order = await stored();
      const answer = await decide(order.id, { decision, comment: 'Budget geprüft' });
      const { updatedAt } = answer.body;
      assert.equal(answer.status, 200);
      assert.ok(updatedAt > order.updatedAt);
      assert.deepEqual(answer.body, {
        ...order,
        status: decision,
        hrHistory: {
          decision,
          decisionBy: null,
          source: 'api_key',
          comment: 'Budget geprüft',
          decidedAt: updatedAt,
        },
        updatedAt,
      });
      assert.deepEqual(Object.keys(answer.body), Object.keys(order));
      assert.deepEqual((await client.get(`/orders/${order.id}`)).bytes, answer.bytes);
    });

  test('without a comment, and with null, it is null; 2,000 characters outside the BMP fit', async () => {
    assert.equal((await decide((await stored()).id)).body.hrHistory.comment, null);
    const withNull = await decide((await stored()).id, { decision: 'rejected', comment: null });
    assert.equal(withNull.body.hrHistory.comment, null);
    const comment = '🚲'.repeat(2000);
    const long = await decide((await stored()).id, { decision: 'rejected', comment });
    assert.equal(long.body.hrHistory.comment, comment);
  });

  test('an order of a blocked employee can be rejected', async () => {
    const { id } = await stored({}, { blocked: true });
    assert.equal((await decide(id, { decision: 'rejected' })).body.status, 'rejected');
  });

  test('lists find the order in its new state at once', async () => {
    const { id } = await stored();
    await decide(id);
    const filter = `status = approved AND id = '${id}'`;
    assert.equal((await client.get('/orders', { query: { filter } })).body.totalElements, 1);
  });

  test('it is audited: who, when and which fields, not their values', async () => {
    const { id } = await stored();
    const { body } = await decide(id, { decision: 'approved', comment: 'geheim' });
    const [row] = await sql`SELECT * FROM audit WHERE target_id = ${id} AND action = 'order.decide'`;
    assert.deepEqual(row!['fields'], ['status', 'hrHistory']);
    assert.equal((row!['at'] as Date).toISOString(), body.updatedAt);
  });

  test('of 10 decisions at once one is made, and 9 are ORDER_ALREADY_DECIDED', async () => {
    const { id } = await stored();
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, n) => decide(id, { decision: n % 2 ? 'approved' : 'rejected' })),
    );
    const made = answers.filter(answer => answer.status === 200);
    assert.equal(made.length, 1);
    for (const answer of answers.filter(other => other.status !== 200))
      assert.deepEqual(rejection(answer), [409, 'ORDER_ALREADY_DECIDED']);
    assert.deepEqual((await client.get(`/orders/${id}`)).body, made[0]!.body);
  });
});

describe('decideOrder 400', () => {
  const cases: [name: string, body: unknown, code: string, message: RegExp][] = [
    ['an empty body', {}, 'VALIDATION_ERROR', /decision is required/],
    ['an unknown decision', { decision: 'cancelled' }, 'VALIDATION_ERROR', /decision must be one of/],
    ['a decision in capitals', { decision: 'Approved' }, 'VALIDATION_ERROR', /decision/],
    ['a comment that is no text', { decision: 'approved', comment: 1 }, 'VALIDATION_ERROR', /comment/],
    ['2,001 characters', { decision: 'approved', comment: 'x'.repeat(2001) }, 'VALIDATION_ERROR', /2000/],
    ['status', { decision: 'approved', status: 'approved' }, 'UNSUPPORTED_FIELD', /status/],
    ['decisionBy', { decision: 'approved', decisionBy: null }, 'UNSUPPORTED_FIELD', /decisionBy/],
  ];
  for (const [name, body, code, message] of cases)
    test(`${name} is ${code}`, async () => {
      const { id } = await stored();
      assert.match(await rejected(() => decide(id, body), 400, code), message);
    });
});

describe('decideOrder 409', () => {
  const decided: [status: Order['status'], decision: 'approved' | 'rejected'][] = [
    ['approved', 'approved'],
    ['rejected', 'rejected'],
    ['cancelled', 'approved'],
    ['ready_for_pickup', 'approved'],
    ['active', 'approved'],
    ['completed', 'approved'],
  ];
  for (const [status, decision] of decided)
    test(`ORDER_ALREADY_DECIDED: ${status}, also of a blocked employee`, async () => {
      const { id } = await stored({ status, hrHistory: historyInput(decision) }, { blocked: true });
      await rejected(() => decide(id), 409, 'ORDER_ALREADY_DECIDED');
      const dryRun = { query: { dryRun: true } };
      await rejected(() => decide(id, { decision: 'rejected' }, dryRun), 409, 'ORDER_ALREADY_DECIDED');
    });

  for (const status of ['cancelled', 'expired', 'approved'] as const)
    test(`INVALID_STATE_TRANSITION: ${status} without a decision`, async () => {
      const { id } = await stored({ status });
      await rejected(() => decide(id), 409, 'INVALID_STATE_TRANSITION');
    });
});

describe('decideOrder 422', () => {
  test('EMPLOYEE_BLOCKED: approval of an order of a blocked employee', async () => {
    const { id } = await stored({}, { blocked: true });
    await rejected(() => decide(id), 422, 'EMPLOYEE_BLOCKED');
  });
});

describe('decideOrder and writes under way', () => {
  /** What the decision answers when the write comes before it, but behind its checks. */
  async function behind(
    write: (transaction: TestSession) => Promise<unknown>,
    id: string,
  ): Promise<Answer<any>> {
    const [answer] = await overtaken(
      sql,
      testData.organization,
      () => [decide(id, undefined, { key: testData.keys.sales })],
      write,
    );
    return answer!;
  }

  test('an employee who is blocked meanwhile is EMPLOYEE_BLOCKED', async () => {
    const { id, employeeId } = await stored({}, { divisionId: testData.north });
    const write = (transaction: TestSession) => transaction`
      UPDATE employee SET blocked = true, doc = replace(doc, '"blocked":false', '"blocked":true')
      WHERE organization_id = ${testData.organization} AND id = ${employeeId}`;
    assert.deepEqual(rejection(await behind(write, id)), [422, 'EMPLOYEE_BLOCKED']);
  });

  test('an employee who leaves the scope meanwhile takes the order along: NOT_FOUND', async () => {
    const { id, employeeId } = await stored({}, { divisionId: testData.north });
    const move = (transaction: TestSession) =>
      moveEmployee(transaction, testData.organization, { id: employeeId, to: testData.support });
    assert.deepEqual(rejection(await behind(move, id)), [404, 'NOT_FOUND']);
  });
});
