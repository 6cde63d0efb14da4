import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { assessOrder, type RunTerms } from '../../../src/features/payroll/computation/assess.ts';
import type {
  Departure,
  Leave,
  OrderFacts,
  Released,
  SettingsVersion,
} from '../../../src/features/payroll/computation/facts.ts';
import type { Finding } from '../../../src/features/payroll/computation/findings.ts';
import { formats } from '../../../src/features/payroll/formats/formats.ts';
import { amount } from '../../../src/lib/money.ts';
import { basis, contract, conversionBooking, facts, released, settings, terms } from './facts.ts';
import { leaveRule } from './support.ts';

const off = { export: false, wageType: null, processingKey: null, sign: 'plus' } as const;

/** Only the conversion is exported. */
const conversionOnly: SettingsVersion = {
  ...settings,
  kinds: { ...settings.kinds, taxableBenefit: off, employerSubsidy: off },
};
const only: RunTerms = { ...terms, versions: [conversionOnly] };

/** `settings` are in force in all months. */
type Terms = Partial<RunTerms> & { readonly settings?: SettingsVersion };

function assess(order: Partial<OrderFacts>, { settings: all, ...run }: Terms = {}) {
  return assessOrder({ ...facts, ...order }, { ...only, ...(all && { versions: [all] }), ...run });
}

const entriesOf = (...parts: Parameters<typeof assess>) =>
  assess(...parts).entries.map(({ month, kind, cents }) => [month, kind, amount(cents)]);

/** The findings of these codes, without what they have null. */
function findingsOf(codes: readonly Finding['code'][], ...parts: Parameters<typeof assess>) {
  return assess(...parts).findings.filter(({ code }) => codes.includes(code));
}

const incidentId = 'd'.repeat(24);

const leave = (more: Partial<Leave> = {}): Leave => ({
  incidentId,
  isBikeReturned: null,
  payer: null,
  type: 'parental_leave',
  from: '2026-01-16',
  to: null,
  ...more,
});

describe('kinds', () => {
  test('an exported kind has wage type, processing key and sign of the settings, and the cost centre of the order', () => {
    const { entries, findings, basis: found } = assess({}, { settings });
    assert.deepEqual(entries, [
      {
        month: '2026-01',
        kind: 'salary_conversion',
        cents: 3000n,
        personnelNumber: '1234',
        contractNumber: 'LV-1',
        ...conversionBooking,
        part: 0,
        reverses: null,
      },
      {
        month: '2026-01',
        kind: 'taxable_benefit',
        cents: 800n,
        personnelNumber: '1234',
        contractNumber: 'LV-1',
        wageType: '3020',
        processingKey: '2',
        sign: 1,
        costCenter: '4711',
        part: 0,
        reverses: null,
      },
    ]);
    assert.deepEqual(found, basis);
    assert.deepEqual(
      findings.map(({ code, kind }) => [code, kind]),
      [
        ['starts', 'salary_conversion'],
        ['starts', 'taxable_benefit'],
      ],
    );
  });

  test('a kind that is off has no entry and no finding', () => {
    assert.deepEqual(entriesOf({}), [['2026-01', 'salary_conversion', '30.00']]);
    assert.deepEqual(
      assess({}).findings.map(({ kind }) => kind),
      ['salary_conversion'],
    );
  });

  test('a kind that is neither exported nor off is an error, when it has an amount', () => {
    const unmapped = { ...settings, kinds: { ...conversionOnly.kinds, employerSubsidy: null } };
    const expected = { code: 'unmapped_kind', month: '2026-01', kind: 'employer_subsidy', cents: 1000n };
    assert.deepEqual(findingsOf(['unmapped_kind'], {}, { settings: unmapped }), [expected]);
    assert.deepEqual(entriesOf({}, { settings: unmapped }), [['2026-01', 'salary_conversion', '30.00']]);
    const zero = '0.00';
    const unpaid = {
      ...contract,
      leasingRateSubsidy: zero,
      insuranceRateSubsidy: zero,
      serviceRateSubsidy: zero,
    };
    assert.deepEqual(findingsOf(['unmapped_kind'], { contract: unpaid }, { settings: unmapped }), []);
  });

  test('the subsidy is the sum of three subsidies', () => {
    const exported = { ...settings.kinds.salaryConversion!, wageType: '3030' };
    const all = { ...settings, kinds: { ...settings.kinds, employerSubsidy: exported } };
    assert.deepEqual(entriesOf({}, { settings: all }).at(-1), ['2026-01', 'employer_subsidy', '10.00']);
  });

  test('a kind of 0.00 has no entry', () => {
    const paid = { ...contract, salaryConversion: '0.00', taxableBenefit: '0.00' };
    assert.deepEqual(entriesOf({ contract: paid }, { settings }), []);
  });
});

