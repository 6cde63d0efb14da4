import assert from 'node:assert/strict';
import { test } from 'node:test';
import { payrollKinds } from '@kontor/contract';
import fc from 'fast-check';
import { type Basis, owedMonths } from '../../../src/features/payroll/owed.ts';
import { lastDayOfTerm } from '../../../src/lib/calendar.ts';
import { amount } from '../../../src/lib/money.ts';
import { dayMilliseconds, expectedByDays, iso } from './oracle.ts';

const contract: Basis = {
  contractNumber: 'LV-1',
  startDate: '2025-02-15',
  endDate: '2028-02-14',
  termMonths: 36,
  salaryConversion: '89.53',
  taxableBenefit: '8.00',
  employerSubsidy: '10.00',
  suspensions: [],
  benefitProRata: false,
};

const owedOf = (basis: Basis, until = '9999-12') => [...owedMonths(basis, until)];
const conversionOf = (basis: Basis, month: string) =>
  amount(owedOf(basis).find(owed => owed.month === month)!.owed.salary_conversion);

test('a full month owes the rate, a part month its days', () => {
  assert.equal(conversionOf(contract, '2025-02'), '44.77');
  assert.equal(conversionOf(contract, '2025-03'), '89.53');
  const from20th = { ...contract, startDate: '2025-09-20', endDate: lastDayOfTerm('2025-09-20', 36)! };
  assert.equal(conversionOf(from20th, '2025-09'), amount((8953n * 11n * 2n + 30n) / 60n));
});

test('the last month of a whole term takes what the term still lacks', () => {
  const months = owedOf(contract);
  assert.equal(months.at(-1)!.rule, 'remainder');
  const sum = months.reduce((total, { owed }) => total + owed.salary_conversion, 0n);
  assert.equal(amount(sum), amount(8953n * 36n));
  assert.equal(conversionOf(contract, '2028-02'), '44.76');
});

test('an early end takes no remainder', () => {
  const ended = { ...contract, endDate: '2026-06-10' };
  assert.equal(conversionOf(ended, '2026-06'), '29.84');
  assert.equal(owedOf(ended).at(-1)!.rule, 'part_month');
});

test('months after the term owe by days', () => {
  const longer = { ...contract, endDate: '2028-03-31' };
  assert.deepEqual(
    owedOf(longer)
      .slice(-2)
      .map(({ month, rule }) => [month, rule]),
    [
      ['2028-02', 'full_month'],
      ['2028-03', 'after_term'],
    ],
  );
});

test('the taxable benefit of a part month is owed in full, or by days where the tenant says so', () => {
  assert.equal(owedOf(contract)[0]!.owed.taxable_benefit, 800n);
  assert.equal(owedOf(contract).at(-1)!.owed.taxable_benefit, 800n);
  const proRata = owedOf({ ...contract, benefitProRata: true });
  assert.equal(proRata[0]!.owed.taxable_benefit, 400n);
  assert.equal(
    proRata.reduce((sum, { owed }) => sum + owed.taxable_benefit, 0n),
    800n * 36n,
  );
});

test('a leave that suspends owes nothing for its days, an open one until its end is set', () => {
  const leave = { from: '2025-06-16', to: '2025-08-31' };
  const months = owedOf({ ...contract, suspensions: [leave] }, '2025-09');
  assert.deepEqual(
    months
      .slice(4)
      .map(({ owed, suspended }) => [amount(owed.salary_conversion), amount(suspended.salary_conversion)]),
    [
      ['44.76', '44.77'],
      ['0.00', '89.53'],
      ['0.00', '89.53'],
      ['89.53', '0.00'],
    ],
  );
  assert.equal(months[4]!.owed.taxable_benefit, 800n);
  assert.equal(months[5]!.owed.taxable_benefit, 0n);
  const open = { ...contract, suspensions: [{ ...leave, to: null }] };
  assert.ok(
    owedOf(open)
      .slice(5)
      .every(({ owed }) => payrollKinds.every(kind => owed[kind] === 0n)),
  );
});

test('a last month that is suspended whole owes nothing', () => {
  const leave = { from: '2028-02-01', to: '2028-02-29' };
  assert.equal(owedOf({ ...contract, suspensions: [leave] }).at(-1)!.owed.salary_conversion, 0n);
});

const anyDay = fc
  .integer({ min: 0, max: 1500 })
  .map(days => iso(Date.UTC(2024, 0, 1) + days * dayMilliseconds));

const anyBasis: fc.Arbitrary<Basis> = fc
  .record({
    startDate: anyDay,
    termMonths: fc.integer({ min: 1, max: 40 }),
    endShift: fc.oneof(fc.constant(0), fc.integer({ min: -400, max: 100 })),
    conversion: fc.bigInt({ min: 0n, max: 99_999n }),
    subsidy: fc.bigInt({ min: 0n, max: 9_999n }),
    benefitProRata: fc.boolean(),
    leaves: fc.array(fc.tuple(anyDay, fc.option(fc.integer({ min: 0, max: 200 }))), { maxLength: 3 }),
  })
  .map(({ startDate, termMonths, endShift, conversion, subsidy, benefitProRata, leaves }) => {
    const end = Date.parse(lastDayOfTerm(startDate, termMonths)!) + endShift * dayMilliseconds;
    return {
      ...contract,
      startDate,
      termMonths,
      endDate: iso(Math.max(end, Date.parse(startDate))),
      salaryConversion: amount(conversion),
      employerSubsidy: amount(subsidy),
      benefitProRata,
      suspensions: leaves.map(([from, length]) => ({
        from,
        to: length === null ? null : iso(Date.parse(from) + length * dayMilliseconds),
      })),
    };
  });

test('each month owes what exact fractions of its days say', () => {
  fc.assert(
    fc.property(anyBasis, basis => {
      const owed = new Map(owedOf(basis).map(month => [month.month, month.owed.salary_conversion]));
      assert.deepEqual(owed, expectedByDays(basis, BigInt(basis.salaryConversion.replace('.', ''))));
    }),
    { numRuns: 500 },
  );
});

test('a whole term sums to rate times months less what is suspended, and no month owes less than nothing', () => {
  fc.assert(
    fc.property(anyBasis, basis => {
      const months = owedOf(basis);
      for (const kind of ['salary_conversion', 'employer_subsidy'] as const) {
        const rate = BigInt(
          (kind === 'salary_conversion' ? basis.salaryConversion : basis.employerSubsidy).replace('.', ''),
        );
        for (const { owed, suspended, rule, suspendedDays } of months) {
          assert.ok(owed[kind] >= 0n && suspended[kind] >= -1n);
          if (rule === 'full_month' && suspendedDays === 0) assert.equal(owed[kind], rate);
        }
        const sum = months.reduce((total, { owed, suspended }) => total + owed[kind] + suspended[kind], 0n);
        if (basis.endDate === lastDayOfTerm(basis.startDate, basis.termMonths))
          assert.equal(sum, rate * BigInt(basis.termMonths));
      }
    }),
    { numRuns: 500 },
  );
});
