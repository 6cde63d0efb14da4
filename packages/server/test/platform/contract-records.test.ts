import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type Order, orderStatuses } from '@kontor/contract';
import type { Answer, RequestOptions } from '../support/contract/client.ts';
import { letMonthCome, showVersions, versionJob } from '../support/data/contract-versions.ts';
import { storeEmployees } from '../support/data/employees.ts';
import { contractInput, orderInput, storeOrders } from '../support/data/orders.ts';
import { stateOf } from '../support/data/test-data.ts';
import { usePlatform } from './support.ts';

const fixture = usePlatform();

const days = { startDate: '2026-01-15', endDate: '2029-01-14' };

/** An active order of a new employee, whose contract runs from 15 January 2026 for 36 months. */
async function stored(order: Record<string, unknown> = {}): Promise<Order> {
  const { sql, testData } = fixture;
  const [person] = await storeEmployees(sql, testData.organization, [{ tenant: testData.tenantA }]);
  const target = { organizationId: testData.organization, tenantId: testData.tenantA };
  const contract = contractInput(days);
  const input = orderInput({ employeeId: person!.id, status: 'active', contract, ...order });
  return (await storeOrders(sql, target, [input]))[0]!;
}

const pathOf = (id: string, rest: string) =>
  `/organizations/${fixture.testData.organization}/orders/${id}/${rest}`;

const end = (id: string, body: object, options?: RequestOptions) =>
  fixture.own.post(pathOf(id, 'contract-end'), { reason: 'returned', ...body }, options);
const withdrawEnd = (id: string) => fixture.own.request('DELETE', pathOf(id, 'contract-end'));
const change = (id: string, body: object, options?: RequestOptions) =>
  fixture.own.post(pathOf(id, 'contract-versions'), body, options);
const withdraw = (id: string, version: string) =>
  fixture.own.request('DELETE', pathOf(id, `contract-versions/${version}`));
const read = (id: string) => fixture.own.get(pathOf(id, 'contract-record'));
const publicly = async (id: string): Promise<Order> => (await fixture.client.get(`/orders/${id}`)).body;

/** Asserts that the request is rejected so, and that nothing has changed. */
async function rejected(send: () => Promise<Answer<any>>, expected: [number, string]): Promise<string> {
  const before = await stateOf(fixture.sql);
  const answer = await send();
  assert.deepEqual([answer.status, answer.body.error?.code], expected);
  assert.equal(await stateOf(fixture.sql), before);
  return answer.body.error.message;
}

