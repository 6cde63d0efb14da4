/** The day so many days from today in UTC, `YYYY-MM-DD`. */
export function day(fromToday: number): string {
  return new Date(Date.now() + fromToday * 86_400_000).toISOString().slice(0, 10);
}

/** An instant at ten in the morning, so many days from today. */
export function instant(fromToday: number): string {
  return `${day(fromToday)}T10:00:00.000Z`;
}

/** The first day of a month, so many months from this one. */
export function firstOfMonth(fromNow: number): string {
  const now = new Date();
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + fromNow, 1)).toISOString().slice(0, 10);
}

/** The last day of a month, so many months from this one. */
export function lastOfMonth(fromNow: number): string {
  const next = new Date(`${firstOfMonth(fromNow + 1)}T00:00:00Z`);
  return new Date(next.getTime() - 86_400_000).toISOString().slice(0, 10);
}
