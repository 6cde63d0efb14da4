/** Sets of keys that a user looks for, as the address of the list names them. */
export const shows = [
  'active',
  'inactive',
  'expired',
  'deleted',
  'noRecentActivity',
  'unused',
  'endless',
  'ending',
] as const;
export type Show = (typeof shows)[number];

const day = 86_400_000;

/** The filter of the API for a set of keys (specification.md 3.3); `now` in milliseconds, cut to the hour so that it is asked once. */
export function filterOfSet(show: Show, now: number): string {
  const hour = now - (now % 3_600_000);
  const at = (days: number) => new Date(hour + days * day).toISOString();
  const filters: Record<Show, string> = {
    active: "status = 'active'",
    inactive: "status = 'inactive'",
    expired: "status = 'expired'",
    deleted: "status = 'deleted'",
    noRecentActivity: 'noRecentActivitySince IS NOT NULL',
    unused: `status = 'active' AND createdAt < ${at(-90)} AND (lastUsedAt IS NULL OR lastUsedAt < ${at(-90)})`,
    endless: "status = 'active' AND expiresAt IS NULL",
    ending: `status = 'active' AND expiresAt < ${at(30)}`,
  };
  return filters[show];
}