describe('versions of a contract', () => {
  test('the basis has the amounts of the handover, and those of each later month with its version', () => {
    const { salaryConversion, taxableBenefit, listPrice, ...rest } = contract;
    const agreed = { ...rest, from: null, version: 1, salaryConversion, taxableBenefit, listPrice };
    const later = {
      ...agreed,
      from: '2026-05',
      version: 3,
      leasingRateSubsidy: '6.00',
      salaryConversion: '29.00',
    };
    const shown = { ...contract, leasingRateSubsidy: '6.00', salaryConversion: '29.00' };
    const { basis: found } = assess({ contract: shown, amounts: [agreed, later] });
    const changes = [
      {
        from: '2026-05',
        version: 3,
        salaryConversion: '29.00',
        taxableBenefit: '8.00',
        employerSubsidy: '11.00',
      },
    ];
    assert.deepEqual(found, { ...basis, changes });
  });
});

describe('earlier months', () => {
  const march = { period: '2026-03' };

  test('a month that nothing was released of is late, and booked by the settings of now', () => {
    const order = { released: [released('2026-01', 3000n)] };
    const { entries, findings } = assess(order, march);
    assert.deepEqual(
      entries.map(({ month, cents }) => [month, cents]),
      [
        ['2026-02', 3000n],
        ['2026-03', 3000n],
      ],
    );
    assert.deepEqual(findings, [{ code: 'late', month: '2026-02', kind: 'salary_conversion', cents: 3000n }]);
  });

  test('a correction is the difference, and keeps wage type, key, sign and cost centre of what it corrects', () => {
    const booking = { wageType: '411', processingKey: '04', sign: 1, costCenter: 'OLD' } as const;
    const order = {
      released: [
        released('2026-01', 2500n, { booking }),
        released('2026-02', 3500n, { booking }),
        released('2026-03', 3000n),
      ],
    };
    const { entries, findings } = assess(order, march);
    assert.deepEqual(
      entries.map(({ month, cents, wageType, processingKey, sign, costCenter }) => ({
        month,
        cents,
        booking: { wageType, processingKey, sign, costCenter },
      })),
      [
        { month: '2026-01', cents: 500n, booking },
        { month: '2026-02', cents: -500n, booking },
      ],
    );
    assert.deepEqual(
      findings.map(({ code, month, cents }) => [code, month, cents]),
      [
        ['correction', '2026-01', 500n],
        ['correction', '2026-02', -500n],
      ],
    );
  });

  test('a correction of an entry without a processing key has that of the settings', () => {
    const booking = { wageType: '411', processingKey: null, sign: 1, costCenter: null } as const;
    const { entries } = assess({ released: [released('2026-01', 2500n, { booking })] }, march);
    assert.ok(entries[0]!.processingKey !== null && entries[0]!.wageType === '411');
  });

  test('a month of the period that a run has exported before is corrected too', () => {
    const order = { released: [released('2026-01', 2500n)] };
    assert.deepEqual(
      assess(order).entries.map(({ cents }) => cents),
      [500n],
    );
    assert.equal(findingsOf(['correction'], order).length, 1);
  });

  test('a kind that was switched off later still gets its corrections, but no new months', () => {
    const order = { released: [released('2026-01', 2500n)] };
    for (const salaryConversion of [off, null]) {
      const later = { ...conversionOnly, kinds: { ...conversionOnly.kinds, salaryConversion } };
      assert.deepEqual(entriesOf(order, { ...march, settings: later }), [
        ['2026-01', 'salary_conversion', '5.00'],
      ]);
    }
  });

  test('a month that is no longer owed is taken back', () => {
    const order = {
      contract: { ...contract, startDate: '2026-03-01', endDate: '2029-02-28' },
      released: [released('2026-01', 3000n), released('2026-02', 3000n)],
    };
    assert.deepEqual(entriesOf(order, march), [
      ['2026-01', 'salary_conversion', '-30.00'],
      ['2026-02', 'salary_conversion', '-30.00'],
      ['2026-03', 'salary_conversion', '30.00'],
    ]);
  });

  test('months before the first period are never owed, whatever was released', () => {
    const later = { ...conversionOnly, firstPeriod: '2026-03' };
    const order = { released: [released('2026-01', 1n)] };
    assert.deepEqual(entriesOf(order, { ...march, settings: later }), [
      ['2026-03', 'salary_conversion', '30.00'],
    ]);
  });

  test('months after the period are not owed yet', () => {
    assert.deepEqual(entriesOf({ released: [released('2026-03', 3000n)] }, { period: '2026-02' }), [
      ['2026-01', 'salary_conversion', '30.00'],
      ['2026-02', 'salary_conversion', '30.00'],
    ]);
  });

  test('what is released is not released again', () => {
    const order = { released: ['2026-01', '2026-02', '2026-03'].map(month => released(month, 3000n)) };
    assert.deepEqual(entriesOf(order, march), []);
  });

  test('a settled amount counts as released, and its month is booked by the settings', () => {
    const settled = (cents: bigint) => ({
      released: [released('2026-01', 0n, { paidElsewhere: cents, booking: null })],
    });
    assert.deepEqual(entriesOf(settled(3000n)), []);
    const [entry] = assess(settled(1000n), { period: '2026-02' }).entries;
    assert.deepEqual([entry!.month, entry!.cents, entry!.wageType], ['2026-01', 2000n, '3010']);
    assert.equal(findingsOf(['late'], settled(1000n), { period: '2026-02' }).length, 1);
  });

  test('a leave over a month that was paid elsewhere pays nothing out, and names what is to be settled there', () => {
    const leaves = [leave({ from: '2026-01-01', to: '2026-01-31' })];
    const suspending = { ...settings, leaves: { ...settings.leaves, parentalLeave: leaveRule('suspend') } };
    const named = (sums: object) => {
      const { entries, findings } = assess(
        { leaves, released: [released('2026-01', 0n, sums)] },
        { settings: suspending },
      );
      const overpaid = findings.filter(({ code }) => code === 'paid_elsewhere').map(({ cents }) => cents);
      return [entries.map(({ cents }) => cents), overpaid];
    };
    assert.deepEqual(named({ paidElsewhere: 3000n, booking: null }), [[], [3000n]]);
    assert.deepEqual(named({ exported: 2000n, paidElsewhere: 1000n }), [[-2000n], [1000n]]);
    assert.deepEqual(named({ notOwed: 3000n, booking: null }), [[], []]);
    assert.deepEqual(named({ exported: 1000n, notOwed: 2000n }), [[-1000n], []]);
  });

  test('what an earlier version paid out of a settled amount is not taken back', () => {
    const order = { contract: { ...contract, salaryConversion: '0.00' } };
    const sums = { paidElsewhere: 3000n, booking: conversionBooking };
    assert.deepEqual(entriesOf({ ...order, released: [released('2026-01', -3000n, sums)] }), []);
  });
});