describe('POST …/contract-end', () => {
  for (const status of ['active', 'completed'] as const)
    test(`200: the contract of an order that is ${status} ends on the day, which the public API shows`, async () => {
      const order = await stored({ status });
      const { status: answered, body } = await end(order.id, { lastDay: '2026-04-10', comment: 'Abgegeben' });
      assert.equal(answered, 200);
      const { updatedAt } = body.order;
      const contract = { ...order.contract, endDate: '2026-04-10' };
      assert.ok(updatedAt > order.updatedAt);
      assert.deepEqual(body.order, { ...order, contract, updatedAt });
      assert.deepEqual(await publicly(order.id), body.order);
      const [recorded] = body.contractRecord.endHistory;
      const { recordedBy, ...rest } = recorded;
      assert.equal(recordedBy.type, 'platform_token');
      assert.deepEqual(rest, {
        lastDay: '2026-04-10',
        reason: 'returned',
        comment: 'Abgegeben',
        recordedAt: updatedAt,
        withdrawnAt: null,
        withdrawnBy: null,
      });
      assert.equal(body.contractRecord.agreedEndDate, '2029-01-14');
      assert.deepEqual((await read(order.id)).body, body);
    });

  test('200: again with another day changes the end, and the record has both', async () => {
    const { id } = await stored();
    await end(id, { lastDay: '2026-04-10' });
    const { body } = await end(id, { lastDay: '2026-05-31', reason: 'leaver' });
    assert.equal(body.order.contract.endDate, '2026-05-31');
    const recorded = body.contractRecord.endHistory.map(({ lastDay, reason }: any) => [lastDay, reason]);
    assert.deepEqual(recorded, [
      ['2026-04-10', 'returned'],
      ['2026-05-31', 'leaver'],
    ]);
    assert.equal(body.contractRecord.agreedEndDate, '2029-01-14');
  });

  test('200: the same end again changes nothing', async () => {
    const { id } = await stored();
    const first = await end(id, { lastDay: '2026-04-10' });
    const before = await stateOf(fixture.sql);
    assert.deepEqual((await end(id, { lastDay: '2026-04-10' })).body, first.body);
    assert.equal(await stateOf(fixture.sql), before);
  });

  test('the first and the agreed last day are possible, and no other', async () => {
    const { id } = await stored();
    for (const lastDay of [days.startDate, days.endDate])
      assert.equal((await end(id, { lastDay })).body.order.contract.endDate, lastDay);
    for (const lastDay of ['2026-01-14', '2029-01-15'])
      assert.match(await rejected(() => end(id, { lastDay }), [422, 'VALIDATION_ERROR']), /^lastDay must be/);
  });

  test('the amounts are those of the last day; a later version is shown again without the end', async () => {
    const { id } = await stored();
    await change(id, { from: '2026-09', leasingRate: '120.00' });
    assert.equal((await end(id, { lastDay: '2026-08-31' })).body.order.contract.leasingRate, '98.10');
    assert.equal((await withdrawEnd(id)).body.order.contract.leasingRate, '120.00');
  });

  test('409 INVALID_STATE_TRANSITION: the data of the employee were erased, for each change', async () => {
    const { id, employeeId } = await stored();
    const { body } = await change(id, { from: '2026-03', leasingRate: '120.00' });
    await end(id, { lastDay: '2026-08-31' });
    await fixture.sql`UPDATE employee SET erased_at = now() WHERE id = ${employeeId}`;
    const [version] = body.contractRecord.versions;
    for (const send of [
      () => end(id, { lastDay: '2026-04-10' }),
      () => withdrawEnd(id),
      () => change(id, { from: '2026-04', leasingRate: '130.00' }),
      () => withdraw(id, version.id),
    ])
      assert.match(await rejected(send, [409, 'INVALID_STATE_TRANSITION']), /were erased/);
  });

  test('409 INVALID_STATE_TRANSITION: a hundred ends were recorded', async () => {
    const { id } = await stored();
    const days = ['2026-04-10', '2026-05-31'];
    for (let n = 0; n < 100; n++) assert.equal((await end(id, { lastDay: days[n % 2] })).status, 200);
    const message = await rejected(() => end(id, { lastDay: days[0] }), [409, 'INVALID_STATE_TRANSITION']);
    assert.match(message, /the maximum/);
  });

  test('422 VALIDATION_ERROR: an imported order without a contract, or without its first day', async () => {
    for (const contract of [null, contractInput()]) {
      const { id } = await stored({ contract });
      const message = await rejected(() => end(id, { lastDay: '2026-04-10' }), [422, 'VALIDATION_ERROR']);
      assert.match(message, /^contract: /);
    }
  });

  for (const status of orderStatuses.filter(other => other !== 'active' && other !== 'completed'))
    test(`409 INVALID_STATE_TRANSITION: an order that is ${status}`, async () => {
      const { id } = await stored({ status });
      const calls = [
        () => end(id, { lastDay: '2026-04-10' }),
        () => withdrawEnd(id),
        () => change(id, { from: '2026-06', leasingRate: '90.00' }),
        () => withdraw(id, '0'.repeat(24)),
      ];
      for (const call of calls) await rejected(call, [409, 'INVALID_STATE_TRANSITION']);
    });

  test('the audit names the fields and not the reason, and the public API has neither', async () => {
    const { id } = await stored();
    await end(id, { lastDay: '2026-04-10', reason: 'death', comment: 'Anruf der Witwe' });
    const rows = await fixture.sql`SELECT to_jsonb(a)::text AS row FROM audit a WHERE target_id = ${id}`;
    const texts = [...rows.map(({ row }) => String(row)), JSON.stringify(await publicly(id))].join();
    assert.match(texts, /"order.end_contract"/);
    assert.doesNotMatch(texts, /death|Witwe/);
  });
});

describe('DELETE …/contract-end', () => {
  test('200: the agreed last day holds again, and the record keeps the end', async () => {
    const order = await stored();
    await end(order.id, { lastDay: '2026-05-31' });
    await end(order.id, { lastDay: '2026-04-10' });
    const { status, body } = await withdrawEnd(order.id);
    assert.equal(status, 200);
    assert.deepEqual(await publicly(order.id), { ...order, updatedAt: body.order.updatedAt });
    const [first, last] = body.contractRecord.endHistory;
    assert.deepEqual([first.withdrawnAt, last.withdrawnAt], [null, body.order.updatedAt]);
    assert.equal(last.withdrawnBy.type, 'platform_token');
    await rejected(() => withdrawEnd(order.id), [409, 'INVALID_STATE_TRANSITION']);
  });

  test('200: a contract without an agreed last day has none again', async () => {
    const { id } = await stored({ contract: contractInput({ startDate: '2026-01-15' }) });
    await end(id, { lastDay: '2026-04-10' });
    assert.equal((await withdrawEnd(id)).body.order.contract.endDate, null);
  });

  test('409 INVALID_STATE_TRANSITION: no end was recorded', async () => {
    const { id } = await stored();
    await rejected(() => withdrawEnd(id), [409, 'INVALID_STATE_TRANSITION']);
  });
});

