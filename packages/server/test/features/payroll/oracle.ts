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

export interface Term {
  readonly startDate: string;
  readonly endDate: string;
  readonly termMonths: number;
  readonly suspensions: readonly { readonly from: string; readonly to: string | null }[];
}

/** The days of a contract by month, each with whether it is suspended. */
function daysByMonth({ startDate, endDate, suspensions }: Term): Map<string, boolean[]> {
  const months = new Map<string, boolean[]>();
  for (let time = Date.parse(startDate); time <= Date.parse(endDate); time += dayMilliseconds) {
    const day = iso(time);
    const isSuspended = suspensions.some(({ from, to }) => from <= day && (to === null || day <= to));
    const month = months.get(day.slice(0, 7)) ?? [];
    month.push(isSuspended);
    months.set(day.slice(0, 7), month);
  }
  return months;
}

/** The cents of a rate that each month of the term owes. */
export function expectedByDays(term: Term, rateCents: bigint): Map<string, bigint> {
  const rate: Fraction = [rateCents, 1n];
  const isWhole = term.endDate === lastDayOfTerm(term.startDate, term.termMonths);
  const months = [...daysByMonth(term)];
  let [scheduled, net, before]: [Fraction, Fraction, bigint] = [[0n, 1n], [0n, 1n], 0n];
  return new Map(
    months.map(([month, days], index) => {
      const [year, number] = month.split('-').map(Number) as [number, number];
      const length = BigInt(new Date(Date.UTC(year, number, 0)).getUTCDate());
      const share: Fraction =
        isWhole && index === months.length - 1
          ? add([BigInt(term.termMonths), 1n], [-scheduled[0], scheduled[1]])
          : [BigInt(days.length), length];
      const worked = BigInt(days.filter(isSuspended => !isSuspended).length);
      scheduled = add(scheduled, share);
      net = add(net, multiply(share, [worked, BigInt(days.length)]));
      const sum = rounded(multiply(rate, net));
      const owed = sum - before;
      before = sum;
      return [month, owed];
    }),
  );
}

/** A whole month's cents in each month that has a day without a suspension. */
export function expectedWhole(term: Term, rateCents: bigint): Map<string, bigint> {
  return new Map(
    Array.from(daysByMonth(term), ([month, days]) => [month, days.some(day => !day) ? rateCents : 0n]),
  );
}