describe('the cut-off', () => {
  const cutOff = new Date('2026-02-20T23:59:59.999Z');
  const changed = { changedAt: new Date(cutOff.getTime() + 1) };
  const february = { period: '2026-02', cutOff };
  const dearer = { ...contract, salaryConversion: '50.00' };

  test('an order that changed up to the cut-off is exported as it is', () => {
    const order = { contract: dearer, changedAt: cutOff, released: [released('2026-01', 3000n)] };
    assert.deepEqual(entriesOf({ ...order, latestBasis: basis }, february), [
      ['2026-01', 'salary_conversion', '20.00'],
      ['2026-02', 'salary_conversion', '50.00'],
    ]);
  });

  test('an order that changed later is exported as it was exported last', () => {
    const order = {
      ...changed,
      contract: dearer,
      released: [released('2026-01', 3000n)],
      latestBasis: basis,
    };
    assert.deepEqual(entriesOf(order, february), [['2026-02', 'salary_conversion', '30.00']]);
    assert.deepEqual(findingsOf(['changed_after_cut_off'], order, february).length, 1);
    assert.deepEqual(entriesOf(order, { period: '2026-02' }), [
      ['2026-01', 'salary_conversion', '20.00'],
      ['2026-02', 'salary_conversion', '50.00'],
    ]);
    assert.deepEqual(findingsOf(['changed_after_cut_off'], order, { period: '2026-02' }), []);
  });

  test('an order that was never exported is left for the next run', () => {
    const { basis: found, entries, findings } = assess(changed, february);
    assert.deepEqual([found, entries, findings], [null, [], [{ code: 'after_cut_off' }]]);
  });

  test('what was settled since the last export is not taken back', () => {
    const settled = released('2026-01', 5000n);
    const settledMonth = released('2026-02', 0n, { paidElsewhere: 5000n, booking: null });
    const order = { ...changed, contract: dearer, latestBasis: basis };
    assert.deepEqual(entriesOf({ ...order, released: [settled, settledMonth] }, february), []);
  });

  test('a month that was left out before is late, as in every run', () => {
    const order = {
      ...changed,
      contract: dearer,
      latestBasis: basis,
      released: [released('2026-02', 3000n)],
    };
    assert.deepEqual(entriesOf(order, { ...february, period: '2026-02' }), [
      ['2026-01', 'salary_conversion', '30.00'],
    ]);
  });
});

