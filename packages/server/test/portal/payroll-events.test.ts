import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { settingsInput } from '../features/payroll/support.ts';
import { storeIncident } from '../support/data/incidents.ts';
import {
  draftPayroll,
  payrollCompany,
  releasePayroll,
  storeActiveOrder,
} from '../support/data/payroll-company.ts';
import { signedInUser } from '../support/data/users.ts';
import { outcome, usePortal } from './support.ts';

/*
 * The portal has the rules of the platform for contracts, leaves, questions, reversals and copies. Their tests are there; here is that a user
 * meets them.
 */
let key: string;
const fixture = usePortal(async ({ sql, testData }) => {
  const permissions = ['HR', 'PAYROLL_RUN', 'PAYROLL_RELEASE', 'COMPANY_ADMIN'] as const;
  const allowed = { name: 'Petra Lang', permissions: [...permissions], hrTenants: null };
  key = (await signedInUser(sql, testData.organization, allowed)).secret;
});

const post = (path: string, body: object) => fixture.portal.post(path, body, { key });

async function company(settings: object = {}): Promise<string> {
  const { sql, testData } = fixture;
  const id = await payrollCompany(sql, testData.organization, `Muster ${Math.random()}`);
  const answer = await post(`/tenants/${id}/payroll-settings`, { ...settingsInput, ...settings });
  assert.equal(answer.status, 200);
  return id;
}

async function order(tenant: string): Promise<string> {
  const place = { organization: fixture.testData.organization, tenant };
  return (await storeActiveOrder(fixture.sql, place)).orderId;
}

/** A company with a released month of CSV files. */
async function released(settings: object = {}): Promise<{ tenant: string; id: string }> {
  const tenant = await company(settings);
  await order(tenant);
  return { tenant, id: await releasePayroll(fixture.portal, { tenant, key }) };
}

const copyOf = (id: string, format: string) =>
  fixture.portal.get(`/payroll-runs/${id}/copy`, { key, query: { format } });

describe('contracts', () => {
  test('422 VALIDATION_ERROR: a last day and a version before the contract', async () => {
    const id = await order(await company());
    const end = { lastDay: '2020-01-01', reason: 'returned' };
    assert.equal(outcome(await post(`/orders/${id}/contract-end`, end)), '422 VALIDATION_ERROR');
    const version = { from: '2020-01', leasingRate: '10.00' };
    assert.equal(outcome(await post(`/orders/${id}/contract-versions`, version)), '422 VALIDATION_ERROR');
  });

  test('422 VALIDATION_ERROR: the withdrawal of a version that a later one needs', async () => {
    const id = await order(await company());
    const change = (body: object) => post(`/orders/${id}/contract-versions`, body);
    const { body } = await change({ from: '2026-10', leasingRate: '200.00' });
    assert.equal((await change({ from: '2026-11', leasingRateSubsidy: '150.00' })).status, 200);
    const [version] = body.contractRecord.versions;
    const path = `/orders/${id}/contract-versions/${version.id}`;
    assert.equal(outcome(await fixture.portal.request('DELETE', path, { key })), '422 VALIDATION_ERROR');
  });
});

test('recordPortalIncidentLeave 409 INVALID_STATE_TRANSITION: an incident that does not count', async () => {
  const { sql, testData } = fixture;
  const place = { organization: testData.organization, tenant: testData.tenantA };
  const leave = { type: 'parental_leave', effectiveFrom: '2026-09-01', status: 'cancelled' } as const;
  const { id } = await storeIncident(sql, place, leave);
  const answer = await post(`/incidents/${id}/leave`, { effectiveTo: '2026-10-31' });
  assert.equal(outcome(answer), '409 INVALID_STATE_TRANSITION');
});

test('previewPortalPayrollSettings 422 VALIDATION_ERROR: an exported kind without a wage type', async () => {
  const { salaryConversion, ...others } = settingsInput.kinds;
  const kinds = { ...others, salaryConversion: { ...salaryConversion, wageType: null } };
  const path = `/tenants/${await company()}/payroll-settings/preview`;
  assert.equal(outcome(await post(path, { ...settingsInput, kinds })), '422 VALIDATION_ERROR');
});

describe('a released run', () => {
  test('is copied in a format that accepts its amounts', async () => {
    const { id } = await released({ adviserNumber: null });
    const { status, headers } = await copyOf(id, 'csv');
    assert.equal(status, 200);
    assert.match(headers['content-disposition']!, /-kopie\.csv/);
    assert.equal(outcome(await copyOf(id, 'datev_lodas')), '422 VALIDATION_ERROR');
  });

  test('409 INVALID_STATE_TRANSITION: it is neither replaced nor asked about', async () => {
    const { tenant, id } = await released();
    const reversal = { period: '2026-10', formats: ['csv'], runId: id, replaces: id };
    const replaced = await post(`/tenants/${tenant}/payroll-reversals`, reversal);
    assert.equal(outcome(replaced), '409 INVALID_STATE_TRANSITION');
    const answer = { finding: 1, reason: 'Geprüft' };
    const asked = await post(`/payroll-runs/${id}/acknowledgements`, answer);
    assert.equal(outcome(asked), '409 INVALID_STATE_TRANSITION');
  });
});

test('acknowledgePortalPayrollFinding 422 VALIDATION_ERROR: a finding that the draft has not', async () => {
  const tenant = await company();
  await order(tenant);
  const id = await draftPayroll(fixture.portal, { tenant, key });
  const answer = await post(`/payroll-runs/${id}/acknowledgements`, { finding: 999, reason: 'Geprüft' });
  assert.equal(outcome(answer), '422 VALIDATION_ERROR');
});
