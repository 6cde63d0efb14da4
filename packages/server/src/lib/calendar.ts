/** A calendar month, `YYYY-MM`. */
export type Month = string;

/** A calendar day, `YYYY-MM-DD`. */
export type Day = string;

/** Months are counted from 0. Day 0 is the day before the first. */
function utcDay(year: number, month: number, day: number): Date {
  const date = new Date(0);
  // Date.UTC maps years below 100 to 1900–1999.
  date.setUTCFullYear(year, month, day);
  return date;
}

function numbersOf(text: string): number[] {
  return text.split('-').map(Number);
}

/**
 * The last day of a term in months: the day before the same day of the month, or the last day of a shorter month (§ 188 (2) and (3) BGB).
 * Null after the year 9999.
 */
export function lastDayOfTerm(startDate: Day, months: number): Day | null {
  const [year, month, day] = numbersOf(startDate) as [number, number, number];
  const daysOfMonth = utcDay(year, month + months, 0).getUTCDate();
  const last = utcDay(year, month - 1 + months, Math.min(day - 1, daysOfMonth));
  return last < utcDay(10_000, 0, 1) ? last.toISOString().slice(0, 10) : null;
}

export function monthOf(day: Day): Month {
  return day.slice(0, 7);
}

export function daysIn(month: Month): number {
  const [year, number] = numbersOf(month) as [number, number];
  return utcDay(year, number, 0).getUTCDate();
}

export function lastDayOf(month: Month): Day {
  return `${month}-${daysIn(month)}`;
}

export function monthAfter(month: Month): Month {
  return shiftMonth(month, 1);
}

export function monthBefore(month: Month): Month {
  return shiftMonth(month, -1);
}

function shiftMonth(month: Month, by: number): Month {
  const [year, number] = numbersOf(month) as [number, number];
  return utcDay(year, number - 1 + by, 1)
    .toISOString()
    .slice(0, 7);
}

/** The days of a month from `from` to `to`, both inclusive; an open end is null. */
export function daysWithin(month: Month, from: Day, to: Day | null): number {
  const first = from > `${month}-01` ? from : `${month}-01`;
  const end = lastDayOf(month);
  const last = to !== null && to < end ? to : end;
  return first > last ? 0 : Number(last.slice(8)) - Number(first.slice(8)) + 1;
}
