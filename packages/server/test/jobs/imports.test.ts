import assert from 'node:assert/strict';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { beforeEach, describe, test } from 'node:test';
import type { Order } from '@kontor/contract';
import { sql as statement } from '../../src/db/sql.ts';
import { createTenant } from '../../src/features/organizations/store.ts';
import { importOrders } from '../../src/features/orders/import/import.ts';
import { storeEmployees } from '../support/employees.ts';
import { useFixture } from '../support/fixture.ts';
import { contractInput, importText, orderInput, storeOrders } from '../support/orders.ts';
import { ofTest } from '../support/sent-statements.ts';
import { rewritingPool } from '../support/sql.ts';
import { documentsOf, runOnce } from './support.ts';
import { importDecision } from '../../src/features/orders/decision-rules/imported.ts';

let place: { organizationId: string; tenantId: string };
let employeeId: string;
const fixture = useFixture();
/** A tenant of its own for each test, whose rule approves everything up to 120.00. */
beforeEach(async () => {
  const { sql, testData } = fixture;
  const tenantId = await createTenant(sql, testData.organization, 'Muster Bonn GmbH');
  place = { organizationId: testData.organization, tenantId };
  employeeId = (await storeEmployees(sql, testData.organization, [{ tenant: tenantId }]))[0]!.id;
  await setRule('120.00');
});

let version = 0;
const setRule = (approveUpTo: string | null) => fixture.sql`
  INSERT INTO decision_rule (organization_id, tenant_id, version, approve_up_to, changed_at)
  VALUES (${place.organizationId}, ${place.tenantId}, ${++version}, ${approveUpTo}, now())`;

/** Imports orders with these leasing rates, and ends before the rule decides on the first of them; answers what is stored. */
async function aborted(rates: readonly string[]): Promise<Order[]> {
  const { sql } = fixture;
  const ending = rewritingPool(sql, one =>
    one.text.includes('UPDATE employee_order o SET') ? ofTest(statement`SELECT 1 / 0`) : one,
  );
  const lines = rates.map(leasingRate =>
    JSON.stringify(orderInput({ employeeId, contract: contractInput({ leasingRate }) })),
  );
  const chunks = (async function* () {
    yield Buffer.from(lines.join('\n'));
  })();
  const { signal } = new AbortController();
  const request = { target: place, file: path.join(tmpdir(), 'kontor-interrupted.jsonl'), chunks, signal };
  await assert.rejects(importOrders(ending, request), /division by zero/);
  const rows = await sql<{ id: string }[]>`
    SELECT id FROM employee_order WHERE organization_id = ${place.organizationId} AND tenant_id = ${place.tenantId} ORDER BY id`;
  const ids = rows.map(({ id }) => id);
  return documentsOf(sql, place.organizationId, ids);
}

/** What there is to be decided yet, by the notes of imports. */
async function records(): Promise<number> {
  const [row] = await fixture.sql<{ n: number }[]>`
    SELECT count(*)::int AS n FROM undecided_import WHERE tenant_id = ${place.tenantId}`;
  return row!.n;
}

/** Time passes. */
const becomesDue = () => fixture.sql`
  UPDATE undecided_import SET due_at = now() WHERE tenant_id = ${place.tenantId}`;

const statesOf = async (orders: readonly Order[]) =>
  (
    await documentsOf(
      fixture.sql,
      place.organizationId,
      orders.map(({ id }) => id),
    )
  ).map(({ status }) => status);

describe('an import that was ended before the rule of its tenant has decided', () => {
  test('is decided by the service once it is due, and not before; what the rule leaves to people is looked at once', async () => {
    const { sql } = fixture;
    const orders = await aborted(['98.10', '500.00', '99.10']);
    assert.deepEqual(await runOnce(sql, importDecision), { inspections: [0], writes: [], postponed: [] });
    await becomesDue();
    assert.deepEqual(await runOnce(sql, importDecision), { inspections: [3, 0], writes: [2], postponed: [] });
    assert.deepEqual(await statesOf(orders), ['approved', 'under_review', 'approved']);
    assert.equal(await records(), 0);
    const entries = await sql`
      SELECT actor_type, fields FROM audit WHERE action = 'order.decide' AND target_id = ${orders[0]!.id}`;
    assert.deepEqual(
      entries.map(row => ({ ...row })),
      [{ actor_type: 'system', fields: ['status', 'hrHistory'] }],
    );
  });

  test('leaves alone what people have decided meanwhile, and orders of other imports', async () => {
    const { sql, client } = fixture;
    const before = await aborted(['98.10', '99.10']);
    await setRule(null);
    const [more] = await storeOrders(sql, place, [orderInput({ employeeId, contract: contractInput() })]);
    await setRule('120.00');
    const decided = before[0]!.id;
    assert.equal((await client.post(`/orders/${decided}/decision`, { decision: 'rejected' })).status, 200);
    await becomesDue();
    assert.deepEqual((await runOnce(sql, importDecision)).writes, [1]);
    assert.deepEqual(await statesOf([...before, more!]), ['rejected', 'approved', 'under_review']);
  });

  test('is left to people where the rule was removed', async () => {
    const orders = await aborted(['98.10']);
    await setRule(null);
    await becomesDue();
    assert.deepEqual((await runOnce(fixture.sql, importDecision)).writes, [0]);
    assert.deepEqual([await statesOf(orders), await records()], [['under_review'], 0]);
  });
});

test('an import that has decided to the end leaves nothing to be done', async () => {
  const line = JSON.stringify(orderInput({ employeeId, contract: contractInput() }));
  assert.partialDeepStrictEqual(await importText(fixture.sql, place, line), { imported: 1, decided: 1 });
  assert.equal(await records(), 0);
});
