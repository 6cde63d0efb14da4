import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { PayrollFinding } from '@kontor/contract';
import { usePlatform } from '../../platform/support.ts';
import { Tenants } from './tenants.ts';

const fixture = usePlatform();
const tenants = new Tenants(fixture);

const questionsOf = (run: { id: string }): Promise<PayrollFinding[]> =>
  tenants.findings(run, { severity: 'question' });

const answer = (run: { id: string }, finding: number, reason = 'Geklärt') =>
  fixture.own.post(tenants.at(`/payroll-runs/${run.id}/acknowledgements`), { finding, reason });

function block(employeeId: string, blocked: boolean) {
  return fixture.client.patch(`/employees/${employeeId}`, { blocked });
}

describe('acknowledgePayrollFinding', () => {
  test('200: a question is asked once about a person, whatever the number of orders; an answered one counts apart and stays readable', async () => {
    const tenant = await tenants.create();
    const { employeeId } = await tenants.activeOrder(tenant);
    await tenants.activeOrder(tenant, { of: employeeId, contract: { contractNumber: 'LV-2' } });
    await block(employeeId, true);
    const run = await tenants.draft(tenant, '2026-09');
    const [question, ...others] = await questionsOf(run);
    assert.deepEqual(
      [question!.code, question!.employeeId, question!.orderId, question!.action, others],
      ['blocked', employeeId, null, 'employee', []],
    );
    assert.deepEqual([run.summary.questions, run.summary.acknowledged], [1, 0]);

    const { status, body } = await answer(run, question!.number);
    assert.deepEqual([status, body.reason, body.acknowledgedBy.type], [200, 'Geklärt', 'platform_token']);
    const { summary } = await tenants.read(run);
    assert.deepEqual([summary.questions, summary.acknowledged], [0, 1]);
    assert.deepEqual((await questionsOf(run))[0]!.acknowledgement, body);
    assert.deepEqual(summary.sums, run.summary.sums);
    const actions = (await tenants.auditOf(run.id)).map(({ action }) => action);
    assert.deepEqual(actions, ['payroll_run.create', 'payroll_run.acknowledge']);

    assert.equal((await answer(run, question!.number, 'Anders')).status, 200);
    assert.equal((await tenants.read(run)).summary.acknowledged, 1);
    assert.equal((await tenants.release(run)).body.status, 'released');
    const next = await tenants.draft(tenant, '2026-10');
    assert.deepEqual([next.summary.questions, next.summary.acknowledged], [0, 1]);
    assert.equal((await questionsOf(next))[0]!.acknowledgement!.reason, 'Anders');
  });

  test('another fact asks again: the end of a leave that moves', async () => {
    const tenant = await tenants.create();
    const order = await tenants.activeOrder(tenant, { contract: { startDate: '2026-09-01' } });
    const leave = await tenants.reportLeave(order, '2026-08-01', '2026-09-10');
    const first = await tenants.draft(tenant, '2026-09');
    const [question] = await questionsOf(first);
    assert.equal(question!.code, 'leave_before_contract');
    assert.equal((await answer(first, question!.number)).status, 200);
    await fixture.client.patch(`/incidents/${leave.id}`, { effectiveTo: '2026-09-12' });
    const second = await tenants.draft(tenant, '2026-09', { replaces: first.id });
    assert.deepEqual([second.summary.questions, second.summary.acknowledged], [1, 0]);
  });

  test('409 INVALID_STATE_TRANSITION and 422 VALIDATION_ERROR: a run that is not a draft, and another finding', async () => {
    const tenant = await tenants.create();
    await tenants.activeOrder(tenant);
    const run = await tenants.draft(tenant, '2026-09');
    const [info] = await tenants.findings(run);
    assert.equal(info.severity, 'info');
    const other = await answer(run, info.number);
    assert.deepEqual([other.status, other.body.error.code], [422, 'VALIDATION_ERROR']);
    await tenants.discard(run);
    const late = await answer(run, 1);
    assert.deepEqual([late.status, late.body.error.code], [409, 'INVALID_STATE_TRANSITION']);
  });
});

