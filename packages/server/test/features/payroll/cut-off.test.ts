import assert from 'node:assert/strict';
import { test } from 'node:test';
import { usePlatform } from '../../platform/support.ts';
import { letMonthCome, showVersions } from '../../support/data/contract-versions.ts';
import { files } from '../incidents/support.ts';
import { type Tenant, Tenants } from './tenants.ts';

const fixture = usePlatform();
const tenants = new Tenants(fixture);

/** The month that is `count` months before the present one. */
function monthsBack(count: number): string {
  const now = new Date();
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - count, 1)).toISOString().slice(0, 7);
}

/** Lets an order have changed last on a day. */
async function age(orderId: string, day: string): Promise<void> {
  const at = `${day}T12:00:00.000Z`;
  await fixture.sql`
    UPDATE employee_order SET updated_at = ${at}::text::timestamptz,
      payroll_changed_at = CASE WHEN payroll_changed_at IS NOT NULL THEN ${at}::text::timestamptz END,
      doc = regexp_replace(doc, '"updatedAt":"[^"]*"', ${`"updatedAt":"${at}"`})
    WHERE organization_id = ${fixture.testData.organization} AND id = ${orderId}`;
}

/** The codes of the findings of a run. */
async function codesOf(run: { id: string }): Promise<Set<string>> {
  return new Set((await tenants.findings(run)).map(({ code }: { code: string }) => code));
}

/** `[order] month amount` of the conversions in a draft that are not of its month. */
async function correctionsOf(run: { id: string; period: string }) {
  const found: { code: string; orderId: string; month: string; amount: string }[] =
    await tenants.findings(run);
  const corrections = found.filter(({ code }) => code === 'correction');
  return corrections.map(({ orderId, month, amount }) => `${orderId} ${month} ${amount}`).toSorted();
}

test('a leave that moves to another order after the cut-off changes neither order in the run, but both in the next', async () => {
  const [first, last] = [monthsBack(3), monthsBack(1)];
  const settings = { firstPeriod: first };
  const tenant: Tenant = await tenants.create(settings);
  const contract = { startDate: `${first}-01`, endDate: null, termMonths: 36 };
  const from = await tenants.activeOrder(tenant, { contract });
  const { employeeId } = from;
  const to = await tenants.activeOrder(tenant, {
    contract: { ...contract, contractNumber: 'LV-2' },
    of: employeeId,
  });
  const leave = await tenants.reportLeave(from, `${first}-10`, `${first}-19`);
  await tenants.released(tenant, first);
  for (const { orderId } of [from, to]) await age(orderId, `${first}-28`);

  const moved = await fixture.client.patch(`/incidents/${leave.id}`, { orderId: to.orderId });
  assert.equal(moved.status, 200, moved.bytes.toString());
  await tenants.set(tenant, { ...settings, cutOffDay: 1 });
  const run = await tenants.draft(tenant, last);
  assert.deepEqual([run.summary.entries, await correctionsOf(run)], [8, []]);
  const kept = (await tenants.findings(run)).filter(
    ({ code }: { code: string }) => code === 'changed_after_cut_off',
  );
  assert.deepEqual(
    kept.map(({ orderId }: { orderId: string }) => orderId).toSorted(),
    [from.orderId, to.orderId].toSorted(),
  );
  assert.equal((await tenants.release(run)).body.status, 'released');

  await tenants.set(tenant, { ...settings, cutOffDay: null, from: last, changesReleased: true });
  const amounts = (await correctionsOf(await tenants.draft(tenant, last))).map(text => text.split(' '));
  const owed = (orderId: string) =>
    amounts.filter(([id]) => id === orderId).map(([, month, sum]) => [month, Number(sum)]);
  const [[month, more] = [], ...others] = owed(from.orderId);
  assert.ok(month === first && Number(more) > 0 && others.length === 0, amounts.join());
  assert.deepEqual(owed(to.orderId), [[first, -Number(more)]]);
});

