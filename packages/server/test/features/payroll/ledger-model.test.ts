import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  type OrderContract,
  payrollKinds,
  type PayrollLeaveRule,
  type PayrollMapping,
  type PayrollSettlement,
} from '@kontor/contract';
import fc from 'fast-check';
import { assessOrder } from '../../../src/features/payroll/computation/assess.ts';
import type {
  Booking,
  Leave,
  OrderFacts,
  Released,
  SettingsVersion,
} from '../../../src/features/payroll/computation/facts.ts';
import { formats } from '../../../src/features/payroll/formats/formats.ts';
import { leaveTypes } from '../../../src/features/payroll/computation/leaves.ts';
import type { Basis, Kind } from '../../../src/features/payroll/computation/owed.ts';
import { lastDayOfTerm, monthAfter } from '../../../src/lib/calendar.ts';
import { amount } from '../../../src/lib/money.ts';
import { atScale } from '../../support/service/scale.ts';
import { contract as anyContract, facts as anyFacts, settings as anySettings } from './facts.ts';
import { leaveRule } from './support.ts';
import { dayMilliseconds, expectedOwed, iso } from './oracle.ts';

/*
 * An order lives through random handovers, changes, leaves, settings, runs and settlements. The ledger is a list in memory, and what is owed
 * in the end is computed day by day.
 */

type Meaning = PayrollSettlement['meaning'];

interface LedgerEntry {
  readonly month: string;
  readonly kind: Kind;
  readonly cents: bigint;
  readonly source: 'run' | Meaning;
  /** Null for a settlement. */
  readonly booking: Booking | null;
}

interface Life {
  /** Counts days. Changes and runs happen at different ones. */
  now: number;
  changedAt: number;
  contract: OrderContract | null;
  leaves: Leave[];
  settings: SettingsVersion;
  employeeNumber: string | null;
  costCenter: string | null;
  period: string;
  latestBasis: Basis | null;
  readonly ledger: LedgerEntry[];
}

type FormatName = keyof typeof formats;

const dateOf = (day: number) => new Date(Date.UTC(2026, 0, 1) + day * dayMilliseconds);

function factsOf(life: Life): OrderFacts {
  return {
    ...anyFacts,
    contract: life.contract,
    leaves: life.leaves,
    changedAt: dateOf(life.changedAt),
    employee: { ...anyFacts.employee, employeeNumber: life.employeeNumber },
    costCenter: life.costCenter,
    released: sumUp(life.ledger),
    latestBasis: life.latestBasis,
  };
}

/** The sums of the ledger, each with the booking of its last exported entry. */
function sumUp(ledger: readonly LedgerEntry[]): Released[] {
  const groups = Map.groupBy(ledger, ({ month, kind }) => `${month} ${kind}`);
  return Array.from(groups.values(), entries => ({
    month: entries[0]!.month,
    kind: entries[0]!.kind,
    exported: sumOf(entries, 'run'),
    paidElsewhere: sumOf(entries, 'paid_elsewhere'),
    notOwed: sumOf(entries, 'not_owed'),
    booking: entries.findLast(({ booking }) => booking !== null)?.booking ?? null,
    personnelNumber: null,
  }));
}

function sumOf(entries: readonly LedgerEntry[], wanted: LedgerEntry['source']): bigint {
  return entries.reduce((sum, { source, cents }) => (source === wanted ? sum + cents : sum), 0n);
}

function assess(
  life: Life,
  period: string,
  { names, cutOff }: { names: readonly FormatName[]; cutOff: number | null },
) {
  const terms = {
    versions: [life.settings] as const,
    period,
    formats: names.map(name => formats[name]),
    cutOff: cutOff === null ? null : dateOf(cutOff),
  };
  return assessOrder(factsOf(life), terms);
}

interface Run {
  readonly months: number;
  readonly names: FormatName[];
  /** Days before the run; null: no cut-off. */
  readonly cutOff: number | null;
  readonly drafts: number;
  readonly isReleased: boolean;
}

