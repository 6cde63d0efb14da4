import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { PayrollProposal } from '@kontor/contract';
import { usePlatform } from '../../platform/support.ts';
import type { ApiClient } from '../../support/contract/client.ts';
import { assertError, settingsInput } from './support.ts';
import { type Tenant, Tenants } from './tenants.ts';

/** `own` proposes, and `platform`, another token, decides. */
const fixture = usePlatform();
const tenants = new Tenants(fixture);
const at = (path: string) => tenants.at(path);

const reason = 'Vom Steuerbüro nachberechnet';
const september = { month: '2026-09', kind: 'salary_conversion', meaning: 'paid_elsewhere', reason };
const strict = { changesBySecondActor: true };

const propose = (orderId: string, more: object = {}) =>
  fixture.own.post(at('/payroll-settlements/proposals'), { orderId, ...september, ...more });

const proposeSettings = ({ settings }: Tenant, more: object) =>
  fixture.own.post(`${settings}/proposals`, { ...settingsInput, ...strict, ...more });

const decide = (client: ApiClient, { id }: { id: string }, decision: string, more: object = {}) =>
  client.post(at(`/payroll-proposals/${id}/decision`), { decision, ...more });

const list = async ({ id }: Tenant, query: Record<string, string> = {}): Promise<PayrollProposal[]> =>
  (await fixture.own.get(at(`/tenants/${id}/payroll-proposals`), { query })).body.items;

const actionsOf = async (target: string) => (await tenants.auditOf(target)).map(({ action }) => action);

/** The amounts that a run would export for a tenant. */
async function entriesOf(tenant: Tenant): Promise<number> {
  const run = await tenants.draft(tenant, '2026-09');
  await tenants.discard(run);
  return run.summary.entries;
}

describe('a settlement where another caller must confirm it', () => {
  test('has no effect before, and both callers are in the list and the audit', async () => {
    const tenant = await tenants.create(strict);
    const { orderId, employeeId } = await tenants.activeOrder(tenant);
    const { status, body: proposal } = await propose(orderId);
    assert.deepEqual([status, proposal.status, proposal.employeeId], [201, 'open', employeeId]);
    assert.equal(proposal.settlement.amount, '83.10', 'what is open is part of the proposal');
    assert.equal(await entriesOf(tenant), 2);
    const decided = await decide(fixture.platform, proposal, 'confirmed', { comment: 'Geprüft' });
    assert.equal(decided.status, 200, decided.bytes.toString());
    assert.equal(await entriesOf(tenant), 1);
    const [listed] = await list(tenant);
    assert.deepEqual(listed, decided.body);
    assert.notEqual(listed!.proposedBy.id, listed!.decidedBy!.id);
    assert.deepEqual([listed!.status, listed!.comment], ['confirmed', 'Geprüft']);
    assert.deepEqual(await actionsOf(proposal.id), ['payroll_proposal.create', 'payroll_proposal.confirm']);
    assert.deepEqual(await list(tenant, { status: 'open' }), []);
  });

  test('403 PERMISSION_DENIED: directly, and confirmed by its author', async () => {
    const tenant = await tenants.create(strict);
    const { orderId } = await tenants.activeOrder(tenant);
    const direct = await fixture.own.post(at('/payroll-settlements'), { orderId, ...september });
    assertError(direct, 403, 'PERMISSION_DENIED', /\/proposals/);
    const { body: proposal } = await propose(orderId);
    assertError(await decide(fixture.own, proposal, 'confirmed'), 403, 'PERMISSION_DENIED', /Another caller/);
    assert.deepEqual(
      (await list(tenant)).map(({ status }) => status),
      ['open'],
    );
  });

  test('422 VALIDATION_ERROR: what was settled meanwhile; it can only be rejected, by its author as well', async () => {
    const tenant = await tenants.create(strict);
    const { orderId } = await tenants.activeOrder(tenant);
    const [one, other] = [(await propose(orderId)).body, (await propose(orderId)).body];
    assert.equal((await decide(fixture.platform, one, 'confirmed')).status, 200);
    assertError(await propose(orderId), 422, 'VALIDATION_ERROR', /Nothing is open/);
    assertError(
      await decide(fixture.platform, other, 'confirmed'),
      422,
      'VALIDATION_ERROR',
      /Nothing is open/,
    );
    assert.equal((await decide(fixture.own, other, 'rejected')).body.status, 'rejected');
    assert.deepEqual(await actionsOf(other.id), ['payroll_proposal.create', 'payroll_proposal.reject']);
  });

  test('422 INVALID_REFERENCE: an order that left the scope; 409 during a release and for a decided proposal', async () => {
    const { sql, testData } = fixture;
    const tenant = await tenants.create(strict);
    const { orderId } = await tenants.activeOrder(tenant);
    const { body: proposal } = await propose(orderId);
    const { id } = await tenants.draft(tenant, '2026-09');
    const setStatus = (status: string) =>
      sql`UPDATE payroll_run SET status = ${status} WHERE organization_id = ${testData.organization} AND id = ${id}`;
    await setStatus('releasing');
    assertError(await propose(orderId), 409, 'INVALID_STATE_TRANSITION', /being released/);
    assertError(await decide(fixture.platform, proposal, 'confirmed'), 409, 'INVALID_STATE_TRANSITION');
    await setStatus('discarded');
    await sql`
      UPDATE employee_order SET tenant_id = NULL, division_id = NULL
      WHERE organization_id = ${testData.organization} AND id = ${orderId}`;
    assertError(await decide(fixture.platform, proposal, 'confirmed'), 422, 'INVALID_REFERENCE');
    assert.equal((await decide(fixture.platform, proposal, 'rejected')).status, 200);
    assertError(
      await decide(fixture.platform, proposal, 'confirmed'),
      409,
      'INVALID_STATE_TRANSITION',
      /is rejected/,
    );
  });
});

