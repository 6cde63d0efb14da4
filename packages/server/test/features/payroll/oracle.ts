import { lastDayOfTerm } from '../../../src/lib/calendar.ts';

/*
 * Owed amounts day by day, with fractions that are never reduced: slow, exact, and written without the code under test.
 */

type Fraction = readonly [bigint, bigint];
const add = ([a, b]: Fraction, [c, d]: Fraction): Fraction => [a * d + c * b, b * d];
const multiply = ([a, b]: Fraction, [c, d]: Fraction): Fraction => [a * c, b * d];
const rounded = ([a, b]: Fraction) => (2n * a + b) / (2n * b);

export const dayMilliseconds = 86_400_000;
export const iso = (time: number): string => new Date(time).toISOString().slice(0, 10);

type PartMonth = 'calendar_days' | 'thirty_days' | 'whole_month' | 'next_month';

interface Rates {
  readonly salaryConversion: string;
  readonly taxableBenefit: string;
  readonly employerSubsidy: string;
}

/** A contract as the oracle reads it: that of a basis. */
export interface Term extends Rates {
  readonly startDate: string;
  readonly endDate: string;
  readonly termMonths: number;
  readonly changes?: readonly (Rates & { readonly from: string })[];
  readonly suspensions: readonly {
    readonly from: string;
    readonly to: string | null;
    readonly kinds?: readonly string[];
  }[];
  readonly benefitProRata: boolean;
  readonly rules?: readonly { from: string; partMonth: PartMonth; benefitProRata: boolean }[];
}

const rateNames = {
  salary_conversion: 'salaryConversion',
  taxable_benefit: 'taxableBenefit',
  employer_subsidy: 'employerSubsidy',
} as const;

/** The days of a contract by month, each with whether the kind is suspended. */
function daysByMonth({ startDate, endDate, suspensions }: Term, kind: string): Map<string, boolean[]> {
  const months = new Map<string, boolean[]>();
  for (let time = Date.parse(startDate); time <= Date.parse(endDate); time += dayMilliseconds) {
    const day = iso(time);
    const isSuspended = suspensions.some(
      ({ from, to, kinds }) => from <= day && (to === null || day <= to) && (!kinds || kinds.includes(kind)),
    );
    const month = months.get(day.slice(0, 7)) ?? [];
    month.push(isSuspended);
    months.set(day.slice(0, 7), month);
  }
  return months;
}

/** The part of a rate for some days of a month that the contract does not have in whole. */
function partOf(
  rule: PartMonth,
  days: number,
  { length, begins }: { length: number; begins: boolean },
): Fraction {
  if (rule === 'calendar_days') return [BigInt(days), BigInt(length)];
  if (rule === 'thirty_days') return days > 30 ? [1n, 1n] : [BigInt(days), 30n];
  return rule === 'next_month' && begins ? [0n, 1n] : [1n, 1n];
}

/** The last of some values by month that is in force in a month. */
function inForce<Value extends { from: string }>(values: readonly Value[] = [], month: string) {
  return [...values].reverse().find(({ from }) => from <= month);
}

/** The cents of a kind that each month of a contract owes. */
export function expectedOwed(term: Term, kind: keyof typeof rateNames): Map<string, bigint> {
  const runsItsTerm = term.endDate === lastDayOfTerm(term.startDate, term.termMonths);
  const months = [...daysByMonth(term, kind)];
  let shares: Fraction = [0n, 1n];
  let running: Fraction = [0n, 1n];
  return new Map(
    months.map(([month, days], index) => {
      const rate = BigInt((inForce(term.changes, month) ?? term)[rateNames[kind]].replace('.', ''));
      const rules = inForce(term.rules, month);
      const rule = rules?.partMonth ?? 'calendar_days';
      const [year, number] = month.split('-').map(Number) as [number, number];
      const length = new Date(Date.UTC(year, number, 0)).getUTCDate();
      const kept = days.filter(isSuspended => !isSuspended).length;
      const place = { length, begins: term.startDate.startsWith(month) && !term.startDate.endsWith('-01') };
      const isRemainder = runsItsTerm && index === months.length - 1;
      const share: Fraction = isRemainder
        ? add([BigInt(term.termMonths), 1n], [-shares[0], shares[1]])
        : days.length === length
          ? [1n, 1n]
          : partOf(rule, days.length, place);
      shares = add(shares, share);
      const before = rounded(running);
      running = add(running, multiply([rate, 1n], share));
      const scheduled = rounded(running) - before;
      if (kind === 'taxable_benefit' && !(rules?.benefitProRata ?? term.benefitProRata))
        return [month, kept > 0 ? rate : 0n];
      if (kept === days.length) return [month, scheduled];
      if (kept === 0) return [month, 0n];
      if (rule === 'whole_month' || rule === 'next_month') return [month, scheduled];
      const keptShare: Fraction =
        rule === 'thirty_days' ? [BigInt(kept), 30n] : multiply(share, [BigInt(kept), BigInt(days.length)]);
      const owed = rounded(multiply([rate, 1n], keptShare));
      return [month, owed < scheduled ? owed : scheduled];
    }),
  );
}
