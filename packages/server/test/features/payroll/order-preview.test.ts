import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { OrderPayrollChange, OrderPayrollPreview } from '@kontor/contract';
import { outcome, usePortal } from '../../portal/support.ts';
import { storeIncident } from '../../support/data/incidents.ts';
import { payrollCompany, releasePayroll, storeActiveOrder } from '../../support/data/payroll-company.ts';
import { stateOf } from '../../support/data/test-data.ts';
import { signedInUser } from '../../support/data/users.ts';
import { leaveRule } from './support.ts';

let key: string;
const fixture = usePortal(async ({ sql, testData }) => {
  const permissions = ['HR', 'PAYROLL_RUN', 'PAYROLL_RELEASE'] as const;
  const allowed = { permissions: [...permissions], hrTenants: null };
  key = (await signedInUser(sql, testData.organization, allowed)).secret;
});

/** The day of the test, so many years away. */
function inYears(years: number): string {
  const today = new Date().toISOString().slice(0, 10);
  return `${Number(today.slice(0, 4)) + years}${today.slice(4, 8)}01`;
}

const days = { startDate: '2026-06-01', endDate: '2029-05-31' };

interface Stage {
  readonly tenant: string;
  readonly orderId: string;
  readonly employeeId: string;
}

/** An order whose contract runs from June on: 83.10 and a benefit of 8.00, with July to September released. */
async function stage(settings: object = {}): Promise<Stage> {
  const { sql, testData, portal } = fixture;
  const { organization } = testData;
  const tenant = await payrollCompany(sql, organization, `Muster ${Math.random()}`, {
    firstPeriod: '2026-07',
    ...settings,
  });
  const order = await storeActiveOrder(sql, { organization, tenant }, { contract: days });
  for (const period of ['2026-07', '2026-08', '2026-09'])
    await releasePayroll(portal, { tenant, key, period });
  return { tenant, ...order };
}

const ask = (orderId: string, change: OrderPayrollChange) =>
  fixture.portal.post(`/orders/${orderId}/payroll-preview`, change, { key });

async function preview(orderId: string, change: OrderPayrollChange = {}): Promise<OrderPayrollPreview> {
  const before = await stateOf(fixture.sql);
  const { status, body } = await ask(orderId, change);
  assert.equal(status, 200, JSON.stringify(body));
  assert.equal(await stateOf(fixture.sql), before, 'nothing is stored');
  return body;
}

/** The questions, except about days that are far from the day of the test. */
const questionsOf = ({ questions }: OrderPayrollPreview) => questions.filter(question => question !== 'far');

const upTo = (month: string, { amounts }: OrderPayrollPreview) =>
  amounts.filter(each => each.month <= month).map(({ month, kind, amount }) => `${month} ${kind} ${amount}`);

/** The entries of the run of October, without the sign of the settings. */
async function exported({ tenant }: Stage): Promise<string[]> {
  const run = await releasePayroll(fixture.portal, { tenant, key, period: '2026-10' });
  const entries = await fixture.sql<{ entry: string }[]>`
    SELECT concat_ws(' ', month, kind, (cents / 100.0)::numeric(9, 2)) AS entry FROM payroll_entry
    WHERE organization_id = ${fixture.testData.organization} AND run_id = ${run}`;
  return entries.map(({ entry }) => entry).toSorted();
}

const end = (orderId: string, lastDay: string) =>
  fixture.portal.post(`/orders/${orderId}/contract-end`, { lastDay, reason: 'leaver' }, { key });

