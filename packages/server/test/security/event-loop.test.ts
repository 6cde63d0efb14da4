import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { inSlices } from '../../src/lib/concurrency/in-slices.ts';
import { usePlatform } from '../platform/support.ts';
import { storeEmployees } from '../support/data/employees.ts';
import { longestBlock } from '../support/service/longest-block.ts';
import { contractInput, orderInput, productInput } from '../support/data/orders.ts';

const fixture = usePlatform();

/** Sends a batch; the body is made before the measurement. */
async function sendBatch(path: string, items: unknown[], dryRun: boolean) {
  const raw = JSON.stringify({ items });
  assert.ok(raw.length < 5 * 1024 * 1024);
  const { own, testData } = fixture;
  const headers = { 'content-type': 'application/json' };
  const statuses = new Map<number, number>();
  const { longest, total } = await longestBlock(async () => {
    const address = `/organizations/${testData.organization}/${path}`;
    const answer = await own.request('POST', address, { raw, headers, query: { dryRun } });
    for (const { status } of answer.body.items) statuses.set(status, (statuses.get(status) ?? 0) + 1);
  });
  return { share: longest / total, total, statuses: Object.fromEntries(statuses) };
}

let orderCount = 0;

/** 1,000 orders of 16 products each, of different employees. */
async function manyOrders(): Promise<unknown[]> {
  const { sql, testData } = fixture;
  const employees = await storeEmployees(
    sql,
    testData.organization,
    Array.from({ length: 1000 }, () => ({ tenant: testData.tenantA })),
  );
  const products = Array.from({ length: 16 }, () =>
    productInput({ model: 'Nox '.repeat(20), service: 'Inspektion', netService: '100.00' }),
  );
  return employees.map(({ id: employeeId }) =>
    orderInput({ externalId: `order-${++orderCount}`, employeeId, products, contract: contractInput() }),
  );
}

describe('a batch of 1,000 orders of 16 products', () => {
  test('has no turn of the event loop that takes a large part of its work', async () => {
    // The code is compiled by the first one, which takes as long as the work.
    await sendBatch('order-batches', await manyOrders(), true);
    for (const dryRun of [true, false]) {
      const { share, total, statuses } = await sendBatch('order-batches', await manyOrders(), dryRun);
      assert.deepEqual(statuses, { [dryRun ? 200 : 201]: 1000 });
      assert.ok(share < 0.12, `one turn of the event loop took ${(100 * share).toFixed()} % of ${total} ms`);
    }
  });

  test('has none either where a rule decides on each order', async () => {
    const { own, testData } = fixture;
    const rule = `/organizations/${testData.organization}/tenants/${testData.tenantA}/decision-rule`;
    assert.equal((await own.post(rule, { approveUpTo: '9999.00' })).status, 200);
    const { share, total, statuses } = await sendBatch('order-batches', await manyOrders(), false);
    assert.deepEqual(statuses, { 201: 1000 });
    assert.ok(share < 0.12, `one turn of the event loop took ${(100 * share).toFixed()} % of ${total} ms`);
  });
});

test('several batches share one slice in each turn of the event loop', async t => {
  await new Promise(setImmediate);
  let now = 0;
  t.mock.method(performance, 'now', () => ++now);
  let worked = 0;
  let max = 0;
  let writes = 0;
  const tick = () => {
    max = Math.max(max, worked);
    worked = 0;
    writes++;
    immediate = setImmediate(tick);
  };
  let immediate = setImmediate(tick);
  const lines = Array.from({ length: 100 }, (_, index) => index);
  const batches = await Promise.all(
    Array.from({ length: 8 }, (_, batch) => inSlices(lines, line => (worked++, `${batch} ${line}`))),
  );
  clearImmediate(immediate);
  assert.deepEqual(
    batches.flat(),
    Array.from({ length: 8 }, (_, batch) => lines.map(line => `${batch} ${line}`)).flat(),
  );
  assert.ok(max < 12, `${max} lines were worked on in one turn`);
  assert.ok(writes > 50);
});
