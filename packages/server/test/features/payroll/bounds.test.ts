import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { daysIn, monthAfter } from '../../../src/lib/calendar.ts';
import { storeEmployees } from '../../support/data/employees.ts';
import { contractInput, historyInput, orderInput, storeOrders } from '../../support/data/orders.ts';
import { usePlatform } from '../../platform/support.ts';
import { settingsInput } from './support.ts';

/** Each test has a tenant of its own, as a tenant has one run at a time. */
const fixture = usePlatform();

const at = (path: string) => `/organizations/${fixture.testData.organization}${path}`;
const present = () => new Date().toISOString().slice(0, 7);

/** The month that is `count` months before the present one. */
function monthsBack(count: number): string {
  const now = new Date();
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - count, 1)).toISOString().slice(0, 7);
}

async function newTenant(settings: object = {}) {
  const { body } = await fixture.own.post(at('/tenants'), { name: `Muster ${Math.random()}` });
  const tenant = { id: body.id as string, settings: at(`/tenants/${body.id}/payroll-settings`) };
  await set(tenant, settings);
  return tenant;
}

type Tenant = Awaited<ReturnType<typeof newTenant>>;

async function set(tenant: Tenant, settings: object) {
  const firstPeriod = monthsBack(6);
  const answer = await fixture.own.post(tenant.settings, { ...settingsInput, firstPeriod, ...settings });
  assert.equal(answer.status, 200, answer.bytes.toString());
}

/** An active order of a new employee: 83.10 are converted a month. */
async function activeOrder(tenant: Tenant, contract: object = {}) {
  const { sql, testData } = fixture;
  const [person] = await storeEmployees(sql, testData.organization, [
    { tenant: tenant.id, employeeNumber: '1234' },
  ]);
  const startDate = `${monthsBack(3)}-01`;
  const input = orderInput({
    employeeId: person!.id,
    status: 'active',
    hrHistory: historyInput('approved'),
    contract: contractInput({ startDate, endDate: null, termMonths: 36, ...contract }),
  });
  const [order] = await storeOrders(sql, { organizationId: testData.organization, tenantId: tenant.id }, [
    input,
  ]);
  return { orderId: order!.id, employeeId: person!.id };
}

const create = (tenant: Tenant, period: string) =>
  fixture.own.post(at(`/tenants/${tenant.id}/payroll-runs`), { period, formats: ['csv'] });

async function draft(tenant: Tenant, period: string) {
  const created = await create(tenant, period);
  assert.equal(created.status, 201, created.bytes.toString());
  for (;;) {
    const { body: run } = await fixture.own.get(at(`/payroll-runs/${created.body.id}`));
    if (run.status !== 'computing') return run;
  }
}

async function release(tenant: Tenant, period: string) {
  const run = await draft(tenant, period);
  let answer = await fixture.own.request('POST', at(`/payroll-runs/${run.id}/release`));
  while (answer.body.status === 'releasing') answer = await fixture.own.get(at(`/payroll-runs/${run.id}`));
  assert.equal(answer.body.status, 'released', answer.bytes.toString());
  return run;
}

const settle = (orderId: string, more: object) =>
  fixture.own.post(at('/payroll-settlements'), {
    orderId,
    kind: 'salary_conversion',
    month: monthsBack(3),
    meaning: 'paid_elsewhere',
    reason: 'Vom Steuerbüro gebucht',
    ...more,
  });

describe('createPayrollRun', () => {
  test('a period after the next month is rejected, as its run would export all months up to it', async () => {
    const tenant = await newTenant();
    const next = monthAfter(present());
    for (const period of [monthAfter(next), '9999-12']) {
      const answer = await create(tenant, period);
      assert.deepEqual([answer.status, answer.body.error.code], [422, 'VALIDATION_ERROR']);
      assert.match(answer.body.error.message, new RegExp(`must not be after ${next}`));
    }
    assert.equal((await create(tenant, next)).status, 201);
  });
});

describe('listPayrollFindings', () => {
  test('no finding is behind the largest number', async () => {
    const tenant = await newTenant();
    const { id } = await draft(tenant, present());
    const query = { after: Number.MAX_SAFE_INTEGER };
    const answer = await fixture.own.get(at(`/payroll-runs/${id}/findings`), { query });
    assert.deepEqual([answer.status, answer.body.items], [200, []]);
  });
});

