import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import type { Order } from '@kontor/contract';
import { daysAgo, dayAgo } from '../jobs/support.ts';
import { storeEmployees } from '../support/data/employees.ts';
import { contractInput, productInput } from '../support/data/orders.ts';
import { startService } from '../support/service/service.ts';
import { usePlatform } from '../platform/support.ts';

/** Orders of each fate. */
const ofEach = 10;

// Before the service of the fixture stops, which the poller asks.
const resources = new AsyncDisposableStack();
after(() => resources.disposeAsync());
const fixture = usePlatform(async () => {
  polling = poll();
  resources.defer(async () => {
    stopping.abort();
    await polling;
  });
});

/** The states of each order in the order in which the poller has seen them, and its last version. */
const seen = new Map<string, Order['status'][]>();
const versions = new Map<string, Order>();
const stopping = new AbortController();
let polling: Promise<void>;

/** Polls by docs/polling.md: always page 1, behind the last row that it got. */
async function poll(): Promise<void> {
  let [at, id] = ['1970-01-01T00:00:00.000Z', ''];
  while (!stopping.signal.aborted) {
    const behind = id === '' ? '' : ` OR id > ${id}`;
    const query = { filter: `updatedAt >= ${at} AND (updatedAt > ${at}${behind})`, sort: 'updatedAt' };
    const { status, body } = await fixture.client.get('/orders', { query: { ...query, pageSize: 7 } });
    assert.equal(status, 200);
    for (const order of body.items as Order[]) {
      [at, id] = [order.updatedAt, order.id];
      seen.set(id, [...(seen.get(id) ?? []), order.status]);
      versions.set(id, order);
    }
  }
}

/** Waits until the poller has seen all of these in a state. */
async function seenAs(status: Order['status'], orders: readonly string[]): Promise<void> {
  const all = async () => {
    while (!orders.every(id => versions.get(id)?.status === status)) await delay(5);
  };
  await Promise.race([all(), polling.then(() => assert.fail('the poller has ended'))]);
}

const inside = (path: string) => `/organizations/${fixture.testData.organization}${path}`;

/** The shop takes orders of an employee in, on the platform API. */
async function takeIn(employeeId: string, name: string, submittedAt: string): Promise<string[]> {
  const ids: string[] = [];
  for (let n = 0; n < ofEach; n++) {
    const { status, body } = await fixture.own.post(inside('/orders'), {
      externalId: `shop-${name}-${n}`,
      orderNumber: `${name}-${n}`,
      employeeId,
      products: [productInput()],
      contract: contractInput(),
      submittedAt,
    });
    assert.equal(status, 201, JSON.stringify(body));
    ids.push(body.id as string);
  }
  return ids;
}

async function move(ids: readonly string[], step: string, body?: object): Promise<void> {
  for (const id of ids) {
    const answer = await fixture.own.post(inside(`/orders/${id}/${step}`), body);
    assert.equal(answer.status, 200, JSON.stringify(answer.body));
  }
}

async function decide(ids: readonly string[], decision: 'approved' | 'rejected'): Promise<void> {
  for (const id of ids)
    assert.equal((await fixture.client.post(`/orders/${id}/decision`, { decision })).status, 200);
}

/** The states that each of these orders goes through. */
function lives(ids: readonly string[], ...states: Order['status'][]): [string, Order['status'][]][] {
  return ids.map(id => [id, states]);
}

test(
  'from the intake to the end of its contract: a poller gets every state of every order once, and nothing else',
  { timeout: 120_000 },
  async () => {
    const { own, client, sql, testData } = fixture;
    const person = { tenant: testData.tenantA, divisionId: testData.north };
    const [employee] = await storeEmployees(sql, testData.organization, [person]);
    await own.post(inside(`/employees/${employee!.id}/activation`), undefined);
    const now = new Date().toISOString();
    const leased = await takeIn(employee!.id, 'leased', now);
    const rejected = await takeIn(employee!.id, 'rejected', now);
    const forgotten = await takeIn(employee!.id, 'forgotten', daysAgo(20));
    const withdrawn = await takeIn(employee!.id, 'withdrawn', now);
    await seenAs('under_review', [...leased, ...rejected, ...forgotten, ...withdrawn]);

    await decide(leased, 'approved');
    await decide(rejected, 'rejected');
    await move(withdrawn, 'cancellation');
    await seenAs('approved', leased);
    await move(leased, 'readiness');
    await seenAs('ready_for_pickup', leased);
    await move(leased, 'handover', { startDate: dayAgo(1000), endDate: dayAgo(1) });
    await seenAs('active', leased);

    await own.patch(inside(`/tenants/${testData.tenantA}`), { decisionDays: 14 });
    const service = await startService(sql, { jobInterval: 1 });
    resources.defer(() => service.stop());
    await seenAs('completed', leased);
    await seenAs('expired', forgotten);
    await seenAs('rejected', rejected);
    await seenAs('cancelled', withdrawn);

    const expected = new Map([
      ...lives(leased, 'under_review', 'approved', 'ready_for_pickup', 'active', 'completed'),
      ...lives(rejected, 'under_review', 'rejected'),
      ...lives(forgotten, 'under_review', 'expired'),
      ...lives(withdrawn, 'under_review', 'cancelled'),
    ]);
    assert.deepEqual(new Map([...seen].sort()), new Map([...expected].sort()));
    for (const [id, version] of versions) assert.deepEqual((await client.get(`/orders/${id}`)).body, version);
  },
);
