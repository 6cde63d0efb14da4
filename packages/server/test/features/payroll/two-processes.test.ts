import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import type { ContractRecord, Order } from '@kontor/contract';
import { usePlatform } from '../../platform/support.ts';
import { type Answer, type ApiClient, apiClient } from '../../support/contract/client.ts';
import { testToken } from '../../support/data/tokens.ts';
import { startService } from '../../support/service/service.ts';
import { settingsInput } from './support.ts';
import { Tenants } from './tenants.ts';

/* Two requests at once, through two processes, leave what one of the two orders leaves. Each race runs several times. */

let platforms: [ApiClient, ApiClient];
let customers: [ApiClient, ApiClient];
const resources = new AsyncDisposableStack();
const fixture = usePlatform(async ({ sql, service, testData }) => {
  const token = await testToken(sql, { organizations: [testData.organization] });
  const another = await startService(sql);
  resources.defer(() => another.stop());
  const clients = [service, another].map(({ url, managementUrl }) => ({
    platform: apiClient(managementUrl, { api: 'platform', key: token }),
    customer: apiClient(url, { key: testData.keys.all }),
  }));
  for (const { platform, customer } of clients)
    for (const client of [platform, customer]) resources.defer(() => client.close());
  platforms = clients.map(({ platform }) => platform) as typeof platforms;
  customers = clients.map(({ customer }) => customer) as typeof customers;
});
after(() => resources.disposeAsync());

const tenants = new Tenants(fixture);
const at = (path: string) => tenants.at(path);

type Send = (client: ApiClient) => Promise<Answer<any>>;

const outcomeOf = ({ status, body }: Answer<any>) => [status, body.error?.code].filter(Boolean).join(' ');

/** Sends both at once, each through its own process, and names the outcomes. */
async function race(clients: readonly ApiClient[], first: Send, second: Send): Promise<string[]> {
  const answers = await Promise.all([first(clients[0]!), second(clients[1]!)]);
  return answers.map(outcomeOf);
}

/** A race for each number, half of them with the processes exchanged. */
function races(name: string, run: (clients: readonly ApiClient[]) => Promise<void>): void {
  test(name, async () => {
    for (let n = 0; n < 6; n++) await run(n % 2 === 0 ? platforms : platforms.toReversed());
  });
}

async function activeOrder() {
  const tenant = await tenants.create();
  return { tenant, ...(await tenants.activeOrder(tenant)) };
}

async function recordOf(id: string): Promise<{ order: Order; contractRecord: ContractRecord }> {
  return (await fixture.own.get(at(`/orders/${id}/contract-record`))).body;
}

const end =
  (id: string, lastDay: string): Send =>
  client =>
    client.post(at(`/orders/${id}/contract-end`), { lastDay, reason: 'leaver' });
const withdrawEnd =
  (id: string): Send =>
  client =>
    client.request('DELETE', at(`/orders/${id}/contract-end`));
const change =
  (id: string, body: object): Send =>
  client =>
    client.post(at(`/orders/${id}/contract-versions`), body);
const withdraw =
  (id: string, version: string): Send =>
  client =>
    client.request('DELETE', at(`/orders/${id}/contract-versions/${version}`));