function run(life: Life, { months, names, cutOff, drafts, isReleased }: Run): void {
  let period = life.period;
  for (let month = 0; month < months; month++) period = monthAfter(period);
  const parts = { names, cutOff: cutOff === null ? null : life.now - cutOff };
  const draft = assess(life, period, parts);
  for (let repeated = 0; repeated < drafts; repeated++) assert.deepEqual(assess(life, period, parts), draft);
  if (!isReleased) return;
  life.period = period;
  release(life, draft);
  assert.deepEqual(assess(life, period, parts).entries, [], 'what was released is not released again');
}

function release(life: Life, { entries, basis }: ReturnType<typeof assess>): void {
  const places = entries.map(({ month, kind }) => `${month} ${kind}`);
  assert.equal(new Set(places).size, places.length, 'an entry per month and kind');
  for (const { month, kind, cents, wageType, processingKey, sign, costCenter } of entries) {
    assert.notEqual(cents, 0n);
    assert.ok(month >= life.settings.firstPeriod && month <= life.period);
    const before = sumUp(life.ledger).find(sum => sum.month === month && sum.kind === kind)?.booking;
    const booking = { wageType, processingKey, sign, costCenter };
    if (before) {
      const keyOfSettings = life.settings.kinds[settingOfKind[kind]]?.processingKey ?? null;
      const kept = { ...before, processingKey: before.processingKey ?? keyOfSettings };
      assert.deepEqual(booking, kept, 'a correction keeps its booking');
    }
    life.ledger.push({ month, kind, cents, source: 'run', booking });
  }
  for (const { month, kind, exported } of sumUp(life.ledger))
    assert.ok(exported >= 0n, `${kind} of ${month}: a run paid out what was paid elsewhere`);
  if (basis !== null) life.latestBasis = basis;
}

type Step = (life: Life) => void;

/** Changes of the order. They are seen by runs whose cut-off is later. */
function changing(change: Step): Step {
  return life => {
    life.changedAt = life.now;
    change(life);
  };
}

const anyDay = fc.integer({ min: 0, max: 900 }).map(day => iso(Date.UTC(2025, 6, 1) + day * dayMilliseconds));
const anyRate = fc.bigInt({ min: 0n, max: 20_000n }).map(amount);

const anyContractOf: fc.Arbitrary<OrderContract> = fc
  .record({
    startDate: anyDay,
    termMonths: fc.integer({ min: 1, max: 24 }),
    endShift: fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, fc.integer({ min: -300, max: 60 })),
    hasEnd: fc.boolean(),
    salaryConversion: anyRate,
    taxableBenefit: anyRate,
    leasingRateSubsidy: anyRate,
    insuranceRateSubsidy: anyRate,
  })
  .map(({ startDate, termMonths, endShift, hasEnd, ...rates }) => {
    const end = Date.parse(lastDayOfTerm(startDate, termMonths)!) + endShift * dayMilliseconds;
    const endDate = hasEnd || endShift !== 0 ? iso(Math.max(end, Date.parse(startDate))) : null;
    return { ...anyContract, startDate, termMonths, endDate, ...rates, serviceRateSubsidy: '0.00' };
  });

const anyLeave: fc.Arbitrary<Leave> = fc
  .record({
    type: fc.constantFrom(...(leaveTypes as Leave['type'][]), 'theft' as const),
    from: anyDay,
    length: fc.option(fc.integer({ min: 0, max: 120 })),
  })
  .map(({ type, from, length }) => ({
    incidentId: 'd'.repeat(24),
    isBikeReturned: null,
    payer: null,
    type,
    from,
    to: length === null ? null : iso(Date.parse(from) + length * dayMilliseconds),
  }));

const anyMapping: fc.Arbitrary<PayrollMapping | null> = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom('1', '3010', '6500').map(mappingOf) },
  fc.constantFrom(null, { ...mappingOf('1'), export: false }),
);

function mappingOf(wageType: string): PayrollMapping {
  return { export: true, wageType, processingKey: wageType === '1' ? null : '2', sign: 'plus' };
}

const anyLeaveRule = fc.constantFrom('suspend', 'continue', null).map(leaveRule);