describe('previewPortalOrderPayroll', () => {
  test('an order as it is: nothing of released months is open, and each later month has its amounts', async () => {
    const { orderId } = await stage();
    const { firstPeriod, released, lastDay, amounts, questions } = await preview(orderId);
    assert.deepEqual([firstPeriod, released, lastDay, questions], ['2026-07', '2026-09', '2029-05-31', []]);
    assert.deepEqual([amounts[0]!.month, amounts.at(-1)!.month], ['2026-10', '2029-05']);
    assert.equal(amounts.length, 2 * 32);
  });

  test('of two orders of a person, each has its own amounts and questions', async () => {
    const { sql, testData } = fixture;
    const { tenant, orderId, employeeId } = await stage();
    const place = { organization: testData.organization, tenant };
    const contract = { contractNumber: 'LV-2', startDate: '2026-10-01', endDate: '2029-09-30' };
    const { orderId: later } = await storeActiveOrder(sql, place, { of: employeeId, contract });
    assert.equal((await preview(orderId)).amounts.at(-1)!.month, '2029-05');
    const ended = await preview(later, { lastDay: '2026-10-31' });
    assert.deepEqual(upTo('9999-12', ended), [
      '2026-10 salary_conversion 83.10',
      '2026-10 taxable_benefit 8.00',
    ]);
    assert.deepEqual(questionsOf(ended), []);
  });

  test('an end takes back released months by days, and asks about it', async () => {
    const { orderId } = await stage();
    const ended = await preview(orderId, { lastDay: '2026-08-10' });
    assert.deepEqual(upTo('9999-12', ended), [
      // 10 of 31 days of August are 26.81. The benefit of a month with a day is owed in full.
      '2026-08 salary_conversion -56.29',
      '2026-09 salary_conversion -83.10',
      '2026-09 taxable_benefit -8.00',
    ]);
    assert.deepEqual([ended.lastDay, questionsOf(ended)], ['2026-08-10', ['takes_back']]);
  });

  test('an end after the released months takes nothing back, and is not asked about', async () => {
    const { orderId } = await stage();
    const ended = await preview(orderId, { lastDay: '2026-11-30' });
    assert.deepEqual(upTo('9999-12', ended), [
      '2026-10 salary_conversion 83.10',
      '2026-10 taxable_benefit 8.00',
      '2026-11 salary_conversion 83.10',
      '2026-11 taxable_benefit 8.00',
    ]);
    assert.deepEqual(questionsOf(ended), []);
  });

  test('a withdrawn end deducts again what the end has taken back; without an end nothing changes', async () => {
    const { orderId } = await stage();
    assert.equal((await end(orderId, '2026-08-31')).status, 200);
    const asItIs = await preview(orderId);
    assert.deepEqual(upTo('2026-09', asItIs), [
      '2026-09 salary_conversion -83.10',
      '2026-09 taxable_benefit -8.00',
    ]);
    const withdrawn = await preview(orderId, { lastDay: null });
    assert.deepEqual([upTo('2026-09', withdrawn), withdrawn.questions], [[], []]);
    const { orderId: other } = await stage();
    assert.deepEqual(await preview(other, { lastDay: null }), await preview(other));
  });

  test('a version changes the months from its first one on', async () => {
    const { orderId } = await stage();
    const changed = await preview(orderId, { version: { from: '2026-09', leasingRateSubsidy: '0.00' } });
    const before = await preview(orderId);
    const conversion = (of: OrderPayrollPreview, month: string) =>
      of.amounts.find(each => each.month === month && each.kind === 'salary_conversion')?.amount;
    assert.equal(conversion(changed, '2026-08'), undefined);
    assert.equal(conversion(changed, '2026-09'), '20.00');
    assert.equal(conversion(before, '2026-10'), '83.10');
    assert.equal(conversion(changed, '2026-10'), '103.10');
  });

  test('a leave suspends by the rule of its type, and replaces the recorded one of its incident', async () => {
    const { sql, testData } = fixture;
    const rule = { ...leaveRule('suspend'), taxableBenefit: 'continue' };
    const leaves = {
      longTermIllness: leaveRule(null),
      maternityLeave: leaveRule(null),
      parentalLeave: rule,
      unpaidLeave: leaveRule(null),
    };
    const { tenant, orderId, employeeId } = await stage({ leaves });
    const leave = { incidentId: null, type: 'parental_leave', effectiveFrom: '2026-09-01' } as const;
    const open = await preview(orderId, { leave: { ...leave, effectiveTo: null } });
    assert.deepEqual(upTo('2026-10', open), [
      '2026-09 salary_conversion -83.10',
      '2026-10 taxable_benefit 8.00',
    ]);
    assert.deepEqual(questionsOf(open), ['takes_back']);
    const returned = await preview(orderId, { leave: { ...leave, effectiveTo: null, bikeReturned: true } });
    assert.ok(upTo('2026-09', returned).includes('2026-09 taxable_benefit -8.00'));
    const place = { organization: testData.organization, tenant };
    const { id } = await storeIncident(sql, place, { ...leave, employeeId, orderId });
    assert.deepEqual(upTo('2026-10', await preview(orderId)), upTo('2026-10', open));
    const ended = await preview(orderId, { leave: { ...leave, incidentId: id, effectiveTo: '2026-09-15' } });
    assert.deepEqual(upTo('2026-09', ended), ['2026-09 salary_conversion -41.55']);
  });

  for (const [what, leave, questions] of [
    ['before the contract', { effectiveFrom: '2026-05-31', effectiveTo: inYears(0) }, ['before_contract']],
    ['far back', { effectiveFrom: inYears(-3), effectiveTo: inYears(0) }, ['far']],
    ['far ahead', { effectiveFrom: inYears(0), effectiveTo: inYears(2) }, ['far']],
    ['of this month', { effectiveFrom: inYears(0), effectiveTo: inYears(0) }, []],
  ] as const)
    test(`a leave with days that are ${what} is asked about: ${questions.join(', ') || 'nothing'}`, async () => {
      const { orderId } = await stage();
      const change = { leave: { incidentId: null, type: 'release', ...leave } } as const;
      const asked: readonly string[] = (await preview(orderId, change)).questions;
      assert.deepEqual(
        questions.filter(question => !asked.includes(question)),
        [],
      );
      if (questions.length === 0) assert.deepEqual(asked, []);
    });

  test('an amount that was paid elsewhere is named, and no run pays it out', async () => {
    const { orderId } = await stage();
    const settled = { orderId, month: '2026-10', kind: 'salary_conversion', meaning: 'paid_elsewhere' };
    const answer = await fixture.portal.post(
      '/payroll-settlements',
      { ...settled, reason: 'Bar bezahlt' },
      { key },
    );
    assert.equal(answer.status, 201);
    const ended = await preview(orderId, { lastDay: '2026-09-30' });
    assert.deepEqual([ended.amounts, questionsOf(ended)], [[], ['paid_elsewhere']]);
  });

  for (const lastDay of ['2026-08-10', '2026-09-30', '2026-10-20', '2026-12-31'])
    test(`what is previewed of an end on ${lastDay} is what the next run exports`, async () => {
      const ended = await stage();
      const previewed = await preview(ended.orderId, { lastDay });
      assert.equal((await end(ended.orderId, lastDay)).status, 200);
      assert.deepEqual(await exported(ended), upTo('2026-10', previewed).toSorted());
      assert.deepEqual(upTo('2026-10', await preview(ended.orderId)), []);
    });

  test('a company without payroll settings has no amounts', async () => {
    const { sql, testData } = fixture;
    const { organization } = testData;
    const tenant = await payrollCompany(sql, organization, `Ohne ${Math.random()}`);
    const { orderId } = await storeActiveOrder(sql, { organization, tenant }, { contract: days });
    const { firstPeriod, amounts, lastDay } = await preview(orderId, { lastDay: '2026-10-20' });
    assert.deepEqual([firstPeriod, amounts, lastDay], [null, [], '2026-10-20']);
  });

  test('422 VALIDATION_ERROR, INVALID_REFERENCE, 409 INVALID_STATE_TRANSITION: as the operations that record the change', async () => {
    const { orderId } = await stage();
    const outcomeOf = async (id: string, change: OrderPayrollChange) => outcome(await ask(id, change));
    assert.equal(await outcomeOf(orderId, { lastDay: '2026-05-31' }), '422 VALIDATION_ERROR');
    assert.equal(await outcomeOf(orderId, { version: { from: '2020-01' } }), '422 VALIDATION_ERROR');
    const leave = { type: 'unpaid_leave', effectiveFrom: '2026-11-01', effectiveTo: null } as const;
    const place = { organization: fixture.testData.organization, tenant: fixture.testData.tenantA };
    const { id: ofAnother } = await storeIncident(fixture.sql, place, { ...leave });
    for (const incidentId of ['f'.repeat(24), ofAnother])
      assert.equal(await outcomeOf(orderId, { leave: { ...leave, incidentId } }), '422 INVALID_REFERENCE');
    await fixture.sql`UPDATE employee_order SET doc = replace(doc, '"status":"active"', '"status":"approved"'), status = 'approved'
      WHERE id = ${orderId}`;
    assert.equal(await outcomeOf(orderId, { lastDay: '2026-08-10' }), '409 INVALID_STATE_TRANSITION');
  });
});
