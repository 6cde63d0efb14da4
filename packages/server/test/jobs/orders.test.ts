import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import type { Order } from '@kontor/contract';
import { hasRunOut, hasWaitedTooLong } from '../../src/features/orders/rules.ts';
import { storeEmployees } from '../support/data/employees.ts';
import { useFixture } from '../support/service/fixture.ts';
import { overtaken } from '../support/database/locks.ts';
import { orderCounters } from '../support/data/orders.ts';
import {
  completion,
  daysAgo,
  documentsOf,
  expiry,
  giveDays,
  runOnce,
  running,
  store,
  waiting,
} from './support.ts';

let place: { organizationId: string; tenantId: string };
const fixture = useFixture(async ({ testData }) => {
  place = { organizationId: testData.organization, tenantId: testData.tenantA };
});

const statuses = async (orders: readonly Order[]) =>
  (
    await documentsOf(
      fixture.sql,
      place.organizationId,
      orders.map(({ id }) => id),
    )
  ).map(({ status }) => status);

/** The audit of an order since its import. */
const auditOf = ({ id }: Order) => fixture.sql`
  SELECT action, actor, actor_type, actor_name, request_id, address, fields, at FROM audit
  WHERE organization_id = ${place.organizationId} AND target_id = ${id} AND actor_type = 'system'`;

describe('an order without a decision', () => {
  before(() => giveDays(fixture.sql, place, 14));

  test('expires once the days of its tenant are over, and not before', async () => {
    const { sql } = fixture;
    const orders = await store(sql, place, [waiting(14.01), waiting(13.99), waiting(400), waiting(0)]);
    const reported = await runOnce(sql, expiry);
    assert.deepEqual(await statuses(orders), ['expired', 'under_review', 'expired', 'under_review']);
    assert.deepEqual(reported, { inspections: [2, 0], writes: [2], postponed: [] });
  });

  test('returns it to pollers: without a decision, and changed at an instant of its own', async () => {
    const { sql, client } = fixture;
    const [order] = await store(sql, place, [waiting(20)]);
    const filter = `updatedAt > ${order!.updatedAt}`;
    await runOnce(sql, expiry);
    const { body } = await client.get('/orders', { query: { filter, sort: 'updatedAt' } });
    assert.deepEqual(body.items, [
      { ...order, status: 'expired', hrHistory: null, updatedAt: body.items[0].updatedAt },
    ]);
    const { kept, real } = await orderCounters(sql, place.organizationId);
    assert.deepEqual(kept, real);
  });

  test('is audited as what the service has done by itself', async () => {
    const { sql } = fixture;
    const [order] = await store(sql, place, [waiting(20)]);
    await runOnce(sql, expiry);
    const [after] = await documentsOf(sql, place.organizationId, [order!.id]);
    const [entry, ...others] = await auditOf(order!);
    assert.deepEqual(others, []);
    const { at, ...rest } = entry as { at: Date };
    assert.deepEqual(rest, {
      action: 'order.expire',
      actor: 'system',
      actor_type: 'system',
      actor_name: 'system',
      request_id: null,
      address: null,
      fields: ['status'],
    });
    assert.equal(at.toISOString(), after!.updatedAt);
  });

  test('waits for ever where its tenant gives no days, and where it is of no tenant', async () => {
    const { sql, testData } = fixture;
    const elsewhere = { organizationId: place.organizationId, tenantId: testData.tenantB };
    const orders = await store(sql, elsewhere, [waiting(4000)]);
    const [anonymous] = await storeEmployees(sql, place.organizationId, [{ tenant: null }]);
    const [without] = await store(sql, place, [waiting(0)]);
    await sql`
      UPDATE employee_order SET tenant_id = NULL, employee_id = ${anonymous!.id}, submitted_at = ${daysAgo(4000)}, doc = '{}'
      WHERE organization_id = ${place.organizationId} AND id = ${without!.id}`;
    assert.deepEqual((await runOnce(sql, expiry)).inspections, [0]);
    assert.deepEqual(await statuses(orders), ['under_review']);
  });

  test('can no longer be decided, and one that was decided in time does not expire', async () => {
    const { sql, client } = fixture;
    const [late, decided] = await store(sql, place, [waiting(20), waiting(20)]);
    await client.post(`/orders/${decided!.id}/decision`, { decision: 'rejected' });
    await runOnce(sql, expiry);
    const answer = await client.post(`/orders/${late!.id}/decision`, { decision: 'approved' });
    assert.deepEqual([answer.status, answer.body.error.code], [409, 'INVALID_STATE_TRANSITION']);
    assert.deepEqual(await statuses([decided!]), ['rejected']);
    assert.deepEqual(await auditOf(decided!), []);
  });

  test('stays when its tenant allows more time while it waits for its write', async () => {
    const { sql } = fixture;
    const [order] = await store(sql, place, [waiting(20)]);
    const [reported] = await overtaken(
      sql,
      place.organizationId,
      () => [runOnce(sql, expiry)],
      transaction => transaction`
        UPDATE tenant SET decision_days = 30 WHERE organization_id = ${place.organizationId} AND id = ${place.tenantId}`,
    );
    assert.deepEqual(reported, { inspections: [1, 0], writes: [0], postponed: [] });
    assert.deepEqual(await statuses([order!]), ['under_review']);
    assert.deepEqual(await auditOf(order!), []);
    await giveDays(sql, place, 14);
    await runOnce(sql, expiry);
  });
});