describe('releasePayrollRun', () => {
  test('a change that ended an order in an earlier run still holds after a cut-off', async () => {
    const { sql, testData } = fixture;
    const tenant = await newTenant();
    const { orderId } = await activeOrder(tenant);
    await release(tenant, monthsBack(3));
    const month = monthsBack(3);
    const endDate = `${month}-${daysIn(month)}`;
    const change = (day: string) => {
      const at = `${day}T12:00:00.000Z`;
      return sql`
        UPDATE employee_order SET updated_at = ${at}::text::timestamptz, doc = regexp_replace(
          regexp_replace(doc, '"updatedAt":"[^"]*"', ${`"updatedAt":"${at}"`}), '"endDate":(null|"[^"]*")', ${`"endDate":"${endDate}"`})
        WHERE organization_id = ${testData.organization} AND id = ${orderId}`;
    };
    await change(`${month}-28`);
    await release(tenant, monthsBack(2));
    await set(tenant, { cutOffDay: 1 });
    await change(`${monthsBack(1)}-20`);
    const run = await draft(tenant, monthsBack(1));
    assert.equal(run.summary.entries, 0, JSON.stringify(run.summary));
  });
});

describe('createPayrollSettlement', () => {
  test('a settlement takes what is open or a part of it, never more, and can be taken back', async () => {
    const tenant = await newTenant();
    const { orderId } = await activeOrder(tenant);
    const all = (await settle(orderId, {})).body.amount;
    const rejected = async (amount: string, message: RegExp) => {
      const answer = await settle(orderId, { amount });
      assert.deepEqual([answer.status, answer.body.error?.code], [422, 'VALIDATION_ERROR']);
      assert.match(answer.body.error.message, message);
    };
    await rejected('0.01', /Nothing is open/);
    await rejected(`-9${all}`, /at most what was settled/);
    assert.equal((await settle(orderId, { amount: `-${all}` })).status, 201);
    await rejected('-0.01', /must be a part/);
    await rejected('0.00', /must be a part/);
    await rejected(`9${all}`, /must be a part/);
    assert.equal((await settle(orderId, { amount: all })).status, 201);
  });

  test('an amount to be given back is paid elsewhere, never waived', async () => {
    const tenant = await newTenant();
    const { orderId } = await activeOrder(tenant);
    const month = present();
    await release(tenant, month);
    const ended = await fixture.own.post(at(`/orders/${orderId}/contract-end`), {
      lastDay: `${monthsBack(2)}-01`,
      reason: 'leaver',
    });
    assert.equal(ended.status, 200, ended.bytes.toString());
    const waived = await settle(orderId, { month, meaning: 'not_owed' });
    assert.deepEqual([waived.status, waived.body.error?.code], [422, 'VALIDATION_ERROR']);
    const paid = await settle(orderId, { month });
    assert.deepEqual([paid.status, paid.body.amount], [201, '-83.10']);
  });

  test('a month before the first period is never owed, so that nothing of it is settled', async () => {
    const tenant = await newTenant({ firstPeriod: monthsBack(2) });
    const answer = await settle((await activeOrder(tenant)).orderId, {});
    assert.deepEqual([answer.status, answer.body.error?.code], [422, 'VALIDATION_ERROR']);
    assert.match(answer.body.error.message, /first period/);
  });

  test('a month more than ten years ahead is rejected, as a contract without an end owes all of them', async () => {
    const tenant = await newTenant();
    const { orderId } = await activeOrder(tenant, { endDate: '9999-12-31' });
    const last = monthsBack(-120);
    const answer = await settle(orderId, { month: monthAfter(last) });
    assert.deepEqual([answer.status, answer.body.error?.code], [422, 'VALIDATION_ERROR']);
    assert.match(answer.body.error.message, new RegExp(`must not be after ${last}`));
    assert.equal((await settle(orderId, { month: last })).status, 201);
  });
});

describe('explainPayroll', () => {
  test('the last month there is has the amounts of the next ten years', async () => {
    const tenant = await newTenant();
    const { employeeId } = await activeOrder(tenant, { endDate: '9999-12-31' });
    const path = at(`/employees/${employeeId}/payroll-explanation`);
    const answer = await fixture.own.get(path, { query: { period: '9999-12' } });
    assert.equal(answer.status, 200, answer.bytes.toString());
    assert.equal(answer.body.receipts.at(-1).month, monthsBack(-120));
  });
});
