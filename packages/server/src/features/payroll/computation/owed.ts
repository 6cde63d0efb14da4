import type { payrollKinds } from '@kontor/contract';
import {
  type Day,
  daysIn,
  daysWithin,
  lastDayOfTerm,
  type Month,
  monthAfter,
  monthOf,
} from '../../../lib/calendar.ts';
import { cents } from '../../../lib/money.ts';

export type Kind = (typeof payrollKinds)[number];

/**
 * The days of a leave during which nothing is owed. Neither its type nor its incident is named: a basis outlasts an erasure, and days with a
 * type tell an illness or a birth.
 */
export interface Suspension {
  readonly from: Day;
  /** Inclusive; null until the end is known. */
  readonly to: Day | null;
  /** The kinds that are suspended; absent: all. */
  readonly kinds?: readonly Kind[];
}

/** Decimal strings per month. */
export interface Rates {
  readonly salaryConversion: string;
  readonly taxableBenefit: string;
  readonly employerSubsidy: string;
}

/** The amounts of a contract from a month on. */
export interface RateChange extends Rates {
  readonly from: Month;
  /** The version of the contract that they come from. */
  readonly version: number;
}

export type PartMonthRule = 'calendar_days' | 'thirty_days' | 'whole_month' | 'next_month';

/** How part months are computed from a month on. */
export interface MonthRules {
  readonly from: Month;
  readonly partMonth: PartMonthRule;
  readonly benefitProRata: boolean;
}

/**
 * Everything that the owed amounts of an order follow from. Parts that a contract does not need are absent, so that the bases of earlier
 * runs stay equal.
 */
export interface Basis extends Rates {
  readonly contractNumber: string | null;
  readonly startDate: Day;
  readonly endDate: Day;
  readonly termMonths: number;
  /** Later amounts, ascending by month. Before the first, those of the basis count. */
  readonly changes?: readonly RateChange[];
  readonly suspensions: readonly Suspension[];
  /** Whether the taxable benefit of a part month is owed by days. By default it is owed in full. */
  readonly benefitProRata: boolean;
  /** Rules by month, ascending; absent: calendar days, and `benefitProRata`. */
  readonly rules?: readonly MonthRules[];
}

/**
 * How much of a month is owed:
 *
 * | rule        | when                                                   | owed of a rate                          |
 * | ----------- | ------------------------------------------------------ | --------------------------------------- |
 * | full_month  | the contract has every day of the month                | the rate                                |
 * | part_month  | the contract begins or ends within the month           | by calendar days of the month           |
 * | thirty_days | the same, where the company counts 30 days a month     | by days of 30, at most the rate         |
 * | whole_month | the same, where the company deducts whole months only  | the rate                                |
 * | next_month  | the same, where deductions begin with the next month   | nothing at the start, the rate at an end |
 * | remainder   | the last month of a contract that runs its whole term  | what the term still lacks               |
 * | after_term  | days after the last day of the term                    | as a part month                         |
 *
 * Parts of the contract are rounded as a running sum, so that cents neither vanish nor appear. Parts that are rounded one by one cannot sum to
 * the term: 14/28 + 14/29 is not 1. Leaves are not part of that sum: the amount that one takes off is rounded in its own month, so it moves no
 * cent of another month.
 */
export type Rule =
  'full_month' | 'part_month' | Exclude<PartMonthRule, 'calendar_days'> | 'remainder' | 'after_term';

/** The days of an order in a month. */
interface MonthShare {
  readonly month: Month;
  readonly rule: Rule;
  readonly partMonth: PartMonthRule;
  readonly benefitProRata: boolean;
  readonly daysOfMonth: number;
  readonly contractDays: number;
  /** The part of a rate that the contract owes, in units of 1/`unit`. */
  readonly share: bigint;
}

export interface MonthOwed extends MonthShare {
  /** The version of the contract in force; 1 before its first change. */
  readonly version: number;
  /** In cents a month. */
  readonly rates: Readonly<Record<Kind, bigint>>;
  readonly suspendedDays: Readonly<Record<Kind, number>>;
  /** In cents. */
  readonly owed: Readonly<Record<Kind, bigint>>;
  /** In cents: what the suspensions take off. The employee may owe it otherwise. */
  readonly suspended: Readonly<Record<Kind, bigint>>;
}

/** The least common multiple of 28, 29, 30 and 31. Every share of a month is a whole number of these. */
const unit = 377_580n;

const kinds = ['salary_conversion', 'taxable_benefit', 'employer_subsidy'] as const satisfies Kind[];

/** Yields the amounts of each month of the contract up to `until`, the first month first. */
export function* owedMonths(basis: Basis, until: Month): Generator<MonthOwed> {
  const all = ratesOf(basis);
  let total = byKind(() => 0n);
  for (const month of sharesOf(basis, until)) {
    const { version, rates } = all.findLast(({ from }) => from <= month.month)!;
    const suspendedDays = byKind(kind => countSuspendedDays(basis, month.month, kind));
    const before = total;
    total = byKind(kind => before[kind] + rates[kind] * month.share);
    const scheduled = byKind(kind =>
      isWhole(kind, month) ? rates[kind] : roundHalfUp(total[kind], unit) - roundHalfUp(before[kind], unit),
    );
    const owed = byKind(kind =>
      owedAfterLeaves(scheduled[kind], month, {
        rate: rates[kind],
        keptDays: month.contractDays - suspendedDays[kind],
        isWhole: isWhole(kind, month),
      }),
    );
    const suspended = byKind(kind => scheduled[kind] - owed[kind]);
    yield { ...month, version, rates, suspendedDays, owed, suspended };
  }
}