describe('an active order', () => {
  test('is completed once the last day of its contract is over, and not on that day', async () => {
    const { sql } = fixture;
    const orders = await store(sql, place, [
      running(1),
      running(0),
      running(-1),
      running(null),
      running(4000),
    ]);
    const reported = await runOnce(sql, completion);
    const active = 'active';
    assert.deepEqual(await statuses(orders), ['completed', active, active, active, 'completed']);
    assert.deepEqual(reported.writes, [2]);
    const [entry] = await auditOf(orders[0]!);
    assert.deepEqual([entry!.action, entry!.fields], ['order.complete', ['status']]);
  });

  test('keeps its decision and its contract', async () => {
    const { sql, client } = fixture;
    const [order] = await store(sql, place, [running(1)]);
    await runOnce(sql, completion);
    const { body } = await client.get(`/orders/${order!.id}`);
    assert.deepEqual(body, { ...order, status: 'completed', updatedAt: body.updatedAt });
    assert.ok(body.updatedAt > order!.updatedAt);
  });
});

describe('due', () => {
  const at = new Date('2026-11-22T10:00:00.000Z');
  const order = (submittedAt: string) => ({ status: 'under_review', submittedAt }) as const;

  test('is an order at the very instant at which its days are over', () => {
    assert.equal(hasWaitedTooLong(order('2026-11-20T10:00:00.000Z'), 2, at), true);
    assert.equal(hasWaitedTooLong(order('2026-11-20T10:00:00.001Z'), 2, at), false);
    assert.equal(
      hasWaitedTooLong({ ...order('2026-11-20T10:00:00.000Z'), status: 'approved' }, 2, at),
      false,
    );
    assert.equal(hasWaitedTooLong(order('1970-01-01T00:00:00.000Z'), null, at), false);
  });

  test('is a contract from the midnight in UTC behind its last day on', () => {
    const hasEnded = (endDate: string | null, instant: string) =>
      hasRunOut({ status: 'active', contract: { endDate } }, new Date(instant));
    assert.equal(hasEnded('2026-11-21', '2026-11-21T23:59:59.999Z'), false);
    assert.equal(hasEnded('2026-11-21', '2026-11-22T00:00:00.000Z'), true);
    assert.equal(hasEnded(null, '9999-12-31T00:00:00.000Z'), false);
    assert.equal(hasRunOut({ status: 'active', contract: null }, at), false);
    assert.equal(hasRunOut({ status: 'completed', contract: { endDate: '2026-11-01' } }, at), false);
  });
});
