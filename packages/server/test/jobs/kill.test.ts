import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import type { Order } from '@kontor/contract';
import { type TestDatabase, testDatabase } from '../support/database/database.ts';
import { startServiceProcess } from '../support/service/kontor.ts';
import { contractInput, orderInput } from '../support/data/orders.ts';
import type { Sql } from '../support/database/sql.ts';
import { insertTestData, testPepper, type TestData } from '../support/data/test-data.ts';
import { newId } from '../../src/db/ids.ts';
import { openPepper } from '../../src/features/keys/pepper.ts';
import { documentsOf, giveDays, running, store, waiting } from './support.ts';

const timeout = 120_000;
/** Orders that are due, some sixty batches of them. */
const many = 3000;
/** Orders that it was done to before the process is killed. */
const enough = 300;

let database: TestDatabase;
let sql: Sql;
let testData: TestData;

before(async () => {
  database = await testDatabase();
  sql = database.database.sql;
  await openPepper(sql, { secret: testPepper.toString('utf8'), dataDirectory: '/nowhere' });
  testData = await insertTestData(sql);
  await giveDays(sql, { organizationId: testData.organization, tenantId: testData.tenantA }, 14);
});
after(() => database?.drop());

const start = () =>
  startServiceProcess({ variables: { DATABASE_URL: database.url, KONTOR_JOB_INTERVAL: '1' } });

async function countOf(status: Order['status']): Promise<number> {
  const [row] = await sql<{ n: number }[]>`
    SELECT count(*)::int AS n FROM employee_order
    WHERE organization_id = ${testData.organization} AND status = ${status}`;
  return row!.n;
}

/** Waits until there are so many orders in a state. */
async function reached(status: Order['status'], count: number): Promise<void> {
  while ((await countOf(status)) < count) await delay(5);
}

/** Each order is in the state, was brought there once, by the service, and has the time. */
async function assertDoneOnce(orders: readonly Order[], status: Order['status'], action: string) {
  const ids = orders.map(({ id }) => id);
  const after = new Map((await documentsOf(sql, testData.organization, ids)).map(order => [order.id, order]));
  const entries = await sql<{ target_id: string; at: Date; actor_type: string }[]>`
    SELECT target_id, at, actor_type FROM audit
    WHERE organization_id = ${testData.organization} AND action = ${action}`;
  const audited = new Map(entries.map(entry => [entry.target_id, entry]));
  assert.deepEqual([entries.length, audited.size], [orders.length, orders.length]);
  for (const before of orders) {
    const { at, actor_type: actor } = audited.get(before.id)!;
    assert.deepEqual(after.get(before.id), { ...before, status, updatedAt: at.toISOString() });
    assert.equal(actor, 'system');
  }
}

for (const [what, due, status, action] of [
  ['expire', () => waiting(20), 'expired', 'order.expire'],
  ['are completed', () => running(20), 'completed', 'order.complete'],
] as const)
  test(
    `kill -9 while many orders ${what}: the next process does the rest, and nothing twice`,
    { timeout },
    async () => {
      const place = { organizationId: testData.organization, tenantId: testData.tenantA };
      const orders = await store(sql, place, Array.from({ length: many }, due));
      const first = await start();
      await reached(status, enough);
      await first.end('SIGKILL');
      const done = await countOf(status);
      assert.ok(done < many, `${done} were done when it was killed`);
      const second = await start();
      await reached(status, many);
      await second.end('SIGTERM');
      await assertDoneOnce(orders, status, action);
    },
  );

test(
  'kill -9 while the orders of an import are decided: the next process does the rest, and nothing twice',
  { timeout },
  async () => {
    const { organization: organizationId, tenantB: tenantId } = testData;
    const contract = contractInput();
    const orders = await store(
      sql,
      { organizationId, tenantId },
      Array.from({ length: many }, () => orderInput({ contract })),
    );
    await sql`
      INSERT INTO decision_rule (organization_id, tenant_id, version, approve_up_to, changed_at)
      VALUES (${organizationId}, ${tenantId}, 1, 120, now())`;
    await sql`
      INSERT INTO undecided_import (organization_id, tenant_id, imported_at)
      VALUES (${organizationId}, ${tenantId}, ${orders[0]!.createdAt})`;
    const first = await start();
    await reached('approved', enough);
    await first.end('SIGKILL');
    const done = await countOf('approved');
    assert.ok(done < many, `${done} were done when it was killed`);
    const second = await start();
    await reached('approved', many);
    await second.end('SIGTERM');
    const entries = await sql<{ target_id: string }[]>`
      SELECT target_id FROM audit WHERE organization_id = ${organizationId} AND action = 'order.decide'`;
    const ids = entries.map(({ target_id: id }) => id);
    assert.deepEqual([ids.length, new Set(ids).size], [many, many]);
    assert.deepEqual(await sql`SELECT FROM undecided_import`, []);
  },
);

