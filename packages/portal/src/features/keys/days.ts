import type { AnswerOf } from '../../api/ask.ts';
import { number } from '../../kit/dates.ts';

/** How a key is used. */
export type Use = AnswerOf<'GET /api-keys/{id}/usage'>;
export type Day = Use['days'][number];

/** How many of these days together. */
export function sumOf(days: readonly Day[], of: keyof Omit<Day, 'day'>): number {
  return days.reduce((total, day) => total + day[of], 0);
}

/** The sums of these days, formatted. */
export function countsOf(days: readonly Day[]) {
  return {
    requests: number(sumOf(days, 'requests')),
    rejected: number(sumOf(days, 'rejected') + sumOf(days, 'limited')),
    failed: number(sumOf(days, 'failed')),
  };
}

/** Requests of today, in UTC as all days of the service. */
export function requestsToday(days: readonly Day[]): number {
  const today = new Date().toISOString().slice(0, 10);
  return days.find(({ day }) => day === today)?.requests ?? 0;
}
