import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createTenant } from '../../src/features/organizations/store.ts';
import { settingsInput } from '../features/payroll/support.ts';
import { storeEmployees } from '../support/data/employees.ts';
import { contractInput, historyInput, orderInput, storeOrders } from '../support/data/orders.ts';
import { stateOf } from '../support/data/test-data.ts';
import { signedInUser } from '../support/data/users.ts';
import { outcome, usePortal } from './support.ts';

let key: string;
let tenant: string;
const fixture = usePortal(async ({ sql, testData }) => {
  tenant = await createTenant(sql, testData.organization, 'Regel GmbH');
  ({ secret: key } = await signedInUser(sql, testData.organization, { permissions: ['COMPANY_ADMIN'] }));
});

const post = (path: string, body: object) => fixture.portal.post(`/tenants/${tenant}/${path}`, body, { key });

describe('setPortalPayrollSettings', () => {
  test('409 INVALID_STATE_TRANSITION: of two administrators at once the second one overwrites nothing', async () => {
    const set = (more: object) => post('payroll-settings', { ...settingsInput, ...more });
    assert.equal((await set({ expectedVersion: 0 })).body.version, 1);
    const answers = await Promise.all([
      set({ expectedVersion: 1, cutOffDay: 10 }),
      set({ expectedVersion: 1, cutOffDay: 11 }),
    ]);
    const [made, late] = answers.toSorted((one, two) => one.status - two.status);
    assert.deepEqual([outcome(made!), outcome(late!)], ['200', '409 INVALID_STATE_TRANSITION']);
    const stored = (await fixture.portal.get(`/tenants/${tenant}/payroll-settings`, { key })).body;
    assert.deepEqual(stored, made!.body);
    assert.equal('expectedVersion' in stored, false);
  });
});

describe('createPortalPayrollTestFile', () => {
  const input = {
    settings: settingsInput,
    format: 'csv',
    period: '2026-10',
    personnelNumber: '99999',
    costCenter: '4711',
    amounts: [{ kind: 'salary_conversion', amount: '83.10' }],
  };
  const file = (more: object) => post('payroll-test-file', { ...input, ...more });

  test('renders the amounts in each format, marked as a test, and stores nothing', async () => {
    const state = await stateOf(fixture.sql);
    const csv = await file({});
    assert.match(String(csv.headers['content-disposition']), /filename="TEST-lohn-2026-10\.csv"/);
    assert.match(
      csv.bytes.toString(),
      /2026-10;2026-10;99999;TEST;TEST;salary_conversion;\d+;-?83,10;4711;TEST\r\n$/,
    );
    for (const [format, name] of [
      ['datev_lodas', 'TEST-lodas-2026-10.txt'],
      ['datev_lug', 'TEST-lug-2026-10.txt'],
    ]) {
      const sent = await file({ format });
      assert.ok(String(sent.headers['content-disposition']).includes(`filename="${name}"`));
      assert.match(sent.bytes.toString(), /;-?83,10;/);
    }
    assert.equal(await stateOf(fixture.sql), state);
    const [row] =
      await fixture.sql`SELECT count(*)::int AS n FROM payroll_export_document WHERE tenant_id = ${tenant}`;
    assert.equal(row!['n'], 0);
  });

  test('422 VALIDATION_ERROR: a kind that is not exported, and a value that the format does not take', async () => {
    const amounts = [{ kind: 'employer_subsidy', amount: '1.00' }];
    const off = { ...settingsInput, kinds: { ...settingsInput.kinds, employerSubsidy: null } };
    assert.match(
      (await file({ settings: off, amounts })).body.error.message,
      /kinds\.employerSubsidy is not exported/,
    );
    const unnumbered = await file({ personnelNumber: 'A1', format: 'datev_lodas' });
    assert.equal(outcome(unnumbered), '422 VALIDATION_ERROR');
    assert.match(unnumbered.body.error.message, /^personnelNumber: /);
    const adviser = await file({ settings: { ...settingsInput, adviserNumber: null }, format: 'datev_lug' });
    assert.match(adviser.body.error.message, /^settings\.adviserNumber: /);
  });
});

describe('the decision rule of a company', () => {
  const rule = { approveUpTo: '100.00', rejectAbove: '200.00' };

  test('is set, removed, and not overwritten by a second administrator', async () => {
    const set = (more: object) => post('decision-rule', { ...rule, ...more });
    const { version } = (await set({ expectedVersion: 0 })).body;
    assert.equal(
      outcome(await set({ expectedVersion: 0, approveUpTo: '90.00' })),
      '409 INVALID_STATE_TRANSITION',
    );
    const path = `/tenants/${tenant}/decision-rule`;
    assert.equal((await fixture.portal.get(path, { key })).body.version, version);
    assert.equal((await fixture.portal.request('DELETE', path, { key })).status, 200);
    assert.equal(outcome(await fixture.portal.get(path, { key })), '404 NOT_FOUND');
    assert.equal(outcome(await post('decision-rule', {})), '422 VALIDATION_ERROR');
  });

  test('is tried on the last 40 orders, which are listed with what was decided', async () => {
    const { sql, testData } = fixture;
    const target = { organizationId: testData.organization, tenantId: tenant };
    const [person] = await storeEmployees(sql, testData.organization, [{ tenant }]);
    const rates = (leasingRate: string) =>
      contractInput({ leasingRate, insuranceRate: '0.00', serviceRate: '0.00' });
    const input = (leasingRate: string) =>
      orderInput({
        employeeId: person!.id,
        contract: {
          ...rates(leasingRate),
          leasingRateSubsidy: '0.00',
          insuranceRateSubsidy: '0.00',
          serviceRateSubsidy: '0.00',
        },
      });
    await storeOrders(
      sql,
      target,
      Array.from({ length: 38 }, () => input('50.00')),
    );
    const [big, middle, open] = await storeOrders(sql, target, [
      { ...input('300.00'), status: 'approved', hrHistory: historyInput('approved') },
      input('150.00'),
      orderInput({ employeeId: person!.id }),
    ]);
    const { items, ...counts } = (await post('decision-rule/sample', rule)).body;
    assert.deepEqual(counts, { inspected: 40, decided: 38, wouldApprove: 37, wouldReject: 1 });
    const of = (id: string) => items.find((item: { orderId: string }) => item.orderId === id);
    assert.deepEqual([of(big!.id).wouldBe, of(big!.id).decision], ['rejected', 'approved']);
    assert.deepEqual(
      [of(middle!.id).wouldBe, of(open!.id).wouldBe, of(open!.id).monthlyRate],
      [null, null, null],
    );
    assert.equal(outcome(await post('decision-rule/sample', {})), '422 VALIDATION_ERROR');
  });
});

test('getPortalTenantDueData counts who can be erased', async () => {
  const { sql, testData } = fixture;
  const [gone] = await storeEmployees(sql, testData.organization, [{ tenant, blocked: true }]);
  const { body } = await fixture.portal.get(`/tenants/${tenant}/due-data`, { key });
  assert.deepEqual([body.dueCount, body.dueEmployeeIds], [1, [gone!.id]]);
});
