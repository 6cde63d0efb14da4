import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import type { Order } from '@kontor/contract';
import { createTenant } from '../../src/features/organizations/store.ts';
import { storeEmployees } from '../support/data/employees.ts';
import { useFixture } from '../support/service/fixture.ts';
import { contractInput, importText, orderInput, storeOrders } from '../support/data/orders.ts';
import { documentsOf, runOnce } from './support.ts';
import { importDecision } from '../../src/features/orders/decision-rules/imported.ts';

let place: { organizationId: string; tenantId: string };
let employeeId: string;
const fixture = useFixture();
/** A tenant of its own for each test, with a rule that approves everything up to 120.00. */
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

/** Imports orders with these leasing rates. */
const imported = (rates: readonly string[]): Promise<Order[]> =>
  storeOrders(
    fixture.sql,
    place,
    rates.map(leasingRate => orderInput({ employeeId, contract: contractInput({ leasingRate }) })),
  );

/** What there is to be decided yet, by the notes of imports. */
async function records(): Promise<number> {
  const [row] = await fixture.sql<{ n: number }[]>`
    SELECT count(*)::int AS n FROM undecided_import WHERE tenant_id = ${place.tenantId}`;
  return row!.n;
}

const statesOf = async (orders: readonly Order[]) =>
  (
    await documentsOf(
      fixture.sql,
      place.organizationId,
      orders.map(({ id }) => id),
    )
  ).map(({ status }) => status);

describe('an import of orders of a tenant with a rule', () => {
  test('is decided by the service; what the rule leaves to people is looked at once', async () => {
    const { sql } = fixture;
    const orders = await imported(['98.10', '500.00', '99.10']);
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
    const before = await imported(['98.10', '99.10']);
    await setRule(null);
    const [more] = await storeOrders(sql, place, [orderInput({ employeeId, contract: contractInput() })]);
    await setRule('120.00');
    const decided = before[0]!.id;
    assert.equal((await client.post(`/orders/${decided}/decision`, { decision: 'rejected' })).status, 200);
    assert.deepEqual((await runOnce(sql, importDecision)).writes, [1]);
    assert.deepEqual(await statesOf([...before, more!]), ['rejected', 'approved', 'under_review']);
  });

  test('is left to people where the rule was removed', async () => {
    const orders = await imported(['98.10']);
    await setRule(null);
    assert.deepEqual((await runOnce(fixture.sql, importDecision)).writes, [0]);
    assert.deepEqual([await statesOf(orders), await records()], [['under_review'], 0]);
  });
});

test('an import without a rule leaves nothing to be done', async () => {
  await setRule(null);
  const line = JSON.stringify(orderInput({ employeeId, contract: contractInput() }));
  assert.partialDeepStrictEqual(await importText(fixture.sql, place, line), {
    imported: 1,
    awaitsRule: false,
  });
  assert.equal(await records(), 0);
});