test('documents, texts, the payer and the progress of a leave delay no first deduction after the cut-off, its end does', async () => {
  const [first, last] = [monthsBack(3), monthsBack(1)];
  const tenant = await tenants.create({ firstPeriod: first });
  const { employeeId, orderId } = await tenants.activeOrder(tenant, {
    contract: { startDate: `${first}-01`, endDate: null, termMonths: 36 },
  });
  const leave = await tenants.reportLeave({ employeeId, orderId }, `${first}-10`, `${first}-19`);
  await age(orderId, `${first}-28`);
  await fixture.sql`UPDATE incident SET updated_at = ${`${first}-28T12:00:00Z`}::text::timestamptz WHERE id = ${leave.id}`;
  const bytes = files['application/pdf'];
  const ofOrder = await fixture.own.upload(
    tenants.at(`/orders/${orderId}/attachments`),
    { bytes, fileName: 'Rechnung.pdf' },
    { query: { kind: 'invoice' } },
  );
  const ofLeave = await fixture.client.upload(`/incidents/${leave.id}/attachments`, {
    bytes,
    fileName: 'Bescheid.pdf',
  });
  assert.deepEqual([ofOrder.status, ofLeave.status], [201, 201]);
  await tenants.set(tenant, { firstPeriod: first, cutOffDay: 1 });
  const run = await tenants.draft(tenant, last);
  assert.ok(!(await codesOf(run)).has('after_cut_off'));
  assert.ok(run.summary.entries > 0);

  const texts = { description: 'Elternzeit bis auf Weiteres', requestedSolution: 'rate_protection' };
  const more = { occurredOn: `${first}-11`, policeReference: 'keine' };
  const path = tenants.at(`/incidents/${leave.id}`);
  for (const answer of [
    await fixture.client.patch(`/incidents/${leave.id}`, { ...texts, ...more }),
    await fixture.own.post(`${path}/leave`, { comment: 'Nur ein Kommentar', payer: 'insurer' }),
    await fixture.own.request('POST', `${path}/processing`),
    await fixture.own.request('POST', `${path}/resolution`),
  ])
    assert.equal(answer.status, 200, answer.bytes.toString());
  const commented = await tenants.draft(tenant, last, { replaces: run.id });
  assert.ok(!(await codesOf(commented)).has('after_cut_off'));
  assert.ok((await codesOf(commented)).has('suspended'), 'a leave that was resolved counts');
  const ended = await fixture.own.post(`${path}/leave`, { effectiveTo: `${first}-20` });
  assert.equal(ended.status, 200);
  const late = await tenants.draft(tenant, last, { replaces: commented.id });
  assert.ok((await codesOf(late)).has('after_cut_off'));
});

/** A company with a contract that nothing was released of, and the months of its first day and of a run. */
async function stage() {
  const [first, last] = [monthsBack(3), monthsBack(1)];
  const tenant = await tenants.create({ firstPeriod: first });
  const contract = { startDate: `${first}-01`, endDate: null, termMonths: 36 };
  return { first, last, tenant, ...(await tenants.activeOrder(tenant, { contract })) };
}

test('a version that was recorded before the cut-off delays nothing when its month comes', async () => {
  const { first, last, tenant, orderId } = await stage();
  const from = `${new Date().getUTCFullYear() + 1}-01`;
  const path = tenants.at(`/orders/${orderId}/contract-versions`);
  assert.equal((await fixture.own.post(path, { from, leasingRate: '120.00' })).status, 200);
  await age(orderId, `${first}-28`);
  await letMonthCome(fixture.sql, orderId, from);
  await showVersions(fixture.sql, fixture.testData.organization);
  assert.equal((await fixture.client.get(`/orders/${orderId}`)).body.contract.leasingRate, '120.00');
  await tenants.set(tenant, { firstPeriod: first, cutOffDay: 1 });
  const run = await tenants.draft(tenant, last);
  assert.ok(!(await codesOf(run)).has('after_cut_off'));
  assert.ok(run.summary.entries > 0);
});

test('the report of a damage after the cut-off delays no first deduction; a leave that becomes one after it waits', async () => {
  const { first, last, tenant, ...order } = await stage();
  const leave = await tenants.reportLeave(order, `${first}-10`, `${first}-19`);
  await age(order.orderId, `${first}-28`);
  await fixture.sql`UPDATE incident SET updated_at = ${`${first}-28T12:00:00Z`}::text::timestamptz WHERE id = ${leave.id}`;
  const damage = { ...order, type: 'damage', occurredOn: `${last}-02`, description: 'Rahmen gebrochen' };
  assert.equal((await fixture.client.post('/incidents', damage)).status, 201);
  const settings = { firstPeriod: first, cutOffDay: 1 };
  await tenants.set(tenant, settings);
  const run = await tenants.draft(tenant, last);
  assert.ok(!(await codesOf(run)).has('after_cut_off'));
  assert.ok(run.summary.entries > 0);
  assert.equal((await tenants.release(run)).body.status, 'released');

  const changed = await fixture.client.patch(`/incidents/${leave.id}`, { type: 'damage' });
  assert.equal(changed.status, 200, changed.bytes.toString());
  const next = await tenants.draft(tenant, last);
  assert.ok((await codesOf(next)).has('changed_after_cut_off'));
  assert.equal(next.summary.entries, 0);
});

test('a change on the cut-off day is in time, one on the day after it waits', async () => {
  const { first, last, tenant, orderId } = await stage();
  await tenants.set(tenant, { firstPeriod: first, cutOffDay: 10 });
  await age(orderId, `${last}-10`);
  const run = await tenants.draft(tenant, last);
  assert.ok(!(await codesOf(run)).has('after_cut_off'));
  await age(orderId, `${last}-11`);
  assert.ok((await codesOf(await tenants.draft(tenant, last, { replaces: run.id }))).has('after_cut_off'));
});