function byKind<Value>(valueOf: (kind: Kind) => Value): Record<Kind, Value> {
  return Object.fromEntries(kinds.map(kind => [kind, valueOf(kind)])) as Record<Kind, Value>;
}

/** Whether each month with a day of the contract has the whole amount. */
export function isWhole(kind: Kind, { benefitProRata }: Pick<MonthShare, 'benefitProRata'>): boolean {
  return kind === 'taxable_benefit' && !benefitProRata;
}

/** The part of a scheduled amount that leaves do not take off. A whole amount is owed while one day is not suspended. */
function owedAfterLeaves(
  scheduled: bigint,
  { share, contractDays, partMonth }: MonthShare,
  { rate, keptDays, isWhole }: { rate: bigint; keptDays: number; isWhole: boolean },
): bigint {
  if (keptDays === 0) return 0n;
  if (isWhole || keptDays === contractDays) return scheduled;
  const days = BigInt(keptDays);
  switch (partMonth) {
    case 'calendar_days':
      return atMost(scheduled, roundHalfUp(rate * share * days, unit * BigInt(contractDays)));
    case 'thirty_days':
      return atMost(scheduled, roundHalfUp(rate * days, 30n));
    case 'whole_month':
    case 'next_month':
      return scheduled;
  }
}

function atMost(limit: bigint, value: bigint): bigint {
  return value < limit ? value : limit;
}

/** Rates are never negative. */
function roundHalfUp(value: bigint, divisor: bigint): bigint {
  return (2n * value + divisor) / (2n * divisor);
}

/** The amounts of a contract in cents, by the month that they begin with. */
function ratesOf(basis: Basis): (Pick<MonthOwed, 'version' | 'rates'> & { from: Month })[] {
  return [{ ...basis, from: monthOf(basis.startDate), version: 1 }, ...(basis.changes ?? [])].map(
    ({ from, version, salaryConversion, taxableBenefit, employerSubsidy }) => ({
      from,
      version,
      rates: {
        salary_conversion: cents(salaryConversion),
        taxable_benefit: cents(taxableBenefit),
        employer_subsidy: cents(employerSubsidy),
      },
    }),
  );
}

function* sharesOf(basis: Basis, until: Month): Generator<MonthShare> {
  const { startDate, endDate, termMonths } = basis;
  const regularEnd = lastDayOfTerm(startDate, termMonths);
  const lastMonth = monthOf(endDate);
  let before = 0n;
  for (let month = monthOf(startDate); month <= until && month <= lastMonth; month = monthAfter(month)) {
    const { partMonth, benefitProRata } = rulesIn(basis, month);
    const daysOfMonth = daysIn(month);
    const contractDays = daysWithin(month, startDate, endDate);
    const isLastOfTerm = endDate === regularEnd && month === lastMonth;
    const share = isLastOfTerm
      ? unit * BigInt(termMonths) - before
      : shareOfDays(partMonth, { contractDays, daysOfMonth, isStart: startDate > `${month}-01` });
    before += share;
    const isAfterTerm = regularEnd !== null && month > monthOf(regularEnd);
    const isFull = contractDays === daysOfMonth && share === unit;
    const rule = ruleOf(partMonth, { isAfterTerm, isFull, isLastOfTerm });
    yield { month, rule, partMonth, benefitProRata, daysOfMonth, contractDays, share };
  }
}

function rulesIn({ rules, benefitProRata }: Basis, month: Month): Omit<MonthRules, 'from'> {
  return rules?.findLast(({ from }) => from <= month) ?? { partMonth: 'calendar_days', benefitProRata };
}

function ruleOf(
  partMonth: PartMonthRule,
  { isAfterTerm, isFull, isLastOfTerm }: Record<'isAfterTerm' | 'isFull' | 'isLastOfTerm', boolean>,
): Rule {
  if (isAfterTerm) return 'after_term';
  if (isFull) return 'full_month';
  if (isLastOfTerm) return 'remainder';
  return partMonth === 'calendar_days' ? 'part_month' : partMonth;
}

/** The 30 days are those of the Dreißigstel-Methode: calendar days of the contract, of 30 in any month. */
function shareOfDays(
  rule: PartMonthRule,
  { contractDays, daysOfMonth, isStart }: { contractDays: number; daysOfMonth: number; isStart: boolean },
): bigint {
  if (contractDays === daysOfMonth) return unit;
  switch (rule) {
    case 'calendar_days':
      return (unit * BigInt(contractDays)) / BigInt(daysOfMonth);
    case 'thirty_days':
      return (unit * BigInt(Math.min(contractDays, 30))) / 30n;
    case 'whole_month':
      return unit;
    case 'next_month':
      return isStart ? 0n : unit;
  }
}

/** Days that several suspensions share count once. */
function countSuspendedDays({ startDate, endDate, suspensions }: Basis, month: Month, kind: Kind): number {
  const days = new Set<number>();
  for (const { from, to, kinds: suspended } of suspensions) {
    if (suspended && !suspended.includes(kind)) continue;
    const first = from > startDate ? from : startDate;
    const last = to !== null && to < endDate ? to : endDate;
    const begin = monthOf(first) === month ? Number(first.slice(8)) : 1;
    const count = daysWithin(month, first, last);
    for (let day = begin; day < begin + count; day++) days.add(day);
  }
  return days.size;
}
