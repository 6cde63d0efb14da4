import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { lastDayOfTerm } from '../../../src/lib/calendar.ts';

describe('the last day of a term', () => {
  const cases: [startDate: string, months: number, last: string | null][] = [
    ['2026-10-01', 36, '2029-09-30'],
    ['2026-10-15', 1, '2026-11-14'],
    ['2026-12-01', 1, '2026-12-31'],
    ['2024-02-29', 12, '2025-02-28'],
    ['2024-02-29', 48, '2028-02-28'],
    ['2027-03-01', 12, '2028-02-29'],
    ['2026-01-31', 1, '2026-02-28'],
    ['2026-01-30', 1, '2026-02-28'],
    ['2028-01-30', 1, '2028-02-29'],
    ['2026-01-31', 3, '2026-04-30'],
    ['0001-01-01', 12, '0001-12-31'],
    ['9999-01-01', 12, '9999-12-31'],
    ['9999-01-02', 12, null],
    ['2026-01-01', Number.MAX_SAFE_INTEGER, null],
  ];
  for (const [startDate, months, last] of cases)
    test(`${months} months from ${startDate}: ${last ?? 'none that has a name'}`, () =>
      assert.equal(lastDayOfTerm(startDate, months), last));
});
