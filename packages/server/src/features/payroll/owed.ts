import type { payrollKinds } from '@kontor/contract';
import {
  type Day,
  daysIn,
  daysWithin,
  lastDayOfTerm,
  type Month,
  monthAfter,
  monthOf,
} from '../../lib/calendar.ts';
import { cents } from '../../lib/money.ts';

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
 * Everything that the owed amounts of an order follow from. What a contract does not need is absent, so that the bases of earlier runs stay
 * equal.
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
 * | rule       | when                                                   | owed of a rate            |
 * | ---------- | ------------------------------------------------------ | ------------------------- |
 * | full_month | the contract has every day of the month                | the rate                  |
 * | part_month | the contract begins or ends within the month           | by days of the month      |
 * | remainder  | the last month of a contract that runs its whole term  | what the term still lacks |
 * | after_term | days after the last day of the term                    | by days of the month      |
 *
 * Days of a suspension are taken off in each of them. Parts are rounded as a running sum, so that cents neither vanish nor appear. Parts that
 * are rounded one by one cannot sum to the term: 14/28 + 14/29 is not 1.
 */
export type Rule = 'full_month' | 'part_month' | 'remainder' | 'after_term';

/** The days of an order in a month. */
export interface MonthShare {
  readonly month: Month;
  readonly rule: Rule;
  readonly daysOfMonth: number;
  readonly contractDays: number;
  readonly suspendedDays: number;
  /** The sums up to and including this month, in units of 1/`unit` months: without and with suspensions. */
  readonly scheduled: bigint;
  readonly net: bigint;
}

export interface MonthOwed extends MonthShare {
  /** In cents. */
  readonly owed: Readonly<Record<Kind, bigint>>;
  /** In cents: what the suspensions take off. The employee may owe it otherwise. */
  readonly suspended: Readonly<Record<Kind, bigint>>;
}

/** The least common multiple of 28, 29, 30 and 31, and of the numbers up to 31. Every share of a month has a whole number of `unit`s. */
const daysUnit = 377_580n;
const partsUnit = 72_201_776_446_800n;
const unit = daysUnit * partsUnit;

/** Yields the amounts of each month of the contract up to `until`, the first month first. */
export function* owedMonths(basis: Basis, until: Month): Generator<MonthOwed> {
  const rates = {
    salary_conversion: cents(basis.salaryConversion),
    employer_subsidy: cents(basis.employerSubsidy),
    taxable_benefit: cents(basis.taxableBenefit),
  };
  let before = { scheduled: 0n, net: 0n };
  for (const share of sharesOf(basis, until)) {
    const byDays = (rate: bigint) => {
      const owed = roundShare(rate, share.net) - roundShare(rate, before.net);
      const scheduled = roundShare(rate, share.scheduled) - roundShare(rate, before.scheduled);
      return { owed, suspended: scheduled - owed };
    };
    const benefit = basis.benefitProRata
      ? byDays(rates.taxable_benefit)
      : wholeMonth(rates.taxable_benefit, share);
    const conversion = byDays(rates.salary_conversion);
    const subsidy = byDays(rates.employer_subsidy);
    yield {
      ...share,
      owed: amounts(part => part.owed),
      suspended: amounts(part => part.suspended),
    };
    before = share;

    function amounts(of: (part: { owed: bigint; suspended: bigint }) => bigint): Record<Kind, bigint> {
      return {
        salary_conversion: of(conversion),
        taxable_benefit: of(benefit),
        employer_subsidy: of(subsidy),
      };
    }
  }
}

/** The benefit of a month is owed in full while the contract has a day in it that is not suspended. */
function wholeMonth(rate: bigint, { contractDays, suspendedDays }: MonthShare) {
  return suspendedDays < contractDays ? { owed: rate, suspended: 0n } : { owed: 0n, suspended: rate };
}

/** Rounds half up; rates are never negative. */
function roundShare(rate: bigint, share: bigint): bigint {
  return share % unit === 0n ? rate * (share / unit) : (2n * rate * share + unit) / (2n * unit);
}

function* sharesOf(basis: Basis, until: Month): Generator<MonthShare> {
  const { startDate, endDate, termMonths } = basis;
  const regularEnd = lastDayOfTerm(startDate, termMonths);
  const lastMonth = monthOf(endDate);
  let [scheduled, net] = [0n, 0n];
  for (let month = monthOf(startDate); month <= until && month <= lastMonth; month = monthAfter(month)) {
    const daysOfMonth = daysIn(month);
    const contractDays = daysWithin(month, startDate, endDate);
    const suspendedDays = countSuspendedDays(basis, month);
    const isLastOfTerm = endDate === regularEnd && month === lastMonth;
    const share = isLastOfTerm
      ? unit * BigInt(termMonths) - scheduled
      : (unit * BigInt(contractDays)) / BigInt(daysOfMonth);
    scheduled += share;
    net += share - (share * BigInt(suspendedDays)) / BigInt(contractDays);
    const rule = ruleOf(share, {
      isLastOfTerm,
      isAfterTerm: regularEnd !== null && month > monthOf(regularEnd),
    });
    yield { month, rule, daysOfMonth, contractDays, suspendedDays, scheduled, net };
  }
}

function ruleOf(
  share: bigint,
  { isLastOfTerm, isAfterTerm }: { isLastOfTerm: boolean; isAfterTerm: boolean },
): Rule {
  if (isAfterTerm) return 'after_term';
  if (share === unit) return 'full_month';
  return isLastOfTerm ? 'remainder' : 'part_month';
}

/** Days that several suspensions share count once. */
function countSuspendedDays({ startDate, endDate, suspensions }: Basis, month: Month): number {
  const days = new Set<number>();
  for (const { from, to } of suspensions) {
    const first = from > startDate ? from : startDate;
    const last = to !== null && to < endDate ? to : endDate;
    const begin = monthOf(first) === month ? Number(first.slice(8)) : 1;
    const count = daysWithin(month, first, last);
    for (let day = begin; day < begin + count; day++) days.add(day);
  }
  return days.size;
}
