import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import type { PayrollRun } from '@kontor/contract';
import { usePlatform } from '../../platform/support.ts';
import type { Answer } from '../../support/contract/client.ts';
import { storeEmployees } from '../../support/data/employees.ts';
import { contractInput, historyInput, orderInput, storeOrders } from '../../support/data/orders.ts';
import { settingsInput } from './support.ts';

const orderCount = 3000;

const fixture = usePlatform(async ({ own, sql, testData }) => {
  const { organization, tenantA: tenant } = testData;
  const path = `/organizations/${organization}/tenants/${tenant}/payroll-settings`;
  assert.equal((await own.post(path, settingsInput)).status, 200);
  const [employee] = await storeEmployees(sql, organization, [{ tenant, employeeNumber: '1234' }]);
  const contract = contractInput({ startDate: '2026-10-16', endDate: '2029-10-15' });
  const more = { employeeId: employee!.id, status: 'active', hrHistory: historyInput('approved'), contract };
  const inputs = Array.from({ length: orderCount }, () => orderInput(more));
  await storeOrders(sql, { organizationId: organization, tenantId: tenant }, inputs);
});

const at = (path: string) => `/organizations/${fixture.testData.organization}${path}`;
const ofTenant = (path: string) => at(`/tenants/${fixture.testData.tenantA}${path}`);
const create = () => fixture.own.post(ofTenant('/payroll-runs'), { period: '2026-10', formats: ['csv'] });
const codesOf = (answers: readonly Answer<any>[]) =>
  answers.map(({ status, body }) => `${status} ${body.error?.code ?? ''}`.trim()).toSorted();

async function waitForRun(id: string): Promise<PayrollRun> {
  for (;;) {
    const { body: run } = await fixture.own.get(at(`/payroll-runs/${id}`));
    if (run.status !== 'computing' && run.status !== 'releasing') return run;
    await delay(20);
  }
}

let draft: PayrollRun;

test('of two creates at once one gets a run, and the other 409', async () => {
  const answers = await Promise.all([create(), create()]);
  assert.deepEqual(codesOf(answers), ['201', '409 DUPLICATE_RESOURCE']);
  const { id } = answers.find(({ status }) => status === 201)!.body;
  // While it is computing, others are answered at once.
  assert.deepEqual(codesOf([await create()]), ['409 DUPLICATE_RESOURCE']);
  draft = await waitForRun(id);
  assert.deepEqual([draft.status, draft.summary!.entries], ['draft', 2 * orderCount]);
});

test('ten releases at once release a run once, and other writes are answered meanwhile', async () => {
  const release = () => fixture.own.post(at(`/payroll-runs/${draft.id}/release`), undefined);
  const [employee] = (await fixture.client.get('/employees')).body.items;
  const releases = Array.from({ length: 10 }, release);
  while ((await fixture.own.get(at(`/payroll-runs/${draft.id}`))).body.status === 'draft') await delay(1);
  const settings = { ...settingsInput, adviserNumber: '7654321' };
  const changed = await fixture.own.post(ofTenant('/payroll-settings'), settings);
  const written = await fixture.client.patch(`/employees/${employee.id}`, { city: 'Berlin' });
  const answers = await Promise.all(releases);
  assert.deepEqual(
    answers.map(({ status }) => status),
    Array.from({ length: 10 }, () => 200),
  );
  assert.equal(written.status, 200);
  const { status, documents } = await waitForRun(draft.id);
  assert.deepEqual([status, documents.length], ['released', 1]);
  // The release may have ended before the change came.
  if (changed.status !== 200) assert.deepEqual(codesOf([changed]), ['409 INVALID_STATE_TRANSITION']);
  const [sums] = await fixture.sql<{ entries: number; orders: number; documents: number }[]>`
    SELECT count(*)::int AS entries, count(DISTINCT order_id)::int AS orders,
      (SELECT count(*)::int FROM payroll_export_document WHERE organization_id = ${fixture.testData.organization}) AS documents
    FROM payroll_entry WHERE organization_id = ${fixture.testData.organization}`;
  assert.deepEqual(sums, { entries: 2 * orderCount, orders: orderCount, documents: 1 });
});

test('a settlement after the draft makes it stale: its release fails and releases nothing', async () => {
  const { sql, testData, own } = fixture;
  const { body: created } = await own.post(ofTenant('/payroll-runs'), {
    period: '2026-11',
    formats: ['csv'],
  });
  assert.equal((await waitForRun(created.id)).status, 'draft');
  const [order] = (await fixture.client.get('/orders')).body.items;
  const settled = {
    orderId: order.id,
    month: '2026-11',
    kind: 'taxable_benefit',
    meaning: 'paid_elsewhere',
    reason: 'Steuerbüro',
  };
  assert.equal((await own.post(at('/payroll-settlements'), settled)).status, 201);
  const answer = await own.post(at(`/payroll-runs/${created.id}/release`), undefined);
  assert.deepEqual(codesOf([answer]), ['200']);
  const run = await waitForRun(created.id);
  assert.deepEqual(run.failure!.differences, [
    { orderId: order.id, month: '2026-11', kind: 'taxable_benefit', draft: '8.00', now: null },
  ]);
  const released = await sql`
    SELECT FROM payroll_entry WHERE organization_id = ${testData.organization} AND run_id = ${created.id}`;
  assert.equal(released.length, 0);
});
