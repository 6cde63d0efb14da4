/** Days that the usual pause is learned from: each day of the week is there four times. */
export const rhythmDays = 28;

/** Fewest days in which something was heard behind a pause, and days that must lie between the first of them and now: two week-ends. */
const daysNeeded = 3;
const spanNeeded = 14;

/** A pause after which a key is silent is by so much longer than the usual one, and has so many seconds at least. */
const slack = 1.5;
const shortestSilence = 15 * 60;

/** A pause that ended on a day, in seconds. */
export interface Pause {
  /** In UTC, `YYYY-MM-DD`. */
  readonly day: string;
  readonly seconds: number;
}

/**
 * The pause of a system between two requests that succeed that is usual, in seconds: the longest one of the last four weeks but for the
 * day with the very longest, which may have been an outage. Null until it is known: in the first two weeks a week-end looks like
 * an outage.
 */
export function usualPause(pauses: readonly Pause[], today: string): number | null {
  const longest = new Map<string, number>();
  for (const { day, seconds } of pauses)
    if (daysBetween(day, today) < rhythmDays) longest.set(day, Math.max(seconds, longest.get(day) ?? 0));
  if (longest.size < daysNeeded) return null;
  const first = Math.max(...Array.from(longest.keys(), day => daysBetween(day, today)));
  if (first < spanNeeded) return null;
  const [, second] = [...longest.values()].sort((a, b) => b - a);
  return second!;
}

/** The pause after which a key is silent, in seconds: what a user expects, or half as much again as is usual; null: nobody knows. */
export function allowedPause(rhythm: { expected: number | null; usual: number | null }): number | null {
  const { expected, usual } = rhythm;
  if (expected !== null) return expected;
  return usual === null ? null : Math.max(shortestSilence, Math.ceil(usual * slack));
}

function daysBetween(from: string, to: string): number {
  return (Date.parse(to) - Date.parse(from)) / 86_400_000;
}