describe('questions of a run', () => {
  test('a termination of one order is asked about with each order that goes on', async () => {
    const tenant = await tenants.create();
    const { employeeId, orderId } = await tenants.activeOrder(tenant);
    const other = { startDate: '2026-09-01', endDate: '2026-09-30', contractNumber: 'LV-2' };
    const ending = await tenants.activeOrder(tenant, { of: employeeId, contract: other });
    const report = { employeeId, orderId: ending.orderId, type: 'termination', description: 'Kündigung' };
    const incident = await fixture.client.post('/incidents', { ...report, occurredOn: '2026-09-15' });
    assert.equal(incident.body.status, 'completed');
    const [question, ...others] = await questionsOf(await tenants.draft(tenant, '2026-09'));
    assert.deepEqual([question!.code, question!.month, others], ['left', '2026-09', []]);
    assert.ok(orderId);
  });

  test('a month between the last released one and that of the run is asked about', async () => {
    const tenant = await tenants.create({ firstPeriod: '2026-08' });
    await tenants.activeOrder(tenant);
    const first = await tenants.draft(tenant, '2026-09');
    assert.deepEqual(await questionsOf(first), []);
    assert.equal((await tenants.release(first)).body.status, 'released');
    const skipping = await tenants.draft(tenant, '2026-11');
    assert.deepEqual(
      (await questionsOf(skipping)).map(({ code, month, employeeId }) => [code, month, employeeId]),
      [['skipped_month', '2026-10', null]],
    );
    const next = await tenants.draft(tenant, '2026-10', { replaces: skipping.id });
    assert.deepEqual(await questionsOf(next), []);
  });

  test('a leave that was cancelled takes nothing off', async () => {
    const tenant = await tenants.create();
    const order = await tenants.activeOrder(tenant);
    const { id } = await tenants.reportLeave(order, '2026-09-10', '2026-09-20');
    const before = await tenants.draft(tenant, '2026-09');
    assert.ok((await tenants.findings(before)).some(({ code }: PayrollFinding) => code === 'suspended'));
    const path = tenants.at(`/incidents/${id}/cancellation`);
    assert.equal((await fixture.own.request('POST', path)).status, 200);
    const after = await tenants.draft(tenant, '2026-09', { replaces: before.id });
    assert.ok(!(await tenants.findings(after)).some(({ code }: PayrollFinding) => code === 'suspended'));
  });

  test('a month that another division alone has released counts as skipped for a division', async () => {
    const tenant = await tenants.create({ firstPeriod: '2026-08' });
    const divide = async (name: string) =>
      (await fixture.client.post('/divisions', { name }, { tenant: tenant.id })).body.id;
    const [one, other] = [await divide('Vertrieb'), await divide('Lager')];
    await tenants.activeOrder(tenant, { employee: { divisionId: one } });
    await tenants.released(tenant, '2026-08', { divisionId: one });
    await tenants.released(tenant, '2026-09', { divisionId: other });
    const draft = await tenants.draft(tenant, '2026-10', { divisionId: one });
    assert.deepEqual(
      (await questionsOf(draft)).map(({ code, month }) => [code, month]),
      [['skipped_month', '2026-09']],
    );
  });

  test('the conversions of one person together are compared with the bound of the company', async () => {
    const boundOf = async (conversionBound: string | null) => {
      const tenant = await tenants.create({ conversionBound });
      const { employeeId } = await tenants.activeOrder(tenant);
      await tenants.activeOrder(tenant, { of: employeeId, contract: { contractNumber: 'LV-2' } });
      await tenants.activeOrder(tenant, { employee: { employeeNumber: '1235' } });
      const questions = await questionsOf(await tenants.draft(tenant, '2026-09'));
      assert.ok(questions.every(question => question.employeeId === employeeId));
      return questions.map(({ code, amount }) => [code, amount]);
    };
    assert.deepEqual(await boundOf('166.19'), [['conversion_bound', '166.20']]);
    assert.deepEqual(await boundOf('166.20'), []);
    assert.deepEqual(await boundOf(null), []);
  });
});

test('settings of 0.2.0 go on as they were, and 0.2.0 reads what is stored', async () => {
  const tenant = await tenants.create();
  const { sql, testData } = fixture;
  const place = { organization: testData.organization, tenant: tenant.id };
  const stored = async () => {
    const [row] = await sql<{ settings: any }[]>`
      SELECT settings FROM payroll_settings
      WHERE organization_id = ${place.organization} AND tenant_id = ${place.tenant}`;
    return row!.settings;
  };
  assert.deepEqual(
    [(await stored()).leaves.parentalLeave, (await stored()).leaves.maternityLeave],
    ['suspend', null],
  );
  await sql`
    UPDATE payroll_settings SET settings = settings - 'leaveRules' - 'conversionBound'
    WHERE organization_id = ${place.organization} AND tenant_id = ${place.tenant}`;
  const { leaves, conversionBound } = (await fixture.own.get(tenant.settings)).body;
  const all = (effect: string | null) => ({
    salaryConversion: effect,
    taxableBenefit: effect,
    employerSubsidy: effect,
    payer: null,
  });
  assert.deepEqual([leaves.parentalLeave, leaves.maternityLeave], [all('suspend'), all(null)]);
  assert.equal(conversionBound, null);
});