describe('orders that cannot be computed', () => {
  const cases: [string, Partial<OrderFacts>, Finding][] = [
    ['an order without contract', { contract: null }, { code: 'no_contract', field: 'contract' }],
    [
      'a contract without a first day',
      { contract: { ...contract, startDate: null } },
      { code: 'no_contract', field: 'startDate' },
    ],
    [
      'a contract that ends after the year 9999',
      { contract: { ...contract, startDate: '9999-01-01', endDate: null } },
      { code: 'no_contract', field: 'endDate' },
    ],
    [
      'a contract that is not in euro',
      { contract: { ...contract, currency: 'CHF' } },
      { code: 'currency', field: 'currency' },
    ],
  ];
  for (const [name, order, finding] of cases)
    test(`${name} has no entries, not even corrections, and one finding`, () => {
      const parts = assess({ ...order, released: [released('2026-01', 1n)] });
      assert.deepEqual(parts, { basis: null, entries: [], findings: [finding], conversion: 0n });
    });

  test('a contract that is not in euro does not matter where no month of it is owed', () => {
    const swiss = { ...contract, currency: 'CHF' };
    const nothing = { basis: null, entries: [], findings: [], conversion: 0n };
    assert.deepEqual(assess({ contract: swiss }, { period: '2025-12' }), nothing);
    const later = { ...conversionOnly, firstPeriod: '2029-01' };
    assert.deepEqual(assess({ contract: swiss }, { settings: later, period: '2029-01' }), nothing);
  });

  test('an S-pedelec is exported like others, and each month that is exported names its benefit', () => {
    const named = (released: Released[]) =>
      assess({ isSPedelec: true, released }, { settings }).findings.filter(
        ({ code }) => code === 's_pedelec',
      );
    assert.deepEqual(entriesOf({ isSPedelec: true }), entriesOf({}));
    assert.deepEqual(named([]), [
      { code: 's_pedelec', month: '2026-01', kind: 'taxable_benefit', cents: 800n },
    ]);
    const { entries } = assess({}, { settings });
    const all = entries.map(({ kind, cents }) => released('2026-01', cents, { kind }));
    assert.deepEqual(named(all), []);
  });

  test('a contract without a last day ends with its term', () => {
    assert.deepEqual(assess({ contract: { ...contract, endDate: null } }).basis, basis);
  });
});

describe('what a format does not take', () => {
  const lodas = { formats: [formats.csv, formats.datev_lodas, formats.datev_lug] };

  test('a missing number leaves out each exported amount, with the amount', () => {
    const order = { employee: { ...facts.employee, employeeNumber: null } };
    assert.deepEqual(entriesOf(order, { period: '2026-02' }), []);
    assert.deepEqual(
      findingsOf(['personnel_number'], order, { period: '2026-02' }),
      ['2026-01', '2026-02'].map(month => ({
        code: 'personnel_number',
        field: 'employeeNumber',
        month,
        kind: 'salary_conversion',
        cents: 3000n,
      })),
    );
  });

  test('a missing number does not matter where nothing is exported', () => {
    const order = { employee: { ...facts.employee, employeeNumber: null } };
    const none = { ...conversionOnly, kinds: { ...conversionOnly.kinds, salaryConversion: off } };
    assert.deepEqual(assess(order, { settings: none }).findings, []);
    assert.deepEqual(
      findingsOf(['personnel_number'], { ...order, released: [released('2026-01', 3000n)] }),
      [],
    );
  });

  test('an amount that one of the formats does not take is in none, and each violation is reported once', () => {
    const order = { employee: { ...facts.employee, employeeNumber: 'E-1' }, costCenter: '123456789' };
    const { entries, findings } = assess(order, lodas);
    assert.deepEqual(entries, []);
    const about = { month: '2026-01', kind: 'salary_conversion', cents: 3000n };
    assert.deepEqual(
      findings.filter(({ code }) => code !== 'starts'),
      [
        { ...about, code: 'personnel_number', field: 'employeeNumber' },
        { ...about, code: 'cost_center', field: 'costCenter' },
      ],
    );
  });

  test('DATEV takes no correction before the previous year, so that none of the formats has it', () => {
    const old = { ...contract, startDate: '2024-12-01', endDate: '2027-11-30' };
    const since = { ...conversionOnly, firstPeriod: '2024-12' };
    const run = { ...lodas, settings: since, period: '2026-01' };
    const order = { contract: old };
    assert.equal(entriesOf(order, run)[0]![0], '2025-01');
    assert.deepEqual(findingsOf(['correction_out_of_range'], order, run), [
      {
        code: 'correction_out_of_range',
        field: 'lodas',
        month: '2024-12',
        kind: 'salary_conversion',
        cents: 3000n,
      },
      {
        code: 'correction_out_of_range',
        field: 'lug',
        month: '2024-12',
        kind: 'salary_conversion',
        cents: 3000n,
      },
    ]);
    assert.equal(entriesOf(order, { ...run, formats: [formats.csv] })[0]![0], '2024-12');
  });

  test('a correction keeps a booking that a format does not take: it is out of range, as no setting can change it', () => {
    const booking = { wageType: '6500', processingKey: null, sign: -1, costCenter: 'too-long-Ł' } as const;
    const order = { released: [released('2026-01', 2500n, { booking })] };
    const about = {
      code: 'correction_out_of_range',
      month: '2026-01',
      kind: 'salary_conversion',
      cents: 500n,
    };
    assert.deepEqual(
      assess(order, { ...lodas, period: '2026-02' }).findings,
      ['costCenter', 'wageType'].map(field => ({ ...about, field })),
    );
    assert.equal(entriesOf(order, { period: '2026-02' })[0]![2], '5.00');
  });
});

