import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { PayrollSettingsInput } from '@kontor/contract';
import { storedSettings } from '../../../src/features/payroll/settings.ts';
import { usePlatform } from '../../platform/support.ts';
import { settingsInput } from './support.ts';
import { type Tenant, Tenants } from './tenants.ts';

const fixture = usePlatform();
const tenants = new Tenants(fixture);

const subsidies = {
  ...settingsInput.kinds,
  employerSubsidy: { export: true, wageType: '3030', processingKey: '2', sign: 'plus' },
};

const set = (tenant: Tenant, more: object) =>
  fixture.own.post(tenant.settings, { ...settingsInput, ...more });
const preview = (tenant: Tenant, more: object) =>
  fixture.own.post(`${tenant.settings}/preview`, { ...settingsInput, ...more });
const read = async (tenant: Tenant) => (await fixture.own.get(tenant.settings)).body;

/** A tenant with one order from September 2026 on, and September and October released. */
async function afterOctober(): Promise<Tenant> {
  const tenant = await tenants.create();
  await tenants.activeOrder(tenant);
  await tenants.released(tenant, '2026-09');
  await tenants.released(tenant, '2026-10');
  return tenant;
}

const rejected = ({ status, body }: { status: number; body: any }) => [status, body.error?.message];

describe('setPayrollSettings', () => {
  test('200: without a month, settings begin after the last released one, and released months stay', async () => {
    const tenant = await afterOctober();
    const { status, body } = await set(tenant, { kinds: subsidies });
    assert.deepEqual(
      [status, body.from, body.versions.map(({ from }: { from: string }) => from)],
      [200, '2026-11', ['2026-01', '2026-11']],
    );
    const run = await tenants.draft(tenant, '2026-11');
    assert.deepEqual(
      run.summary.sums.map(({ kind, amount }: { kind: string; amount: string }) => [kind, amount]),
      [
        ['salary_conversion', '-83.10'],
        ['taxable_benefit', '8.00'],
        ['employer_subsidy', '29.90'],
      ],
    );
  });

  test('200: a part-month rule of before stays for the months of before', async () => {
    const tenant = await tenants.create();
    await tenants.activeOrder(tenant, { contract: { startDate: '2026-09-16' } });
    await tenants.released(tenant, '2026-09');
    await set(tenant, { benefitProRata: true });
    assert.equal((await tenants.draft(tenant, '2026-10')).summary.entries, 2);
  });

  test('409 INVALID_STATE_TRANSITION: a released month, unless that is asked for; the next run corrects it then', async () => {
    const tenant = await afterOctober();
    const wanted = { kinds: subsidies, from: '2026-10' };
    const answer = await set(tenant, wanted);
    assert.equal(answer.body.error.code, 'INVALID_STATE_TRANSITION');
    assert.match(answer.body.error.message, /^from: months up to 2026-10 are released; send changesReleased/);
    assert.equal((await set(tenant, { ...wanted, changesReleased: true })).status, 200);
    const run = await tenants.draft(tenant, '2026-11');
    const late = (await tenants.findings(run)).filter(({ code }: { code: string }) => code === 'late');
    assert.deepEqual(
      late.map(({ month, kind, amount }: Record<string, string>) => [month, kind, amount]),
      [['2026-10', 'employer_subsidy', '29.90']],
    );
  });

  test('200: settings replace those of their month and of later ones, and keep earlier ones', async () => {
    const tenant = await afterOctober();
    for (const from of ['2026-12', '2027-02']) await set(tenant, { cutOffDay: 20, from });
    const first = await set(tenant, { cutOffDay: 21, from: '2027-01' });
    assert.deepEqual(
      first.body.versions.map(({ from, version }: { from: string; version: number }) => [from, version]),
      [
        ['2026-01', 1],
        ['2026-12', 2],
        ['2027-01', 3],
      ],
    );
    assert.equal((await read(tenant)).cutOffDay, 21);
    // The latest settings are later than the month after the released one: without a month, they are the ones that change.
    assert.equal((await set(tenant, { cutOffDay: 22 })).body.from, '2027-01');
  });

  test('422 VALIDATION_ERROR: a month before the first period or far ahead, and other first settings', async () => {
    const tenant = await tenants.create();
    assert.deepEqual(rejected(await set(tenant, { from: '2025-12' })), [
      422,
      'from must not be before 2026-01, the first period of the tenant',
    ]);
    const [status, message] = rejected(await set(tenant, { from: '9999-01' }));
    assert.equal(status, 422);
    assert.match(message, /^from must not be after \d{4}-\d\d, 10 years after the present month$/);
    const fresh = await tenants.create(null);
    assert.deepEqual(rejected(await set(fresh, { from: '2026-02' })), [
      422,
      'from must be 2026-01, the first period, for the first settings of a tenant',
    ]);
  });

  test('200: settings that an older process stored begin with their first period', async () => {
    const tenant = await tenants.create();
    const {
      partMonth: _,
      leaveRules: _rules,
      ...older
    } = storedSettings(settingsInput as PayrollSettingsInput);
    await fixture.sql`
      UPDATE payroll_settings SET from_month = NULL, settings = ${JSON.stringify(older)}::jsonb
      WHERE organization_id = ${fixture.testData.organization} AND tenant_id = ${tenant.id}`;
    const { from, partMonth } = await read(tenant);
    assert.deepEqual([from, partMonth], ['2026-01', 'calendar_days']);
  });
});

describe('previewPayrollSettings', () => {
  test('200: the months, kinds, persons and sums that the next run corrects, and nothing is stored', async () => {
    const tenant = await afterOctober();
    const off = { ...settingsInput.kinds.salaryConversion, export: false };
    const wanted = { from: '2026-09', changesReleased: true, kinds: subsidies };
    const { status, body } = await preview(tenant, wanted);
    const changed = (month: string) => ({
      month,
      kind: 'employer_subsidy',
      persons: 1,
      difference: '29.90',
    });
    assert.deepEqual(
      [status, body],
      [200, { from: '2026-09', released: '2026-10', differences: ['2026-09', '2026-10'].map(changed) }],
    );
    assert.equal((await read(tenant)).version, 1);
    // A kind that is switched off has corrections alone; its exported amounts stay.
    const withoutConversion = { kinds: { ...settingsInput.kinds, salaryConversion: off } };
    assert.deepEqual((await preview(tenant, { ...wanted, ...withoutConversion })).body.differences, []);
  });

  test('200: no difference without a released month, and for months that are not released', async () => {
    const tenant = await tenants.create();
    assert.deepEqual((await preview(tenant, {})).body, {
      from: '2026-01',
      released: null,
      differences: [],
    });
    const later = await afterOctober();
    assert.deepEqual((await preview(later, { kinds: subsidies })).body, {
      from: '2026-11',
      released: '2026-10',
      differences: [],
    });
  });

  test('404 NOT_FOUND, 422 VALIDATION_ERROR: as for settings that are set', async () => {
    const { organization, foreign } = fixture.testData;
    const path = `/organizations/${organization}/tenants/${foreign.tenant}/payroll-settings/preview`;
    assert.equal((await fixture.own.post(path, settingsInput)).status, 404);
    const tenant = await tenants.create();
    assert.equal((await preview(tenant, { from: '2025-12' })).status, 422);
  });
});
