import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type PayrollReceivable, payrollReceivablesMaximum } from '@kontor/contract';
import { usePlatform } from '../../platform/support.ts';
import { storeEmployees } from '../../support/data/employees.ts';
import { contractInput, historyInput, orderInput, storeOrders } from '../../support/data/orders.ts';
import { assertError } from './support.ts';
import { type Tenant, Tenants } from './tenants.ts';

const fixture = usePlatform();
const tenants = new Tenants(fixture);
const formats = ['datev_lodas'];

const read = (tenant: Pick<Tenant, 'id'>, query: Record<string, string> = {}) =>
  fixture.own.get(tenants.at(`/tenants/${tenant.id}/payroll-receivables`), { query });

const list = async (tenant: Tenant) => (await read(tenant)).body.items as PayrollReceivable[];

const rowsOf = (items: readonly PayrollReceivable[]) =>
  items.map(({ month, kind, amount, code, field }) => [month, kind, amount, code, field]);

/** Settles an amount of the list as it is listed. */
async function settle({ orderId, month, kind, amount }: PayrollReceivable): Promise<void> {
  const settlement = { orderId, month, kind, amount, meaning: 'paid_elsewhere', reason: 'Vom Steuerbüro' };
  const answer = await fixture.own.post(tenants.at('/payroll-settlements'), settlement);
  assert.equal(answer.status, 201, answer.bytes.toString());
}

describe('listPayrollReceivables', () => {
  test('200: what LODAS does not correct is listed after a check, by month and kind, until a settlement closes it', async () => {
    const tenant = await tenants.create({ firstPeriod: '2024-11' });
    await tenants.activeOrder(tenant, { contract: { startDate: '2024-11-16', endDate: '2027-11-15' } });
    assert.deepEqual((await read(tenant)).body, { period: null, formats: [], items: [], next: null });
    await tenants.released(tenant, '2026-01', { formats });
    const { body } = await read(tenant);
    assert.deepEqual([body.period, body.formats, body.next], ['2026-01', formats, null]);
    const outside = ['correction_out_of_range', 'lodas'];
    assert.deepEqual(rowsOf(body.items), [
      ['2024-11', 'salary_conversion', '41.55', ...outside],
      ['2024-11', 'taxable_benefit', '8.00', ...outside],
      ['2024-12', 'salary_conversion', '83.10', ...outside],
      ['2024-12', 'taxable_benefit', '8.00', ...outside],
    ]);
    assert.equal(body.items[0].personnelNumber, '1234');
    for (const item of body.items) await settle(item);
    assert.deepEqual(await list(tenant), []);
  });

  test('200: money that was paid elsewhere and is no longer owed has the other sign', async () => {
    const tenant = await tenants.create();
    const order = await tenants.activeOrder(tenant);
    await settle({
      ...order,
      month: '2026-09',
      kind: 'salary_conversion',
      amount: '83.10',
    } as PayrollReceivable);
    await tenants.reportLeave(order, '2026-09-01', '2026-09-30');
    await tenants.draft(tenant, '2026-09', { formats });
    const items = await list(tenant);
    assert.deepEqual(rowsOf(items), [['2026-09', 'salary_conversion', '-83.10', 'paid_elsewhere', null]]);
    await settle(items[0]!);
    assert.deepEqual(await list(tenant), []);
  });

  test('200: a corrected field also closes an amount', async () => {
    const tenant = await tenants.create();
    const { employeeId } = await tenants.activeOrder(tenant, { employee: { employeeNumber: null } });
    await tenants.draft(tenant, '2026-09', { formats });
    assert.deepEqual(
      (await list(tenant)).map(({ code, personnelNumber }) => [code, personnelNumber]),
      [
        ['personnel_number', null],
        ['personnel_number', null],
      ],
    );
    await fixture.client.patch(`/employees/${employeeId}`, { employeeNumber: '77' });
    assert.deepEqual(await list(tenant), []);
  });

  test('200: amounts of a division are listed beside those of the other ones', async () => {
    const tenant = await tenants.create();
    const { sql, testData, client, own } = fixture;
    const grants = [{ tenant: tenant.id, divisions: null }];
    const { key } = (await own.post(tenants.at('/api-keys'), { name: 'Lohnbüro', grants })).body;
    const { body: division } = await client.post('/divisions', { name: 'Lager' }, { key });
    const [one, other] = await storeEmployees(sql, testData.organization, [
      { tenant: tenant.id, employeeNumber: null, divisionId: division.id },
      { tenant: tenant.id, employeeNumber: null },
    ]);
    const target = { organizationId: testData.organization, tenantId: tenant.id };
    const orders = [one!, other!].map(({ id }) => activeOrderOf(id));
    await storeOrders(sql, target, orders);
    await tenants.released(tenant, '2026-09', { formats });
    assert.equal((await list(tenant)).length, 4);
    await tenants.released(tenant, '2026-09', { formats, divisionId: division.id });
    assert.equal((await list(tenant)).length, 4);
  });

  test('200: the orders of the next page follow those of the page before', async () => {
    const tenant = await tenants.create();
    const { sql, testData } = fixture;
    const persons = Array.from({ length: payrollReceivablesMaximum + 1 }, () => ({
      tenant: tenant.id,
      employeeNumber: null,
    }));
    const employees = await storeEmployees(sql, testData.organization, persons);
    const target = { organizationId: testData.organization, tenantId: tenant.id };
    await storeOrders(
      sql,
      target,
      employees.map(({ id }) => activeOrderOf(id)),
    );
    await tenants.draft(tenant, '2026-09');
    const { body: first } = await read(tenant);
    assert.equal(first.items.length, 2 * payrollReceivablesMaximum);
    const { body: second } = await read(tenant, { after: first.next });
    assert.deepEqual([second.items.length, second.next], [2, null]);
    const orders = [...first.items, ...second.items].map(({ orderId }: PayrollReceivable) => orderId);
    assert.equal(new Set(orders).size, persons.length);
  });

  test('400 VALIDATION_ERROR: an address of no page', async () => {
    assertError(await read(await tenants.create(), { after: 'x' }), 400, 'VALIDATION_ERROR', /after/);
  });
});

function activeOrderOf(employeeId: string) {
  return orderInput({
    employeeId,
    status: 'active',
    hrHistory: historyInput('approved'),
    contract: contractInput({ startDate: '2026-09-01', endDate: '2029-08-31' }),
  });
}
