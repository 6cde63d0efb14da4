import { i18n } from '@lingui/core';

/** Milliseconds of a day. */
export const dayLength = 86_400_000;

/** The language of the page as `Intl` has it: English is British. */
function region(): string {
  return i18n.locale === 'en' ? 'en-GB' : i18n.locale;
}

/** A formatter for the language of the page, made once for each and for each kind: making one takes much longer than all that a page does with it. */
export function inLanguage<Format>(
  make: (language: string, kind: string) => Format,
): (kind?: string) => Format {
  const made = new Map<string, Format>();
  return (kind = '') => {
    const key = `${i18n.locale} ${kind}`;
    const format = made.get(key) ?? make(region(), kind);
    made.set(key, format);
    return format;
  };
}

const days = inLanguage(
  language => new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeZone: 'UTC' }),
);
const longDays = inLanguage(
  language => new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: 'UTC' }),
);
const typedDays = inLanguage(
  language =>
    new Intl.DateTimeFormat(language, { day: '2-digit', month: '2-digit', year: 'numeric', timeZone: 'UTC' }),
);
const monthNames = inLanguage(
  language => new Intl.DateTimeFormat(language, { month: 'long', year: 'numeric', timeZone: 'UTC' }),
);
const shortMonths = inLanguage(
  language => new Intl.DateTimeFormat(language, { month: 'short', timeZone: 'UTC' }),
);
const moments = inLanguage(
  language => new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' }),
);
const distances = inLanguage(language => new Intl.RelativeTimeFormat(language));
const presents = inLanguage(language =>
  new Intl.RelativeTimeFormat(language, { numeric: 'auto' }).format(0, 'minute'),
);
const numbers = inLanguage(language => new Intl.NumberFormat(language));

/** A day of the calendar (`2026-09-03`), such as 3 Sept 2026: the same day in every zone. */
export function day(date: string): string {
  return withFullYear(days(), date);
}

/** A day with the name of its month, such as 3 September 2026. */
export function longDay(date: string): string {
  return withFullYear(longDays(), date);
}

/** A day in digits, as it is typed: 03/09/2026 or 03.09.2026. */
export function typedDay(date: string): string {
  return withFullYear(typedDays(), date);
}

/** `Intl` writes the year 26 with two digits, which reads as 2026. */
function withFullYear(format: Intl.DateTimeFormat, date: string): string {
  const parts = format.formatToParts(new Date(date));
  return parts.map(({ type, value }) => (type === 'year' ? value.padStart(4, '0') : value)).join('');
}

/**
 * Parses a typed day, the day before the month: `1.11.26`, `01 11 2026`, `1/11/2026`, `1-11-26`, `011126` or `01112026`, or `2026-11-01`. A year
 * of two digits is of this century.
 * @returns the day as the API takes it; null if the text is not a day
 */
export function parseDay(text: string): string | null {
  const { day, month, year } =
    /^(?<year>\d{4})-(?<month>\d{2})-(?<day>\d{2})$/.exec(text.trim())?.groups ??
    /^(?<day>\d{1,2})\s*[. /-]\s*(?<month>\d{1,2})\s*[. /-]\s*(?<year>\d{4}|\d{2})\.?$/.exec(text.trim())
      ?.groups ??
    /^(?<day>\d{2})(?<month>\d{2})(?<year>\d{4}|\d{2})$/.exec(text.trim())?.groups ??
    {};
  if (day === undefined) return null;
  const fullYear = year!.length === 2 ? `20${year}` : year!;
  const date = `${fullYear}-${month!.padStart(2, '0')}-${day.padStart(2, '0')}`;
  const parsed = new Date(`${date}T00:00:00Z`);
  // JavaScript takes 31 February as 3 March.
  return !Number.isNaN(parsed.getTime()) && parsed.toISOString().startsWith(date) ? date : null;
}

/** A month of the calendar (`2026-11`), such as November 2026. */
export function monthName(month: string): string {
  return monthNames().format(new Date(`${month}-01`));
}

/** A month without its year, such as Nov. */
export function shortMonth(month: string): string {
  return shortMonths().format(new Date(`${month}-01`));
}

/** The present month in UTC, as payroll counts. */
export const thisMonth = (): string => new Date().toISOString().slice(0, 7);

/** The months from one day to another. */
export function monthsBetween(first: string, last: string): string[] {
  const [year, month] = first.split('-').map(Number) as [number, number];
  const months: string[] = [];
  for (let count = 0; ; count++) {
    const next = new Date(Date.UTC(year, month - 1 + count)).toISOString().slice(0, 7);
    if (next > last.slice(0, 7)) return months;
    months.push(next);
  }
}

/** Day and time, in the zone of the browser. */
export function moment(instant: string): string {
  return moments().format(new Date(instant));
}

const units = [
  ['year', 365 * dayLength],
  ['month', 30 * dayLength],
  ['day', dayLength],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const;

/** How far from now: in 3 days, 2 hours ago; 47 hours ago are a day, and not yesterday. Future instants are rounded: a second less than 3 days is not 2. */
export function distance(instant: string): string {
  const away = new Date(instant).getTime() - Date.now();
  const found = units.find(([, length]) => Math.abs(away) >= length);
  if (!found) return presents();
  const count = away / found[1];
  return distances().format(away > 0 ? Math.round(count) : Math.trunc(count), found[0]);
}

/** Whole days since an instant; negative before it. */
export const daysSince = (instant: string): number =>
  Math.floor((Date.now() - Date.parse(instant)) / dayLength);

/** Whether an instant or a day is over. */
export const isPast = (instant: string): boolean => Date.parse(instant) <= Date.now();

/** This year and so many more. */
export const yearAhead = (years: number): number => new Date().getFullYear() + years;

/** Today and so many years more, as the API takes it. */
export function dayInYears(years: number): string {
  const today = new Date().toISOString().slice(0, 10);
  return `${Number(today.slice(0, 4)) + years}${today.slice(4)}`;
}

/** How long so many seconds are, in the largest unit of which there are two at least: 90 minutes, 3 days. */
export function duration(seconds: number): string {
  const [unit, length] =
    units.find(([, length]) => seconds * 1000 >= 2 * length) ?? (['second', 1000] as const);
  const format = new Intl.NumberFormat(region(), {
    style: 'unit',
    unit,
    unitDisplay: 'long',
    maximumFractionDigits: 1,
  });
  return format.format((seconds * 1000) / length);
}

export function number(value: number): string {
  return numbers().format(value);
}

/** The instant so many days from now, as the API takes it. */
export function daysFromNow(days: number): string {
  return new Date(Date.now() + days * dayLength).toISOString();
}