describe('the contract of an order', () => {
  races('two ends are both in the record, and the last one holds', async clients => {
    const { orderId } = await activeOrder();
    const outcomes = await race(clients, end(orderId, '2027-03-31'), end(orderId, '2027-04-30'));
    assert.deepEqual(outcomes, ['200', '200']);
    const { order, contractRecord } = await recordOf(orderId);
    const [one, other] = contractRecord.endHistory;
    assert.deepEqual([one!.lastDay, other!.lastDay].toSorted(), ['2027-03-31', '2027-04-30']);
    assert.ok(one!.recordedAt < other!.recordedAt);
    assert.deepEqual([order.contract!.endDate, order.updatedAt], [other!.lastDay, other!.recordedAt]);
    assert.equal(contractRecord.agreedEndDate, '2029-08-31');
  });

  races('an end and the withdrawal of the one before: the new end holds, or is withdrawn', async clients => {
    const { orderId } = await activeOrder();
    assert.equal((await end(orderId, '2027-03-31')(fixture.own)).status, 200);
    const outcomes = await race(clients, end(orderId, '2027-04-30'), withdrawEnd(orderId));
    assert.deepEqual(outcomes, ['200', '200']);
    const { order, contractRecord } = await recordOf(orderId);
    const [before, last] = contractRecord.endHistory.map(({ withdrawnAt }) => withdrawnAt !== null);
    assert.notEqual(before, last);
    assert.equal(order.contract!.endDate, last ? '2029-08-31' : '2027-04-30');
  });

  races('two versions of a month are both kept, and their amounts add up', async clients => {
    const { orderId } = await activeOrder();
    const from = '2026-10';
    const outcomes = await race(
      clients,
      change(orderId, { from, leasingRate: '120.00' }),
      change(orderId, { from, serviceRate: '30.00' }),
    );
    assert.deepEqual(outcomes, ['200', '200']);
    const { versions, amounts } = (await recordOf(orderId)).contractRecord;
    assert.deepEqual(
      versions.map(({ version }) => version),
      [2, 3],
    );
    const last = amounts.at(-1)!;
    assert.deepEqual([last.version, last.leasingRate, last.serviceRate], [3, '120.00', '30.00']);
  });

  races('a version is withdrawn once, and an end once', async clients => {
    const { orderId } = await activeOrder();
    const { body } = await change(orderId, { from: '2026-10', leasingRate: '120.00' })(fixture.own);
    const version = withdraw(orderId, body.contractRecord.versions[0].id);
    const once = ['200', '409 INVALID_STATE_TRANSITION'];
    assert.deepEqual((await race(clients, version, version)).toSorted(), once);
    await end(orderId, '2027-03-31')(fixture.own);
    assert.deepEqual((await race(clients, withdrawEnd(orderId), withdrawEnd(orderId))).toSorted(), once);
  });

  races('a completion and a version: both are stored', async clients => {
    const { orderId } = await activeOrder();
    const outcomes = await race(
      clients,
      client => client.post(at(`/orders/${orderId}/completion`), { lastDay: '2026-10-31' }),
      change(orderId, { from: '2026-10', leasingRate: '120.00' }),
    );
    assert.deepEqual(outcomes, ['200', '200']);
    const { order, contractRecord } = await recordOf(orderId);
    assert.deepEqual([order.status, order.contract!.endDate], ['completed', '2026-10-31']);
    assert.equal(contractRecord.amounts.at(-1)!.leasingRate, '120.00');
    assert.equal(contractRecord.endHistory.length, 1);
  });
});

describe('a leave', () => {
  races('an end by the platform and a text by the customer are both kept', async clients => {
    const { employeeId, orderId } = await activeOrder();
    const { id } = await tenants.reportLeave({ employeeId, orderId }, '2026-10-01', '2026-12-31');
    const [, customer] = clients === platforms ? customers : customers.toReversed();
    const outcomes = await race(
      clients,
      client => client.post(at(`/incidents/${id}/leave`), { effectiveTo: '2026-11-30', payer: 'insurer' }),
      () => customer!.patch(`/incidents/${id}`, { description: 'Zwillinge' }),
    );
    assert.deepEqual(outcomes, ['200', '200']);
    const { effectiveTo, description } = (await fixture.client.get(`/incidents/${id}`)).body;
    assert.deepEqual([effectiveTo, description], ['2026-11-30', 'Zwillinge']);
    const unchanged = await fixture.own.post(at(`/incidents/${id}/leave`), { payer: 'insurer' });
    assert.deepEqual([unchanged.status, unchanged.body.payer], [200, 'insurer']);
  });

  races('an end and a cancellation: it is cancelled, with or without the end', async clients => {
    const { employeeId, orderId } = await activeOrder();
    const { id } = await tenants.reportLeave({ employeeId, orderId }, '2026-10-01', '2026-12-31');
    const [ended, cancelled] = await race(
      clients,
      client => client.post(at(`/incidents/${id}/leave`), { effectiveTo: '2026-11-30' }),
      client => client.request('POST', at(`/incidents/${id}/cancellation`)),
    );
    assert.equal(cancelled, '200');
    const { status, effectiveTo } = (await fixture.client.get(`/incidents/${id}`)).body;
    assert.equal(status, 'cancelled');
    assert.equal(effectiveTo, ended === '200' ? '2026-11-30' : '2026-12-31');
    assert.ok(['200', '409 INVALID_STATE_TRANSITION'].includes(ended!));
  });

  races('two patches of one version: one is stored', async clients => {
    const { employeeId, orderId } = await activeOrder();
    const { id, updatedAt } = await tenants.reportLeave({ employeeId, orderId }, '2026-10-01', '2026-12-31');
    const patch =
      (effectiveTo: string): Send =>
      client =>
        client.patch(`/incidents/${id}`, { effectiveTo }, { headers: { 'if-match': `"${updatedAt}"` } });
    const own = clients === platforms ? customers : customers.toReversed();
    const outcomes = await race(own, patch('2026-11-30'), patch('2027-01-31'));
    assert.deepEqual(outcomes.toSorted(), ['200', '409 INVALID_STATE_TRANSITION']);
  });

  races('two reports under one idempotency key are one incident', async clients => {
    const { employeeId, orderId } = await activeOrder();
    const headers = { 'idempotency-key': crypto.randomUUID() };
    const body = { employeeId, orderId, type: 'damage', occurredOn: '2026-10-02', description: 'Rahmen' };
    const send: Send = client => client.post('/incidents', body, { headers });
    const own = clients === platforms ? customers : customers.toReversed();
    assert.deepEqual(await race(own, send, send), ['201', '201']);
    const { totalElements } = (
      await fixture.client.get('/incidents', { query: { filter: `employeeId = '${employeeId}'` } })
    ).body;
    assert.equal(totalElements, 1);
  });
});