const anyRun: fc.Arbitrary<Run> = fc.record({
  months: fc.integer({ min: 0, max: 4 }),
  names: fc.constantFrom<FormatName[]>(['csv'], ['datev_lodas'], ['csv', 'datev_lug']),
  cutOff: fc.option(fc.integer({ min: 0, max: 20 }), { freq: 2 }),
  drafts: fc.integer({ min: 0, max: 2 }),
  isReleased: fc.boolean(),
});

const anySettlement = fc.record({
  months: fc.integer({ min: 0, max: 6 }),
  kind: fc.constantFrom(...payrollKinds),
  meaning: fc.constantFrom<Meaning>('paid_elsewhere', 'not_owed'),
  cents: fc.bigInt({ min: -5000n, max: 5000n }),
});

interface Settlement {
  readonly months: number;
  readonly kind: Kind;
  readonly meaning: Meaning;
  readonly cents: bigint;
}

/** Whatever is open. A waiver is taken back at most as a whole. */
function settle(life: Life, { months, kind, meaning, cents }: Settlement): void {
  let month = life.settings.firstPeriod;
  for (let after = 0; after < months; after++) month = monthAfter(month);
  const waived = sumUp(life.ledger).find(sum => sum.month === month && sum.kind === kind)?.notOwed ?? 0n;
  if (meaning === 'not_owed' && waived + cents < 0n) return;
  life.ledger.push({ month, kind, cents, source: meaning, booking: null });
}

const anyStep: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: anyRun.map(
      (each): Step =>
        life =>
          run(life, each),
    ),
  },
  anyContractOf.map(contract => changing(life => (life.contract = contract))),
  anyLeave.map(leave => changing(life => life.leaves.push(leave))),
  fc.nat(3).map(index => changing(life => life.leaves.splice(index, 1))),
  fc.tuple(fc.nat(3), anyDay).map(([index, to]) =>
    changing(life => {
      const leave = life.leaves[index];
      if (leave) life.leaves[index] = { ...leave, to: to < leave.from ? leave.from : to };
    }),
  ),
  anySettlement.map(
    (each): Step =>
      life =>
        settle(life, each),
  ),
  fc.record({ salaryConversion: anyMapping, taxableBenefit: anyMapping, employerSubsidy: anyMapping }).map(
    (kinds): Step =>
      life =>
        (life.settings = { ...life.settings, kinds }),
  ),
  fc
    .record({
      longTermIllness: anyLeaveRule,
      maternityLeave: anyLeaveRule,
      parentalLeave: anyLeaveRule,
      unpaidLeave: anyLeaveRule,
    })
    .map(
      (leaves): Step =>
        life =>
          (life.settings = { ...life.settings, leaves }),
    ),
  fc.boolean().map(
    (benefitProRata): Step =>
      life =>
        (life.settings = { ...life.settings, benefitProRata }),
  ),
  fc.constantFrom('1234', 'E-1', null).map(
    (number): Step =>
      life =>
        (life.employeeNumber = number),
  ),
  fc.constantFrom('4711', 'too-long-1', null).map(
    (costCenter): Step =>
      life =>
        (life.costCenter = costCenter),
  ),
);

/** The owed amounts of each month in the end, day by day. */
function owedInTheEnd({ contract, leaves, settings }: Life): Record<Kind, Map<string, bigint>> {
  if (contract === null)
    return { salary_conversion: new Map(), taxable_benefit: new Map(), employer_subsidy: new Map() };
  const rules = {
    long_term_illness: settings.leaves.longTermIllness,
    maternity_leave: settings.leaves.maternityLeave,
    parental_leave: settings.leaves.parentalLeave,
    unpaid_leave: settings.leaves.unpaidLeave,
  } as Partial<Record<string, PayrollLeaveRule>>;
  const subsidies = [contract.leasingRateSubsidy, contract.insuranceRateSubsidy];
  const suspendedKinds = (rule: PayrollLeaveRule | undefined) =>
    payrollKinds.filter(kind => rule?.[settingOfKind[kind]] === 'suspend');
  const term = {
    startDate: contract.startDate!,
    endDate: contract.endDate ?? lastDayOfTerm(contract.startDate!, contract.termMonths)!,
    termMonths: contract.termMonths,
    salaryConversion: contract.salaryConversion,
    taxableBenefit: contract.taxableBenefit,
    employerSubsidy: amount(subsidies.reduce((sum, subsidy) => sum + BigInt(subsidy.replace('.', '')), 0n)),
    suspensions: leaves.map(({ type, from, to }) => ({ from, to, kinds: suspendedKinds(rules[type]) })),
    benefitProRata: settings.benefitProRata,
  };
  return {
    salary_conversion: expectedOwed(term, 'salary_conversion'),
    taxable_benefit: expectedOwed(term, 'taxable_benefit'),
    employer_subsidy: expectedOwed(term, 'employer_subsidy'),
  };
}