describe('settings where another caller must confirm them', () => {
  test('count when they are confirmed, and show which values change', async () => {
    const tenant = await tenants.create(strict);
    const kinds = structuredClone(settingsInput.kinds);
    kinds.taxableBenefit.wageType = '3021';
    const { status, body: proposal } = await proposeSettings(tenant, { kinds, cutOffDay: 12 });
    assert.deepEqual([status, proposal.settlement, proposal.employeeId], [201, null, null]);
    assert.deepEqual(proposal.changes, [
      { field: 'cutOffDay', before: null, after: '12' },
      { field: 'kinds.taxableBenefit.wageType', before: '3020', after: '3021' },
    ]);
    assert.equal((await fixture.own.get(tenant.settings)).body.cutOffDay, null);
    assert.equal((await decide(fixture.platform, proposal, 'confirmed')).status, 200);
    const { body } = await fixture.own.get(tenant.settings);
    assert.deepEqual([body.cutOffDay, body.version], [12, 2]);
  });

  test('403 PERMISSION_DENIED: also to switch it off, and from clients that do not know the setting', async () => {
    const tenant = await tenants.create(strict);
    const { changesBySecondActor: _, ...known } = settingsInput;
    const set = (body: object) => fixture.own.post(tenant.settings, body);
    assertError(await set(settingsInput), 403, 'PERMISSION_DENIED');
    assertError(await set({ ...known, cutOffDay: 5 }), 403, 'PERMISSION_DENIED');
    assert.equal((await set(known)).status, 200, 'the same settings change nothing');
    const { body: proposal } = await proposeSettings(tenant, { changesBySecondActor: false });
    assert.equal((await decide(fixture.platform, proposal, 'confirmed')).status, 200);
    assert.equal((await set({ ...known, cutOffDay: 5 })).status, 200);
  });

  test('409 INVALID_STATE_TRANSITION: other settings were confirmed since', async () => {
    const tenant = await tenants.create(strict);
    const { body: first } = await proposeSettings(tenant, { cutOffDay: 10 });
    const { body: other } = await proposeSettings(tenant, { cutOffDay: 20 });
    assert.equal((await decide(fixture.platform, first, 'confirmed')).status, 200);
    const late = await decide(fixture.platform, other, 'confirmed');
    assertError(late, 409, 'INVALID_STATE_TRANSITION', /have changed since/);
  });

  test('422 VALIDATION_ERROR: what is in force already', async () => {
    const tenant = await tenants.create(strict);
    assertError(await proposeSettings(tenant, {}), 422, 'VALIDATION_ERROR', /change one of them/);
  });
});