describe('POST …/completion', () => {
  const complete = (id: string, body?: object) => fixture.own.post(pathOf(id, 'completion'), body);

  test('200: with a last day it records the end in the same transaction, by default as returned', async () => {
    const { id } = await stored();
    const { status, body } = await complete(id, { lastDay: '2026-04-10' });
    assert.deepEqual([status, body.status, body.contract.endDate], [200, 'completed', '2026-04-10']);
    const [recorded] = (await read(id)).body.contractRecord.endHistory;
    assert.deepEqual([recorded.reason, recorded.recordedAt], ['returned', body.updatedAt]);
    const audited = await fixture.sql`SELECT action, fields FROM audit WHERE target_id = ${id}`;
    const completed = audited.filter(({ action }) => action === 'order.complete');
    assert.deepEqual(completed, [
      { action: 'order.complete', fields: ['status', 'contract', 'contractRecord'] },
    ]);
  });

  test('200: without a body, and with an empty one, the days stay', async () => {
    for (const body of [undefined, {}]) {
      const order = await stored();
      assert.deepEqual((await complete(order.id, body)).body.contract, order.contract);
    }
  });

  test('422 VALIDATION_ERROR: a day outside of the contract, and a comment or reason without a day', async () => {
    const { id } = await stored();
    for (const body of [{ lastDay: '2026-01-14' }, { comment: 'x' }, { reason: 'leaver' }])
      assert.match(await rejected(() => complete(id, body), [422, 'VALIDATION_ERROR']), /^lastDay /);
  });
});

describe('POST …/contract-versions', () => {
  const past = { from: '2026-03', leasingRate: '108.10', leasingRateSubsidy: '25.00' };

  test('200: amounts of a past month are those of today, and what is absent stays', async () => {
    const order = await stored();
    const { status, body } = await change(order.id, { ...past, comment: 'Zubehör' });
    assert.equal(status, 200);
    const contract = {
      ...order.contract,
      leasingRate: '108.10',
      leasingRateSubsidy: '25.00',
      salaryConversion: '88.10',
    };
    assert.deepEqual(body.order, { ...order, contract, updatedAt: body.order.updatedAt });
    assert.deepEqual(await publicly(order.id), body.order);
    const { amounts, versions } = body.contractRecord;
    assert.deepEqual(
      amounts.map(({ from, version, leasingRate, salaryConversion }: any) => [
        from,
        version,
        leasingRate,
        salaryConversion,
      ]),
      [
        [null, 1, '98.10', '83.10'],
        ['2026-03', 2, '108.10', '88.10'],
      ],
    );
    const [{ listPrice, leasingRate, comment }] = versions;
    assert.deepEqual([listPrice, leasingRate, comment], [null, '108.10', 'Zubehör']);
  });

  test('200: the list price changes the taxable benefit', async () => {
    const { id } = await stored();
    const { body } = await change(id, { from: '2026-03', listPrice: '4000.00' });
    assert.equal(body.order.contract.taxableBenefit, '10.00');
  });

  test('200: a version of an earlier month leaves what a later one changes, and withdrawing takes only its own back', async () => {
    const { id } = await stored();
    const first = (await change(id, { from: '2026-06', leasingRate: '110.00' })).body;
    await change(id, { from: '2026-03', serviceRate: '6.00', leasingRate: '100.00' });
    const amountsOf = ({ contractRecord: { amounts } }: any) =>
      amounts.map((each: any) => [each.from, each.leasingRate, each.serviceRate]);
    assert.deepEqual(amountsOf((await read(id)).body), [
      [null, '98.10', '5.00'],
      ['2026-03', '100.00', '6.00'],
      ['2026-06', '110.00', '6.00'],
    ]);
    const { status, body } = await withdraw(id, first.contractRecord.versions[0].id);
    assert.equal(status, 200);
    assert.deepEqual(amountsOf(body), [
      [null, '98.10', '5.00'],
      ['2026-03', '100.00', '6.00'],
    ]);
    assert.equal(body.order.contract.leasingRate, '100.00');
    assert.equal(body.contractRecord.versions.length, 2);
  });

  test('200: of one month, the later version adds to the earlier one', async () => {
    const { id } = await stored();
    await change(id, { from: '2026-03', leasingRate: '100.00' });
    const { body } = await change(id, { from: '2026-03', serviceRate: '6.00' });
    const [, { from, version, leasingRate, serviceRate }] = body.contractRecord.amounts;
    assert.deepEqual([from, version, leasingRate, serviceRate], ['2026-03', 3, '100.00', '6.00']);
  });

  test('200: the amounts that a month has already change nothing', async () => {
    const { id } = await stored();
    await change(id, past);
    const before = await stateOf(fixture.sql);
    assert.equal((await change(id, past)).body.contractRecord.versions.length, 1);
    assert.equal(await stateOf(fixture.sql), before);
  });

  const invalid: [name: string, body: object, message: RegExp][] = [
    ['a month before the contract', { ...past, from: '2025-12' }, /^from must be/],
    ['a month after the contract', { ...past, from: '2029-02' }, /^from must be/],
    ['no amount', { from: '2026-03' }, /^Send at least one/],
    ['a subsidy above its rate', { from: '2026-03', serviceRateSubsidy: '5.01' }, /serviceRateSubsidy/],
    ['a negative rate', { from: '2026-03', leasingRate: '-1.00' }, /leasingRate/],
  ];
  for (const [name, body, message] of invalid)
    test(`422 VALIDATION_ERROR: ${name}`, async () => {
      const { id } = await stored();
      assert.match(await rejected(() => change(id, body), [422, 'VALIDATION_ERROR']), message);
    });
});

