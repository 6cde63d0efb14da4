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

/** How long so many seconds are, in the largest unit of which there are two at least: 90 minutes, 3 days. */
export function duration(seconds: number): string {
  const [unit, length] =
    units.find(([, length]) => seconds * 1000 >= 2 * length) ?? (['second', 1000] as const);
  const format = new Intl.NumberFormat(i18n.locale, {
    style: 'unit',
    unit,
    unitDisplay: 'long',
    maximumFractionDigits: 1,
  });
  return format.format((seconds * 1000) / length);
}

export function number(value: number): string {
  return new Intl.NumberFormat(i18n.locale).format(value);
}

/** The instant so many days from now, as the API takes it. */
export function daysFromNow(days: number): string {
  return new Date(Date.now() + days * dayLength).toISOString();
}