describe('payroll of a company', () => {
  const reason = 'Vom Steuerbüro abgerechnet';
  const september = { month: '2026-09', kind: 'salary_conversion', meaning: 'paid_elsewhere', reason };

  races('an amount is settled once', async clients => {
    const { orderId } = await activeOrder();
    const settle: Send = client => client.post(at('/payroll-settlements'), { orderId, ...september });
    assert.deepEqual((await race(clients, settle, settle)).toSorted(), ['201', '422 VALIDATION_ERROR']);
  });

  races('two settings are two versions, and the later one holds', async clients => {
    const tenant = await tenants.create();
    const set =
      (body: object): Send =>
      client =>
        client.post(tenant.settings, { ...settingsInput, ...body });
    const outcomes = await race(clients, set({ cutOffDay: 10 }), set({ benefitProRata: true }));
    assert.deepEqual(outcomes, ['200', '200']);
    const { version, cutOffDay, benefitProRata } = (await fixture.own.get(tenant.settings)).body;
    assert.equal(version, 3);
    assert.ok((cutOffDay === 10) !== (benefitProRata === true));
  });

  races('a proposal is decided once', async clients => {
    const tenant = await tenants.create({ changesBySecondActor: true });
    const { orderId } = await tenants.activeOrder(tenant);
    const path = at('/payroll-settlements/proposals');
    const { id } = (await fixture.own.post(path, { orderId, ...september })).body;
    const decide =
      (decision: string): Send =>
      client =>
        client.post(at(`/payroll-proposals/${id}/decision`), { decision });
    assert.deepEqual((await race(clients, decide('confirmed'), decide('rejected'))).toSorted(), [
      '200',
      '409 INVALID_STATE_TRANSITION',
    ]);
  });

  races('a draft is released or discarded, and a question is counted once', async clients => {
    const { tenant, employeeId } = await activeOrder();
    await fixture.client.patch(`/employees/${employeeId}`, { blocked: true });
    const run = await tenants.draft(tenant, '2026-09');
    const [question] = await tenants.findings(run, { severity: 'question' });
    const path = at(`/payroll-runs/${run.id}`);
    const answer: Send = client =>
      client.post(`${path}/acknowledgements`, { finding: question.number, reason });
    assert.deepEqual(await race(clients, answer, answer), ['200', '200']);
    const { summary } = await tenants.read(run);
    assert.deepEqual([summary.questions, summary.acknowledged], [0, 1]);
    const request =
      (action: string): Send =>
      client =>
        client.request('POST', `${path}/${action}`);
    const outcomes = await race(clients, request('release'), request('discard'));
    assert.deepEqual(outcomes.toSorted(), ['200', '409 INVALID_STATE_TRANSITION']);
    let { status } = await tenants.read(run);
    while (status === 'releasing') ({ status } = await tenants.read(run));
    assert.equal(status, outcomes[0] === '200' ? 'released' : 'discarded');
  });
});