describe('leaves', () => {
  const suspended = (leaves: Leave[], run: Terms = {}) => assess({ leaves }, run).entries[0]?.cents ?? 0n;

  test('parental and unpaid leave suspend, the others continue with a question', () => {
    for (const type of ['parental_leave', 'unpaid_leave'] as const) {
      assert.equal(suspended([leave({ type })]), 1452n);
      assert.deepEqual(findingsOf(['leave_rule'], { leaves: [leave({ type })] }), []);
    }
    const fields = { long_term_illness: 'longTermIllness', maternity_leave: 'maternityLeave' } as const;
    for (const [type, field] of Object.entries(fields) as [keyof typeof fields, string][]) {
      assert.equal(suspended([leave({ type })]), 3000n);
      assert.deepEqual(findingsOf(['leave_rule'], { leaves: [leave({ type })] }), [
        { code: 'leave_rule', field, fact: `${incidentId} 2026-01-16 null` },
      ]);
    }
  });

  test('the rule of the tenant is one per type, and no question', () => {
    const rules = {
      ...settings.leaves,
      longTermIllness: leaveRule('suspend'),
      parentalLeave: leaveRule('continue'),
    };
    const run = { settings: { ...conversionOnly, leaves: rules } };
    assert.equal(suspended([leave({ type: 'long_term_illness' })], run), 1452n);
    assert.equal(suspended([leave({ type: 'parental_leave' })], run), 3000n);
    assert.deepEqual(findingsOf(['leave_rule'], { leaves: [leave({ type: 'long_term_illness' })] }, run), []);
  });

  test('an incident that is no leave changes nothing', () => {
    assert.equal(suspended([leave({ type: 'theft' })]), 3000n);
  });

  test('a leave that begins after the period is no question yet', () => {
    const later = leave({ type: 'maternity_leave', from: '2026-02-01' });
    assert.deepEqual(findingsOf(['leave_rule'], { leaves: [later] }), []);
    assert.equal(findingsOf(['leave_rule'], { leaves: [later] }, { period: '2026-02' }).length, 1);
  });

  test('a leave of an order without a month in the run is no question', () => {
    const order = { leaves: [leave({ type: 'maternity_leave' })] };
    const ended = { ...order, contract: { ...contract, endDate: '2026-01-31' } };
    const later = { ...conversionOnly, firstPeriod: '2026-02' };
    const run = { settings: later, period: '2026-02' };
    assert.deepEqual(findingsOf(['leave_rule'], ended, run), []);
    assert.equal(findingsOf(['leave_rule'], order, run).length, 1);
  });

  test('the basis of an order has the days of a leave alone, as it is kept after an erasure', () => {
    const { basis: found } = assess({ leaves: [leave()] });
    assert.deepEqual(found!.suspensions, [{ from: '2026-01-16', to: null }]);
  });

  test('what a leave takes off is listed for the period, and for earlier months that change', () => {
    const leaves = [leave()];
    const exported = [released('2026-01', 3000n), released('2026-02', 0n)];
    const run = { period: '2026-03' };
    const suspendedIn = (order: Partial<OrderFacts>) =>
      findingsOf(['suspended'], order, run).map(({ month, cents }) => [month, cents]);
    assert.deepEqual(suspendedIn({ leaves, released: exported }), [
      ['2026-01', 1548n],
      ['2026-03', 3000n],
    ]);
    const corrected = [released('2026-01', 1452n)];
    assert.deepEqual(suspendedIn({ leaves, released: corrected }), [['2026-03', 3000n]]);
  });
});