describe('DELETE …/contract-versions/{versionId}', () => {
  test('409 INVALID_STATE_TRANSITION: it was withdrawn already', async () => {
    const { id } = await stored();
    const { body } = await change(id, { from: '2026-03', leasingRate: '100.00' });
    const version = body.contractRecord.versions[0].id;
    await withdraw(id, version);
    await rejected(() => withdraw(id, version), [409, 'INVALID_STATE_TRANSITION']);
  });

  test('404 NOT_FOUND: the contract has no such version', async () => {
    const { id } = await stored();
    await rejected(() => withdraw(id, 'f'.repeat(24)), [404, 'NOT_FOUND']);
  });

  test('422 VALIDATION_ERROR: a later version does not fit without it', async () => {
    const { id } = await stored();
    const { body } = await change(id, { from: '2026-03', leasingRate: '200.00' });
    await change(id, { from: '2026-04', leasingRateSubsidy: '150.00' });
    const version = body.contractRecord.versions[0].id;
    const message = await rejected(() => withdraw(id, version), [422, 'VALIDATION_ERROR']);
    assert.match(message, /^From 2026-04: leasingRateSubsidy/);
  });
});

describe('a version of a later month', () => {
  const nextYear = `${new Date().getUTCFullYear() + 1}`;
  const from = `${nextYear}-01`;
  const runJob = () => showVersions(fixture.sql, fixture.testData.organization);

  test('is recorded at once, and shown by the scheduled job in its month, once', async () => {
    const order = await stored();
    const { body } = await change(order.id, { from, leasingRate: '120.00' });
    assert.deepEqual(body.order, { ...order, updatedAt: body.order.updatedAt });
    await runJob();
    assert.deepEqual(await publicly(order.id), body.order);
    await letMonthCome(fixture.sql, order.id, from);
    const due = await versionJob.inspect(fixture.sql.database.writes);
    assert.deepEqual(
      due.map(({ organizationId, count }) => [organizationId, count]),
      [[fixture.testData.organization, 1]],
    );
    await runJob();
    const shown = await publicly(order.id);
    assert.deepEqual([shown.contract!.leasingRate, shown.contract!.salaryConversion], ['120.00', '105.00']);
    assert.ok(shown.updatedAt > body.order.updatedAt);
    assert.deepEqual(await versionJob.inspect(fixture.sql.database.writes), []);
    const [audited] = await fixture.sql`
      SELECT actor_type, fields FROM audit WHERE target_id = ${order.id} AND action = 'order.apply_version'`;
    assert.deepEqual(audited, { actor_type: 'system', fields: ['contract'] });
  });

  test('is never shown after it was withdrawn', async () => {
    const { id } = await stored();
    const { body } = await change(id, { from, leasingRate: '120.00' });
    await letMonthCome(fixture.sql, id, from);
    const withdrawn = await withdraw(id, body.contractRecord.versions[0].id);
    await runJob();
    assert.deepEqual(await publicly(id), withdrawn.body.order);
    assert.deepEqual(await versionJob.inspect(fixture.sql.database.writes), []);
  });
});
