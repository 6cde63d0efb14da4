import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findDueMonth } from '../../../src/features/payroll/due.ts';

const cases: readonly [string, Parameters<typeof findDueMonth>[0], string, string | null][] = [
  [
    'the day after the cut-off day',
    { firstPeriod: '2026-01', cutOffDay: 20, released: null },
    '2026-11-21T00:00:00Z',
    '2026-11',
  ],
  [
    'on the cut-off day still the month before',
    { firstPeriod: '2026-01', cutOffDay: 20, released: null },
    '2026-11-20T23:59:59Z',
    '2026-10',
  ],
  [
    'a cut-off day that the month lacks is its last day',
    { firstPeriod: '2026-01', cutOffDay: 31, released: null },
    '2026-12-01T00:00:00Z',
    '2026-11',
  ],
  [
    'without a cut-off day from the first of the month on',
    { firstPeriod: '2026-01', cutOffDay: null, released: null },
    '2026-11-01T00:00:00Z',
    '2026-11',
  ],
  [
    'a released month is not due',
    { firstPeriod: '2026-01', cutOffDay: null, released: '2026-11' },
    '2026-11-28T00:00:00Z',
    null,
  ],
  [
    'nor is one before the first period',
    { firstPeriod: '2026-12', cutOffDay: null, released: null },
    '2026-11-28T00:00:00Z',
    null,
  ],
];

for (const [rule, state, now, month] of cases)
  test(`a month whose payroll is due: ${rule}`, () => {
    const due = findDueMonth(state, new Date(now));
    assert.equal(due?.month ?? null, month);
    if (due) assert.ok(due.at <= new Date(now));
  });
