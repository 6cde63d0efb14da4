import { type Fragment, sql } from '../../../db/sql.ts';

/*
 * Whether the system behind an API key is still alive. Nothing of it is stored: it follows from the row of the key `k` and its daily usage,
 * wherever it is read. A key is in one of these states:
 *
 * not watched         It does not work, its system has moved on to the key that replaces it, or no interval is known.
 * watched             It is expected to succeed within the interval after `lastActivity`.
 * no recent activity  That interval is over.
 *
 * `organization` is what the organization of the key is compared with.
 */

/** Days of usage that the interval is computed from: each day of the week is there four times. */
export const usageDays = 28;

/** Fewest days with a pause, and fewest days between the first and the last of them: two week-ends. */
const minDays = 3;
const minSpan = 14;

/** A key may pause for half as long again as is usual, and for a quarter of an hour at least. */
const slack = 1.5;
const minInterval = 15 * 60;

/** Shortest interval of all, in seconds; a user may set it. */
const shortest = 300;

/** When a key `k` last succeeded, or since when it is watched. */
export const lastActivity: Fragment = sql`greatest(k.last_success_at, k.watched_from)`;

const lastDay: Fragment = sql`(k.last_success_at AT TIME ZONE 'UTC')::date`;

/**
 * The interval of a key `k` in seconds that follows from its usage; null where there is too little of it, since in the first two weeks a
 * week-end looks like an outage. The usual pause is the second longest of the daily longest ones: the very longest may have been an outage.
 */
export const computedInterval = (organization: Fragment): Fragment => sql`(
    SELECT greatest(${minInterval}::int, ceil((array_agg(d.longest_pause ORDER BY d.longest_pause DESC))[2] * ${slack}::numeric)::int)
    FROM key_usage d WHERE d.organization_id = ${organization} AND d.key_id = k.id AND d.longest_pause IS NOT NULL
      AND d.day > ${lastDay} - ${usageDays}::int
    GROUP BY d.organization_id
    HAVING count(*) >= ${minDays}::int AND min(d.day) <= ${lastDay} - ${minSpan}::int)`;

/** The interval that a user has set, else the computed one. */
export const expectedInterval = (organization: Fragment): Fragment =>
  sql`coalesce(k.expected_interval, ${computedInterval(organization)})`;

/** From when on a key `k` has no recent activity unless it succeeds before; null where it is not watched. */
export const overdueFrom = (organization: Fragment): Fragment => sql`
    CASE WHEN k.status = 'active' AND (k.expires_at IS NULL OR k.expires_at > statement_timestamp())
      AND NOT EXISTS (SELECT FROM api_key n WHERE n.organization_id = ${organization} AND n.id = k.replaced_by
        AND n.last_success_at > coalesce(k.last_success_at, '-infinity'))
    THEN ${lastActivity} + make_interval(secs => ${expectedInterval(organization)}) END`;

/** Whether a key `k` has no recent activity. The first condition spares the usage of keys that are in use. */
export const hasNoRecentActivity = (organization: Fragment): Fragment => sql`(
    ${lastActivity} < statement_timestamp() - make_interval(secs => ${shortest}::int)
    AND ${overdueFrom(organization)} < statement_timestamp())`;
