import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { holdsOf, type KeptIncident, type KeptOrder, possibleFrom } from '../../src/privacy/retention.ts';

const retention = { voucherYears: 6, otherDays: 90 };
const today = '2026-11-22';

const order = (
  status: KeptOrder['status'],
  endDate: string | null,
  updatedAt = '2026-03-01T12:00:00.000Z',
) => ({
  orderNumber: 'A-1',
  status,
  contract: endDate === 'none' ? null : { endDate },
  updatedAt,
});

const incident = (status: KeptIncident['status'], updatedAt: string) => ({
  incidentNumber: 'S-1',
  status,
  updatedAt,
});

function from(
  orders: readonly KeptOrder[],
  incidents: readonly KeptIncident[] = [],
  day = today,
  lastMonth: string | null = null,
): string | null {
  return possibleFrom(holdsOf({ orders, incidents, payroll: { lastMonth } }, retention, day), day);
}

describe('data of a person are kept', () => {
  test('for six whole years behind the year in which a contract ended', () => {
    assert.equal(from([order('completed', '2020-12-31')]), '2027-01-01');
    assert.equal(from([order('completed', '2021-01-01')]), '2028-01-01');
    assert.equal(
      from([order('completed', '2019-12-31')]),
      today,
      'they were kept until the last day of 2025',
    );
    assert.equal(from([order('completed', '2019-12-31')], [], '2025-12-31'), '2026-01-01');
  });

  test('by the last change, where a completed contract has no last day', () => {
    assert.equal(from([order('completed', null, '2022-05-05T12:00:00.000Z')]), '2029-01-01');
  });

  test('for so many days behind the last change of orders without vouchers and of incidents', () => {
    const changed = '2026-09-30T23:59:59.999Z';
    for (const status of ['rejected', 'cancelled', 'expired'] as const)
      assert.equal(from([order(status, '2031-01-01', changed)]), '2026-12-29', status);
    assert.equal(from([order('completed', 'none', changed)]), '2026-12-29');
    assert.equal(from([], [incident('resolved', changed)]), '2026-12-29');
    assert.equal(from([], [incident('draft', '2026-08-01T00:00:00.000Z')]), today);
  });

  test('as long as the end is unknown, while an order is in progress', () => {
    for (const status of ['under_review', 'approved', 'ready_for_pickup'] as const)
      assert.equal(from([order(status, '2029-01-01')]), null, status);
    assert.equal(from([order('active', null)]), null);
    assert.equal(from([order('active', '2019-09-30')]), null, 'it goes on behind its end');
    assert.equal(from([], [incident('in_progress', '2020-01-01T00:00:00.000Z')]), null);
    assert.equal(from([order('completed', '2024-01-01'), order('approved', null)]), null);
  });

  test('without a known end, where a contract that never ends has the last day there is', () => {
    assert.equal(from([order('active', '9999-12-31')]), null);
    assert.equal(from([order('completed', '9999-12-31')]), null);
    assert.equal(from([order('completed', '9992-12-31')]), '9999-01-01');
  });

  test('for six whole years behind the year of the last amount that payroll exported', () => {
    assert.equal(from([], [], '2026-12-31', '2020-03'), '2027-01-01');
    assert.equal(from([], [], '2027-01-01', '2020-03'), '2027-01-01');
    assert.equal(from([order('completed', '2019-09-30')], [], '2026-11-24', '2021-01'), '2028-01-01');
  });

  test('until the last of all reasons is over', () => {
    assert.equal(from([order('active', '2029-06-30'), order('completed', '2024-01-01')]), '2036-01-01');
  });

  test('not at all, where there is nothing', () => {
    assert.deepEqual(
      holdsOf({ orders: [], incidents: [], payroll: { lastMonth: null } }, retention, today),
      [],
    );
    assert.equal(from([]), today);
  });
});
