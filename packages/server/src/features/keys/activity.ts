import { type Fragment, sql } from '../../db/sql.ts';

/*
 * Whether the system behind an API key is still active. The state is not stored: it follows from the row of the key `k` and its daily usage.
 *
 * - not watched: the key does not work, its system uses the replacement, or no interval is known
 * - watched: a success is expected within the interval after `lastActivity`
 * - no recent activity: that interval is over
 *
 * `organization` is the SQL expression of the key's organization.
 */

/** Days of usage for the computed interval: each weekday occurs four times. */
export const usageDays = 28;

/** Min days with a pause, and min days between the first and the last of them: two weekends. */
const minDays = 3;
const minSpan = 14;

/** A key may pause 1.5 times the usual pause, and at least 15 minutes. */
const slack = 1.5;
const minInterval = 15 * 60;

/** Shortest interval in seconds that a user may set. */
const shortest = 300;

/** Time of the last success of a key `k`, or the start of watching. */
export const lastActivity: Fragment = sql`greatest(k.last_success_at, k.watched_from)`;

const lastDay: Fragment = sql`(k.last_success_at AT TIME ZONE 'UTC')::date`;

/**
 * The interval of a key `k` in seconds, computed from its usage. Null for too little usage: in the first two weeks a weekend looks like
 * an outage. The usual pause is the second longest of the daily maxima, because the longest may have been an outage.
 */
export const computedInterval = (organization: Fragment): Fragment => sql`(
    SELECT greatest(${minInterval}::int, ceil((array_agg(d.longest_pause ORDER BY d.longest_pause DESC))[2] * ${slack}::numeric)::int)
    FROM key_usage d WHERE d.organization_id = ${organization} AND d.key_id = k.id AND d.longest_pause IS NOT NULL
      AND d.day > ${lastDay} - ${usageDays}::int
    GROUP BY d.organization_id
    HAVING count(*) >= ${minDays}::int AND min(d.day) <= ${lastDay} - ${minSpan}::int)`;

export const expectedInterval = (organization: Fragment): Fragment =>
  sql`coalesce(k.expected_interval, ${computedInterval(organization)})`;

/** When a key `k` without another success becomes overdue; null when it is not watched. */
export const overdueFrom = (organization: Fragment): Fragment => sql`
    CASE WHEN k.status = 'active' AND (k.expires_at IS NULL OR k.expires_at > statement_timestamp())
      AND NOT EXISTS (SELECT FROM api_key n WHERE n.organization_id = ${organization} AND n.id = k.replaced_by
        AND n.last_success_at > coalesce(k.last_success_at, '-infinity'))
    THEN ${lastActivity} + make_interval(secs => ${expectedInterval(organization)}) END`;

/** Whether a key `k` has no recent activity. The first condition avoids reading the usage of keys in use. */
export const hasNoRecentActivity = (organization: Fragment): Fragment => sql`(
    ${lastActivity} < statement_timestamp() - make_interval(secs => ${shortest}::int)
    AND ${overdueFrom(organization)} < statement_timestamp())`;
