import { i18n } from '@lingui/core';

/** Milliseconds of a day. */
export const dayLength = 86_400_000;

/** A day, such as 3 Sept 2026, in the zone of the browser. */
export function day(instant: string): string {
  return new Intl.DateTimeFormat(i18n.locale, { dateStyle: 'medium' }).format(new Date(instant));
}

/** Day and time, in the zone of the browser. */
export function moment(instant: string): string {
  return new Intl.DateTimeFormat(i18n.locale, { dateStyle: 'medium', timeStyle: 'short' }).format(
    new Date(instant),
  );
}

const units = [
  ['year', 365 * dayLength],
  ['month', 30 * dayLength],
  ['day', dayLength],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const;

/** How far from now: in 3 days, 2 hours ago. */
export function distance(instant: string): string {
  const away = new Date(instant).getTime() - Date.now();
  const format = new Intl.RelativeTimeFormat(i18n.locale, { numeric: 'auto' });
  const [unit, length] = units.find(([, length]) => Math.abs(away) >= length) ?? (['second', 1000] as const);
  return unit === 'second' ? format.format(0, 'minute') : format.format(Math.trunc(away / length), unit);
}

export function number(value: number): string {
  return new Intl.NumberFormat(i18n.locale).format(value);
}

/** The instant so many days from now, as the API takes it. */
export function daysFromNow(days: number): string {
  return new Date(Date.now() + days * dayLength).toISOString();
}
