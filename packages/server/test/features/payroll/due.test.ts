import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findDueMonth } from '../../../src/features/payroll/due.ts';
import type { SettingsVersion } from '../../../src/features/payroll/computation/facts.ts';
import { settings } from './facts.ts';

type State = Parameters<typeof findDueMonth>[0];

/** Settings from January on, and later ones where there are any. */
function state(
  { firstPeriod = '2026-01', cutOffDay = null }: Partial<SettingsVersion>,
  { released = null, later = [] }: { released?: string | null; later?: Partial<SettingsVersion>[] } = {},
): State {
  const first = { ...settings, firstPeriod, from: firstPeriod, cutOffDay };
  return { versions: [first, ...later.map(more => ({ ...first, ...more }))], released };
}

const cases: readonly [string, State, string, string | null][] = [
  ['the day after the cut-off day', state({ cutOffDay: 20 }), '2026-11-21T00:00:00Z', '2026-11'],
  ['on the cut-off day still the month before', state({ cutOffDay: 20 }), '2026-11-20T23:59:59Z', '2026-10'],
  [
    'a cut-off day that the month lacks is its last day',
    state({ cutOffDay: 31 }),
    '2026-12-01T00:00:00Z',
    '2026-11',
  ],
  ['without a cut-off day from the first of the month on', state({}), '2026-11-01T00:00:00Z', '2026-11'],
  ['a released month is not due', state({}, { released: '2026-11' }), '2026-11-28T00:00:00Z', null],
  ['nor is one before the first period', state({ firstPeriod: '2026-12' }), '2026-11-28T00:00:00Z', null],
  [
    'the cut-off day is that of the settings of the month, not of later ones',
    state({ cutOffDay: 20 }, { later: [{ from: '2026-12', cutOffDay: null }] }),
    '2026-11-20T12:00:00Z',
    '2026-10',
  ],
];

for (const [rule, of, now, month] of cases)
  test(`a month whose payroll is due: ${rule}`, () => {
    const due = findDueMonth(of, new Date(now));
    assert.equal(due?.month ?? null, month);
    if (due) assert.ok(due.at <= new Date(now));
  });