describe('differences to the month before', () => {
  const changesOf = (order: Partial<OrderFacts>, period: string) =>
    findingsOf(['starts', 'stops', 'changes', 'end_after_term'], order, { period }).map(
      ({ code, month, kind, cents }) => [code, month, kind, cents],
    );

  test('the first month starts, and a month like the one before has no finding', () => {
    assert.deepEqual(changesOf({}, '2026-01'), [['starts', '2026-01', 'salary_conversion', 3000n]]);
    assert.deepEqual(changesOf({}, '2026-02'), []);
  });

  test('the month behind the last one ends', () => {
    const early = { contract: { ...contract, endDate: '2026-03-10' } };
    assert.deepEqual(changesOf(early, '2026-03'), [['changes', '2026-03', 'salary_conversion', -2032n]]);
    assert.deepEqual(changesOf(early, '2026-04'), [['stops', '2026-04', 'salary_conversion', -968n]]);
    assert.deepEqual(changesOf(early, '2026-05'), []);
  });

  test('a leave that suspends ends the amounts, and its end starts them', () => {
    const leaves = [leave({ from: '2026-02-01', to: '2026-02-28' })];
    assert.deepEqual(changesOf({ leaves }, '2026-02'), [['stops', '2026-02', 'salary_conversion', -3000n]]);
    assert.deepEqual(changesOf({ leaves }, '2026-03'), [['starts', '2026-03', 'salary_conversion', 3000n]]);
  });

  test('a month after the term is reported', () => {
    const longer = { contract: { ...contract, endDate: '2029-01-15' } };
    assert.deepEqual(changesOf(longer, '2029-01'), [
      ['end_after_term', '2029-01', undefined, undefined],
      ['changes', '2029-01', 'salary_conversion', -1548n],
    ]);
  });
});

describe('rules of leaves', () => {
  const kinds = ['salary_conversion', 'taxable_benefit', 'employer_subsidy'];
  const suspendedBy = (rule: SettingsVersion['leaves']['parentalLeave'], more: Partial<Leave> = {}) => {
    const leaves = { ...settings.leaves, parentalLeave: rule };
    return assess({ leaves: [leave(more)] }, { versions: [{ ...settings, leaves }] }).basis!.suspensions;
  };
  const conversionOnlyRule = { ...leaveRule('continue'), salaryConversion: 'suspend' } as const;

  test('a leave suspends the kinds of its rule; one that suspends all names none, as in earlier runs', () => {
    assert.deepEqual(suspendedBy(leaveRule('suspend')), [{ from: '2026-01-16', to: null }]);
    assert.deepEqual(suspendedBy(conversionOnlyRule), [
      { from: '2026-01-16', to: null, kinds: ['salary_conversion'] },
    ]);
    assert.deepEqual(suspendedBy(leaveRule('continue')), []);
  });

  test('a bike that was given back suspends the benefit, whatever the rule says', () => {
    const back = { isBikeReturned: true };
    assert.deepEqual(suspendedBy(conversionOnlyRule, back)[0]!.kinds, kinds.slice(0, 2));
    assert.deepEqual(suspendedBy(leaveRule('continue'), back)[0]!.kinds, ['taxable_benefit']);
    assert.deepEqual(suspendedBy(conversionOnlyRule, { isBikeReturned: false })[0]!.kinds, kinds.slice(0, 1));
  });

  test('a kind without a rule is asked about, unless it is not exported', () => {
    const without = (name: 'taxableBenefit' | 'employerSubsidy') => {
      const parentalLeave = { ...leaveRule('suspend'), [name]: null };
      const run = { versions: [{ ...settings, leaves: { ...settings.leaves, parentalLeave } }] as const };
      return findingsOf(['leave_rule'], { leaves: [leave()] }, run).length;
    };
    assert.equal(without('taxableBenefit'), 1);
    assert.equal(settings.kinds.employerSubsidy!.export, false);
    assert.equal(without('employerSubsidy'), 0);
  });

  test('each kind that a leave takes off is listed with its payer: that of the incident, else of the settings', () => {
    const parentalLeave = { ...leaveRule('suspend'), payer: 'employee' } as const;
    const run = { versions: [{ ...settings, leaves: { ...settings.leaves, parentalLeave } }] as const };
    const payers = (more: Partial<Leave>) =>
      findingsOf(['suspended'], { leaves: [leave({ from: '2026-01-01', ...more })] }, run).map(
        ({ kind, cents, payer }) => [kind, cents, payer],
      );
    assert.deepEqual(payers({}), [
      ['salary_conversion', 3000n, 'employee'],
      ['taxable_benefit', 800n, 'employee'],
    ]);
    assert.deepEqual(
      payers({ payer: 'insurer' }).map(([, , payer]) => payer),
      ['insurer', 'insurer'],
    );
  });
});

describe('questions about persons', () => {
  const codes = ['blocked', 'left', 'retired', 'deceased', 'employer_changed'] as const;
  const asked = (...parts: Parameters<typeof assess>) => findingsOf(codes, ...parts).map(({ code }) => code);
  const departure = (type: Departure['type'], on: string | null) => ({ incidentId, type, on });

  test('a blocked person and one who has left are asked about while the order owes something', () => {
    assert.deepEqual(asked({ isBlocked: true }), ['blocked']);
    const causes = [
      ['termination', 'left'],
      ['retirement', 'retired'],
      ['death', 'deceased'],
      ['employer_change', 'employer_changed'],
    ] as const;
    for (const [type, code] of causes)
      assert.deepEqual(asked({ departures: [departure(type, '2026-01-10')] }), [code]);
    const ended = { contract: { ...contract, endDate: '2026-01-31' }, isBlocked: true };
    assert.deepEqual(asked(ended, { period: '2026-02' }), []);
  });

  test('nobody is asked about who leaves later, or whose order ends with the month of leaving', () => {
    const departures = [departure('termination', '2026-02-15')];
    assert.deepEqual(asked({ departures }), []);
    assert.deepEqual(asked({ departures }, { period: '2026-02' }), ['left']);
    const early = { ...contract, endDate: '2026-02-15' };
    assert.deepEqual(asked({ departures, contract: early }, { period: '2026-02' }), []);
  });

  test('another day is another fact, so that it is asked about again', () => {
    const factOf = (on: string) => findingsOf(codes, { departures: [departure('death', on)] })[0]!.fact;
    assert.equal(factOf('2026-01-10'), factOf('2026-01-10'));
    assert.notEqual(factOf('2026-01-10'), factOf('2026-01-11'));
  });
});

