import assert from 'node:assert/strict';
import { test } from 'node:test';
import { payrollKinds } from '@kontor/contract';
import fc from 'fast-check';
import { type Basis, owedMonths } from '../../../src/features/payroll/computation/owed.ts';
import { lastDayOfTerm } from '../../../src/lib/calendar.ts';
import { amount } from '../../../src/lib/money.ts';
import { dayMilliseconds, expectedOwed, iso } from './oracle.ts';

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
      ['44.77', '44.76'],
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

const anyLeave = fc.record({
  from: anyDay,
  length: fc.option(fc.integer({ min: 0, max: 200 })),
  kinds: fc.option(fc.uniqueArray(fc.constantFrom(...payrollKinds), { minLength: 1 })),
});

const anyMonth = anyDay.map(day => day.slice(0, 7));
const anyRates = fc.record({
  salaryConversion: fc.bigInt({ min: 0n, max: 99_999n }).map(amount),
  taxableBenefit: fc.bigInt({ min: 0n, max: 99n }).map(euros => amount(euros * 100n)),
  employerSubsidy: fc.bigInt({ min: 0n, max: 9_999n }).map(amount),
});
const ascending = <Value extends { from: string }>(values: Value[]) =>
  values.toSorted((one, other) => (one.from < other.from ? -1 : 1));

const anyBasis: fc.Arbitrary<Basis> = fc
  .record({
    startDate: anyDay,
    termMonths: fc.integer({ min: 1, max: 40 }),
    endShift: fc.oneof(fc.constant(0), fc.integer({ min: -400, max: 100 })),
    rates: anyRates,
    changes: fc.uniqueArray(fc.record({ from: anyMonth, rates: anyRates }), {
      selector: ({ from }) => from,
      maxLength: 3,
    }),
    benefitProRata: fc.boolean(),
    rules: fc.uniqueArray(
      fc.record({
        from: anyMonth,
        partMonth: fc.constantFrom('calendar_days', 'thirty_days', 'whole_month', 'next_month'),
        benefitProRata: fc.boolean(),
      }),
      { selector: ({ from }) => from, maxLength: 2 },
    ),
    leaves: fc.array(anyLeave, { maxLength: 3 }),
  })
  .map(({ startDate, termMonths, endShift, rates, changes, benefitProRata, rules, leaves }) => {
    const end = Date.parse(lastDayOfTerm(startDate, termMonths)!) + endShift * dayMilliseconds;
    return {
      ...contract,
      startDate,
      termMonths,
      endDate: iso(Math.max(end, Date.parse(startDate))),
      ...rates,
      changes: ascending(changes).map(({ from, rates }, index) => ({ from, version: index + 2, ...rates })),
      benefitProRata,
      rules: ascending(rules),
      suspensions: leaves.map(({ from, length, kinds }) => ({
        from,
        to: length === null ? null : iso(Date.parse(from) + length * dayMilliseconds),
        ...(kinds && { kinds }),
      })),
    };
  });

test('each month owes what exact fractions of its days say', () => {
  fc.assert(
    fc.property(anyBasis, fc.constantFrom(...payrollKinds), (basis, kind) => {
      const owed = new Map(owedOf(basis).map(month => [month.month, month.owed[kind]]));
      assert.deepEqual(owed, expectedOwed(basis, kind));
    }),
    { numRuns: 1000 },
  );
});

test('a change of rates counts from its month on, and names its version', () => {
  const changed = {
    ...contract,
    changes: [{ from: '2025-06', version: 2, ...contract, salaryConversion: '100.00' }],
  };
  assert.deepEqual(
    owedOf(changed, '2025-07')
      .slice(3)
      .map(({ owed, version }) => [amount(owed.salary_conversion), version]),
    [
      ['89.53', 1],
      ['100.00', 2],
      ['100.00', 2],
    ],
  );
});

test('a part month is owed by the rule of the company', () => {
  const first = (partMonth: 'thirty_days' | 'whole_month' | 'next_month', startDate: string) => {
    const endDate = lastDayOfTerm(startDate, 36)!;
    const months = owedOf({
      ...contract,
      startDate,
      endDate,
      rules: [{ from: '2000-01', partMonth, benefitProRata: false }],
    });
    const sum = months.reduce((total, { owed }) => total + owed.salary_conversion, 0n);
    assert.equal(sum, 8953n * 36n, 'the term is owed in full');
    return [months[0]!, months.at(-1)!].map(({ owed, rule }) => [amount(owed.salary_conversion), rule]);
  };
  // 17 days of March: 89.53 × 17/30.
  assert.deepEqual(first('thirty_days', '2025-03-15'), [
    ['50.73', 'thirty_days'],
    ['38.80', 'remainder'],
  ]);
  assert.deepEqual(first('whole_month', '2025-03-15'), [
    ['89.53', 'whole_month'],
    ['0.00', 'remainder'],
  ]);
  assert.deepEqual(first('next_month', '2025-03-15'), [
    ['0.00', 'next_month'],
    ['89.53', 'remainder'],
  ]);
});

test('a leave takes off the kinds that it names: the benefit of a bike that is kept goes on', () => {
  const leave = { from: '2025-06-16', to: null, kinds: ['salary_conversion', 'employer_subsidy'] as const };
  const july = owedOf({ ...contract, suspensions: [leave] }, '2025-07').at(-1)!;
  assert.deepEqual(july.owed, { salary_conversion: 0n, taxable_benefit: 800n, employer_subsidy: 0n });
  assert.deepEqual(july.suspendedDays, { salary_conversion: 31, taxable_benefit: 0, employer_subsidy: 31 });
});

test('a leave moves no cent of a month that it does not touch', () => {
  fc.assert(
    fc.property(anyBasis, anyDay, fc.integer({ min: 0, max: 60 }), (basis, from, length) => {
      const to = iso(Date.parse(from) + length * dayMilliseconds);
      const before = owedOf({ ...basis, suspensions: [] });
      const after = owedOf({ ...basis, suspensions: [{ from, to }] });
      for (const [index, { month, owed }] of before.entries())
        if (month < from.slice(0, 7) || month > to.slice(0, 7)) assert.deepEqual(after[index]!.owed, owed);
    }),
    { numRuns: 300 },
  );
});

test('a whole term sums to rate times months less what is suspended, and no month owes less than nothing', () => {
  fc.assert(
    fc.property(anyBasis, basis => {
      const months = owedOf(basis);
      for (const kind of ['salary_conversion', 'employer_subsidy'] as const) {
        for (const { owed, suspended, rates, rule, suspendedDays } of months) {
          assert.ok(owed[kind] >= 0n && suspended[kind] >= 0n);
          if (rule === 'full_month' && suspendedDays[kind] === 0) assert.equal(owed[kind], rates[kind]);
        }
        const sum = months.reduce((total, { owed, suspended }) => total + owed[kind] + suspended[kind], 0n);
        const runsItsTerm = basis.endDate === lastDayOfTerm(basis.startDate, basis.termMonths);
        if (runsItsTerm && basis.changes!.length === 0)
          assert.equal(sum, months[0]!.rates[kind] * BigInt(basis.termMonths));
      }
    }),
    { numRuns: 500 },
  );
});
