/** Sets of keys that a user looks for, as the address of the list names them: the health states, and sets that may need attention. */
export const shows = [
  'active',
  'failing',
  'no_recent_activity',
  'being_replaced',
  'never_used',
  'inactive',
  'expired',
  'deleted',
  'unused',
  'endless',
  'ending',
] as const;
export type Show = (typeof shows)[number];

/** The keys that work, in any health. */
const workingKeys = "status = 'active'";

const day = 86_400_000;

/** The filter of the API for a set of keys (specification.md 3.3); `now` in milliseconds, cut to the hour so that it is asked once. */
export function filterOfSet(show: Show, now: number): string {
  const hour = now - (now % 3_600_000);
  const at = (days: number) => new Date(hour + days * day).toISOString();
  switch (show) {
    case 'unused':
      return `${workingKeys} AND beingReplaced = false AND createdAt < ${at(-90)} AND (lastUsedAt IS NULL OR lastUsedAt < ${at(-90)})`;
    case 'endless':
      return `${workingKeys} AND expiresAt IS NULL`;
    case 'ending':
      return `${workingKeys} AND beingReplaced = false AND expiresAt < ${at(30)}`;
    default:
      return `health = '${show}'`;
  }
}