describe('questions about leaves', () => {
  const codes = ['leave_open', 'leave_before_contract', 'leave_far', 'leave_takes_back'] as const;
  const asked = (more: Partial<Leave>, order: Partial<OrderFacts> = {}, run: Partial<RunTerms> = {}) =>
    findingsOf(codes, { leaves: [leave(more)], ...order }, run).map(({ code }) => code);
  const ended = { from: '2026-01-16', to: '2026-01-31' };

  test('a leave without an end is asked about from its first month, if it takes something off', () => {
    assert.deepEqual(asked({}), ['leave_open']);
    assert.deepEqual(asked(ended), []);
    assert.deepEqual(asked({ from: '2026-02-01' }), []);
    assert.deepEqual(asked({ type: 'maternity_leave' }), []);
  });

  test('a leave that begins before the contract, or a year away, is asked about until it was released', () => {
    assert.deepEqual(asked({ ...ended, from: '2025-12-31' }), ['leave_before_contract']);
    assert.deepEqual(asked({ ...ended, from: '0026-01-16' }), ['leave_before_contract', 'leave_far']);
    assert.deepEqual(asked({ ...ended, to: '2027-02-01' }), ['leave_far']);
    assert.deepEqual(asked({ ...ended, to: '2027-01-31' }), []);
    assert.deepEqual(asked({ ...ended, from: '2025-01-01' }), ['leave_before_contract']);
    assert.deepEqual(asked({ ...ended, from: '2024-12-31' }), ['leave_before_contract', 'leave_far']);
    const latestBasis = { ...basis, suspensions: [{ from: '0026-01-16', to: '2026-01-31' }] };
    assert.deepEqual(asked({ ...ended, from: '0026-01-16' }, { latestBasis }), []);
  });

  test('a leave is asked about that takes released months back, and no longer once that was released', () => {
    const march = { period: '2026-03' };
    const months = ['2026-01', '2026-02'].map(month => released(month, 3000n));
    assert.deepEqual(asked(ended, { released: months }, march), ['leave_takes_back']);
    const corrected = [released('2026-01', 1452n), months[1]!];
    assert.deepEqual(asked(ended, { released: corrected }, march), []);
  });
});

test('an early end is asked about that takes released months back, and no longer once that was released', () => {
  const months = ['2026-01', '2026-02'].map(month => released(month, 3000n));
  const asked = (endDate: string, order: Partial<OrderFacts> = {}) =>
    findingsOf(
      ['end_takes_back'],
      { contract: { ...contract, endDate }, released: months, latestBasis: basis, ...order },
      { period: '2026-03' },
    ).map(({ month, fact }) => [month, fact]);
  assert.deepEqual(asked('2026-01-15'), [['2026-01', '2026-01-15']]);
  assert.deepEqual(asked('2026-01-31'), [['2026-02', '2026-01-31']]);
  assert.deepEqual(asked('2026-02-28'), []);
  assert.deepEqual(asked('2026-03-10'), []);
  assert.deepEqual(asked('2026-01-31', { latestBasis: { ...basis, endDate: '2026-01-31' } }), []);
  assert.deepEqual(asked('2026-01-31', { released: [months[0]!] }), []);
});

