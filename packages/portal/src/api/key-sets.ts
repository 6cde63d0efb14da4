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

/** The filter of the API for a set of keys (specification.md 3.3). */
export function filterOfSet(show: Show): string {
  switch (show) {
    case 'unused':
      return 'unused = true';
    case 'endless':
      return "status = 'active' AND expiresAt IS NULL";
    case 'ending':
      return 'expiring = true';
    default:
      return `health = '${show}'`;
  }
}
