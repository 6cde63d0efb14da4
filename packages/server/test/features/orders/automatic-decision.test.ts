import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Order, OrderContract } from '@kontor/contract';
import fc from 'fast-check';
import {
  automaticStep,
  decideAutomatically,
  completeRule,
} from '../../../src/features/orders/decision-rules/rule.ts';

const at = new Date('2026-10-01T12:00:00.000Z');

/** An order under review with rates of so many cents a month in total. */
function orderOf(cents: number, more: Partial<Order> = {}): Order {
  const contract = {
    leasingRate: inEuro(cents - 2 * Math.floor(cents / 3)),
    insuranceRate: inEuro(Math.floor(cents / 3)),
    serviceRate: inEuro(Math.floor(cents / 3)),
    leasingRateSubsidy: '0.00',
  } as OrderContract;
  const submittedAt = '2026-10-01T11:00:00.000Z';
  return { status: 'under_review', hrHistory: null, contract, submittedAt, ...more } as Order;
}

const inEuro = (cents: number) => (cents / 100).toFixed(2);
const rule = { approveUpTo: '120.00', rejectAbove: '200.00', withinDays: 30 };
const person = { blocked: false };

describe('a rule for automatic decisions', () => {
  const cases: [name: string, cents: number, expected: string | null][] = [
    ['approves the rate that it names', 12_000, 'approved'],
    ['leaves one cent more to people', 12_001, null],
    ['leaves the rate that it rejects above to people', 20_000, null],
    ['rejects one cent more', 20_001, 'rejected'],
    ['approves what costs nothing', 0, 'approved'],
  ];
  for (const [name, cents, expected] of cases)
    test(name, () => assert.equal(decideAutomatically(rule, orderOf(cents), at), expected));

  test('counts the rates without the share of the employer, and the service', () => {
    const contract = { ...orderOf(11_000).contract!, leasingRateSubsidy: '90.00', serviceRate: '200.00' };
    assert.equal(decideAutomatically(rule, orderOf(0, { contract }), at), 'rejected');
  });

  test('decides up to the last millisecond of its days, and with none whatever the age', () => {
    const exactly = { submittedAt: '2026-09-01T12:00:00.000Z' };
    const older = { submittedAt: '2026-09-01T11:59:59.999Z' };
    assert.equal(decideAutomatically(rule, orderOf(100, exactly), at), 'approved');
    assert.equal(decideAutomatically(rule, orderOf(100, older), at), null);
    assert.equal(decideAutomatically({ ...rule, withinDays: null }, orderOf(100, older), at), 'approved');
  });

  test('leaves an order without a contract to people', () =>
    assert.equal(decideAutomatically(rule, orderOf(100, { contract: null }), at), null));

  test('that names one limit decides on its side only', () => {
    const approving = { approveUpTo: '1.00', rejectAbove: null, withinDays: null };
    const rejecting = { approveUpTo: null, rejectAbove: '1.00', withinDays: null };
    assert.deepEqual(
      [100, 101].map(cents => decideAutomatically(approving, orderOf(cents), at)),
      ['approved', null],
    );
    assert.deepEqual(
      [100, 101].map(cents => decideAutomatically(rejecting, orderOf(cents), at)),
      [null, 'rejected'],
    );
  });

  test('approves no order of a blocked employee, and rejects it', () => {
    const blocked = { blocked: true };
    assert.equal(automaticStep(rule, { order: orderOf(100), employee: blocked }, at), null);
    assert.equal(automaticStep(rule, { order: orderOf(30_000), employee: blocked }, at)?.to, 'rejected');
  });

  test('takes a step with an order under review only, and uses only what is recorded of it', () => {
    const hrHistory = {
      decision: 'approved',
      decisionBy: null,
      source: 'automatic',
      comment: null,
      decidedAt: at.toISOString(),
    };
    const stepOf = (order: Order) => automaticStep(rule, { order, employee: person }, at);
    assert.deepEqual(stepOf(orderOf(100)), { to: 'approved', hrHistory });
    assert.equal(stepOf(orderOf(15_000)), null);
    for (const status of ['approved', 'expired'] as const)
      assert.equal(stepOf(orderOf(100, { status })), null);
  });

  test('decides by the numbers, for any numbers', () => {
    const cents = fc.nat({ max: 10 ** 9 });
    fc.assert(
      fc.property(fc.option(cents), fc.option(cents), cents, (approve, reject, rate) => {
        fc.pre((approve !== null || reject !== null) && (approve ?? 0) <= (reject ?? Infinity));
        const limits = {
          approveUpTo: approve === null ? null : inEuro(approve),
          rejectAbove: reject === null ? null : inEuro(reject),
        };
        const expected =
          approve !== null && rate <= approve
            ? 'approved'
            : reject !== null && rate > reject
              ? 'rejected'
              : null;
        assert.equal(decideAutomatically(completeRule(limits), orderOf(rate), at), expected);
      }),
    );
  });
});