describe('settings of a month', () => {
  const year = { ...contract, startDate: '2026-01-01', endDate: '2026-12-31', termMonths: 12 };
  /** The second settings begin in March. */
  const inMarch = (first: Partial<SettingsVersion>, second: Partial<SettingsVersion>) =>
    [
      { ...conversionOnly, ...first },
      { ...conversionOnly, version: 2, from: '2026-03', ...second },
    ] as const;
  const on = { ...settings.kinds.salaryConversion!, wageType: '3030' };
  const withSubsidy = (employerSubsidy: SettingsVersion['kinds']['employerSubsidy']) => ({
    kinds: { ...conversionOnly.kinds, employerSubsidy },
  });

  test('a kind that is switched on is exported from the month on that its settings begin with', () => {
    const versions = inMarch({}, withSubsidy(on));
    const subsidies = entriesOf({}, { versions, period: '2026-04' }).filter(([, kind]) =>
      String(kind).startsWith('employer'),
    );
    assert.deepEqual(subsidies, [
      ['2026-03', 'employer_subsidy', '10.00'],
      ['2026-04', 'employer_subsidy', '10.00'],
    ]);
  });

  test('a late month of a kind that is switched off since is exported, booked as its own settings say', () => {
    const versions = inMarch(withSubsidy(on), {});
    const subsidies = assess({}, { versions, period: '2026-04' }).entries.filter(
      ({ kind }) => kind === 'employer_subsidy',
    );
    assert.deepEqual(
      subsidies.map(({ month, wageType }) => [month, wageType]),
      [
        ['2026-01', '3030'],
        ['2026-02', '3030'],
      ],
    );
  });

  test('months are booked by the settings of the run', () => {
    const kinds = { ...conversionOnly.kinds, salaryConversion: on };
    const booked = assess({}, { versions: inMarch({}, { kinds }), period: '2026-03' }).entries;
    assert.deepEqual(
      booked.map(({ month, wageType }) => [month, wageType]),
      [
        ['2026-01', '3030'],
        ['2026-02', '3030'],
        ['2026-03', '3030'],
      ],
    );
  });

  test('a leave is split where its rule changes, and not where it stays', () => {
    const rule = (parentalLeave: 'suspend' | 'continue' | null) => ({
      leaves: { ...settings.leaves, parentalLeave: leaveRule(parentalLeave) },
    });
    const suspensions = (
      first: Parameters<typeof rule>[0],
      second: Parameters<typeof rule>[0],
      days: Partial<Leave> = {},
    ) =>
      assess({ leaves: [leave(days)] }, { versions: inMarch(rule(first), rule(second)), period: '2026-04' })
        .basis!.suspensions;
    assert.deepEqual(suspensions('suspend', 'suspend'), [{ from: '2026-01-16', to: null }]);
    assert.deepEqual(suspensions('suspend', 'continue'), [{ from: '2026-01-16', to: '2026-02-28' }]);
    assert.deepEqual(suspensions('continue', 'suspend'), [{ from: '2026-03-01', to: null }]);
    assert.deepEqual(suspensions('continue', 'suspend', { to: '2026-02-20' }), []);
    assert.deepEqual(suspensions('continue', 'suspend', { from: '2026-03-05' }), [
      { from: '2026-03-05', to: null },
    ]);
  });

  test('a month without a rule for a leave is asked about, though later settings have one', () => {
    const leaves = { ...settings.leaves, parentalLeave: leaveRule(null) };
    const asked = (period: string, from: string) =>
      findingsOf(
        ['leave_rule'],
        { leaves: [leave({ from })] },
        { versions: inMarch({ leaves }, {}), period },
      );
    assert.equal(asked('2026-03', '2026-01-16').length, 1);
    assert.deepEqual(asked('2026-03', '2026-03-16'), []);
  });

  test('rules are stored only if they differ from calendar days, or change in the days of the contract', () => {
    const rules = (first: Partial<SettingsVersion>, second: Partial<SettingsVersion>) =>
      assess({ contract: year }, { versions: inMarch(first, second) }).basis!.rules;
    const thirty = { partMonth: 'thirty_days' } as const;
    assert.equal(rules({}, {}), undefined);
    assert.equal(rules(thirty, { from: '2025-12' }), undefined);
    assert.equal(rules({}, { ...thirty, from: '2027-01' }), undefined);
    assert.deepEqual(rules(thirty, thirty), [
      { from: '2026-01', partMonth: 'thirty_days', benefitProRata: false },
    ]);
    assert.deepEqual(rules({}, { benefitProRata: true }), [
      { from: '2026-01', partMonth: 'calendar_days', benefitProRata: false },
      { from: '2026-03', partMonth: 'calendar_days', benefitProRata: true },
    ]);
  });
});

describe('what is new in a month', () => {
  const codes = ['starts', 'stops', 'changes'] as const;
  const described = (...parts: Parameters<typeof assess>) =>
    findingsOf(codes, ...parts).map(({ code }) => code);
  const march = { period: '2026-03' };

  test('an amount is new once: not for somebody who was exported before, and comes back after a leave', () => {
    assert.deepEqual(described({}), ['starts']);
    const back = { leaves: [leave({ from: '2026-02-01', to: '2026-02-28' })] };
    assert.deepEqual(described({ ...back, released: [released('2026-01', 3000n)] }, march), ['changes']);
    assert.deepEqual(described(back, march), ['starts']);
  });

  test('a second run of a month does not report what the first one has exported', () => {
    assert.deepEqual(described({ released: [released('2026-01', 3000n)] }), []);
    assert.deepEqual(described({ released: [released('2026-01', 2500n)] }), ['changes']);
  });
});