const settingOfKind = {
  salary_conversion: 'salaryConversion',
  taxable_benefit: 'taxableBenefit',
  employer_subsidy: 'employerSubsidy',
} as const;

/**
 * Checks month by month that exported amounts, settled ones and those that a run names to be settled elsewhere are what is owed, and returns the
 * months that were checked.
 */
function checkLedger(life: Life): number {
  const { findings } = assess(life, life.period, { names: ['csv'], cutOff: null });
  const named = new Map(
    findings.flatMap(({ code, month, kind, cents }) =>
      code === 'paid_elsewhere' ? [[`${month} ${kind}`, cents!] as const] : [],
    ),
  );
  const owed = owedInTheEnd(life);
  let checked = 0;
  for (const kind of payrollKinds) {
    const isExported = life.settings.kinds[settingOfKind[kind]]!.export;
    const ofKind = life.ledger.filter(entry => entry.kind === kind);
    const months = new Set([...owed[kind].keys(), ...ofKind.map(({ month }) => month)]);
    for (const month of months) {
      const entries = ofKind.filter(entry => entry.month === month);
      const [exported, paid] = [sumOf(entries, 'run'), sumOf(entries, 'paid_elsewhere')];
      const overpaid = named.get(`${month} ${kind}`) ?? 0n;
      const due = (owed[kind].get(month) ?? 0n) - sumOf(entries, 'not_owed');
      const wasExported = entries.some(({ booking }) => booking !== null);
      if (month < life.settings.firstPeriod) assert.ok(!wasExported, `${month} is before the first period`);
      else if (isExported || wasExported) {
        assert.equal(exported + paid - overpaid, due > 0n ? due : 0n, `${kind} of ${month}`);
        assert.ok(overpaid === 0n || exported === 0n, 'exported amounts are given back first');
        checked++;
      }
    }
  }
  return checked;
}

test('at the end of the term, exported, settled and named amounts are what is owed, to the cent, and nothing is released twice', () => {
  let checked = 0;
  const anyLife = fc.record({
    contract: fc.option(anyContractOf),
    firstPeriod: fc.constantFrom('2025-06', '2025-09', '2026-01'),
    steps: fc.array(fc.tuple(fc.integer({ min: 1, max: 30 }), anyStep), { minLength: 5, maxLength: 30 }),
    late: anyContractOf,
    isOff: fc.boolean(),
  });
  fc.assert(
    fc.property(anyLife, ({ contract, firstPeriod, steps, late, isOff }) => {
      const life: Life = {
        now: 0,
        changedAt: 0,
        contract,
        leaves: [],
        settings: { ...anySettings, firstPeriod },
        employeeNumber: '1234',
        costCenter: '4711',
        period: firstPeriod,
        latestBasis: null,
        ledger: [],
      };
      for (const [days, step] of steps) {
        life.now += days;
        step(life);
      }
      life.contract ??= late;
      life.employeeNumber = '1234';
      const employerSubsidy = { ...mappingOf('3030'), export: !isOff };
      const kinds = {
        salaryConversion: mappingOf('3010'),
        taxableBenefit: mappingOf('3020'),
        employerSubsidy,
      };
      life.settings = { ...life.settings, kinds };
      life.period = '2040-01';
      run(life, { months: 0, names: ['csv'], cutOff: null, drafts: 1, isReleased: true });
      checked += checkLedger(life);
    }),
    { numRuns: atScale(200, 5000) },
  );
  assert.ok(checked > 1000, `only ${checked} months were checked`);
});