test(
  'kill -9 while entries of the audit are removed: the next process does the rest, and each is accounted for',
  { timeout },
  async () => {
    const { organization: organizationId } = testData.foreign;
    const old = 60_000;
    await sql`
      INSERT INTO audit (organization_id, at, target_id, action, actor, fields, id, actor_type, actor_name, folded_actor_name)
      SELECT ${organizationId}, now() - interval '100 days' + n * interval '1 millisecond', target, 'employee.update', 'operator', '{}',
        ${newId()}::text, 'operator', 'operator', 'operator'
      FROM generate_series(1, ${old}::int) AS n, unnest(${['x', 'y']}::text[]) AS target`;
    await sql`INSERT INTO audit_retention (organization_id, days) VALUES (${organizationId}, 30)`;
    const left = async () => {
      const [row] = await sql<{ n: number }[]>`
        SELECT count(*)::int AS n FROM audit WHERE organization_id = ${organizationId} AND at < now() - interval '90 days'`;
      return row!.n;
    };
    const first = await start();
    while ((await left()) === 2 * old) await delay(5);
    await first.end('SIGKILL');
    const rest = await left();
    assert.ok(rest > 0, 'all were removed when it was killed');
    const second = await start();
    while ((await left()) > 0) await delay(5);
    await second.end('SIGTERM');
    const [recorded] = await sql<{ n: number }[]>`
      SELECT sum(n)::int AS n FROM audit
      WHERE organization_id = ${organizationId} AND target_id = ${organizationId} AND action = 'audit.remove'`;
    assert.equal(recorded!.n, 2 * old);
  },
);

test(
  'kill -9 while keys without recent activity are reported: the next process reports the rest, and none twice',
  { timeout },
  async () => {
    const { organization: organizationId } = testData;
    const heard = new Date(Date.now() - 7_200_000);
    await sql`
      INSERT INTO api_key (organization_id, id, name, folded_name, secret_hash, whole_organization, last_four, created_by_type,
        created_by, created_at, last_success_at, expected_interval)
      SELECT ${organizationId}, 'silent' || lpad(n::text, 6, '0'), 'Silent', 'silent', ''::bytea, true, '0000', 'operator', 'operator', now(), ${heard}::timestamptz, 1
      FROM generate_series(1, ${many}::int) AS n`;
    const reported = async () => {
      const [row] = await sql<{ n: number; keys: number }[]>`
        SELECT count(*)::int AS n, count(DISTINCT target_id)::int AS keys FROM audit
        WHERE organization_id = ${organizationId} AND action = 'key.no_recent_activity'`;
      return row!;
    };
    const first = await start();
    while ((await reported()).n < enough) await delay(5);
    await first.end('SIGKILL');
    const { n } = await reported();
    assert.ok(n < many, `it had reported ${n} when it was killed`);
    const second = await start();
    while ((await reported()).n < many) await delay(5);
    await second.end('SIGTERM');
    assert.deepEqual(await reported(), { n: many, keys: many });
  },
);

test('two processes that are at it together do nothing twice', { timeout }, async () => {
  const place = { organizationId: testData.organization, tenantId: testData.tenantA };
  await giveDays(sql, place, null);
  const orders = await store(
    sql,
    place,
    Array.from({ length: 500 }, () => waiting(20)),
  );
  const [before] = await sql<{ n: number }[]>`
    SELECT count(*)::int AS n FROM audit WHERE organization_id = ${testData.organization} AND action = 'order.expire'`;
  const services = await Promise.all([start(), start()]);
  await giveDays(sql, place, 14);
  await reached('expired', many + orders.length);
  await Promise.all(services.map(service => service.end('SIGTERM')));
  const [after] = await sql<{ n: number }[]>`
    SELECT count(*)::int AS n FROM audit WHERE organization_id = ${testData.organization} AND action = 'order.expire'`;
  assert.equal(after!.n - before!.n, orders.length);
});
