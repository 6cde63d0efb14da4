import type { Queryable } from '../../db/session.ts';
import { type Fragment, sql } from '../../db/sql.ts';
import type { Scope } from '../../auth/scope.ts';
import type { Write } from '../../write/writes.ts';
import {
  computedInterval,
  hasNoRecentActivity,
  lastActivity,
  overdueFrom,
} from './no-recent-activity/state.ts';
import { isWithin, listedColumns, type ListedRow } from './store.ts';

/** Days of usage in a list of keys. */
export const listedDays = 30;

export interface PortalRow extends ListedRow {
  last_four: string;
  created_by_name: string | null;
  last_success_at: Date | null;
  no_recent_activity_since: Date | null;
  requests: string;
  rejections: string;
  /** Only days with requests. `rejections` are the requests that did not succeed. */
  days: { day: string; requests: number; rejections: number }[] | null;
}

/** The keys of an organization with a scope within `scope`. */
export function portalKeyRows(scope: Scope): Fragment {
  const organization = sql`${scope.organizationId}`;
  const usage = sql`key_usage u WHERE u.organization_id = ${organization} AND u.key_id = k.id
      AND u.day > (statement_timestamp() AT TIME ZONE 'UTC')::date - ${listedDays}::int`;
  return sql`SELECT ${listedColumns(organization)}, lower(k.id) AS folded_id,
      k.folded_name, k.last_four, lower(k.last_four) AS folded_last_four,
      ${maker(organization, sql`u.name`, sql`t.name`)} AS created_by_name,
      ${maker(organization, sql`u.folded_name`, sql`lower(t.name)`)} AS folded_created_by,
      k.last_success_at,
      CASE WHEN ${hasNoRecentActivity(organization)} THEN ${lastActivity} END AS no_recent_activity_since,
      (SELECT coalesce(sum(u.requests), 0)::bigint FROM ${usage}) AS requests,
      (SELECT coalesce(sum(u.rejected + u.limited + u.failed), 0)::bigint FROM ${usage}) AS rejections,
      (SELECT json_agg(json_build_object('day', u.day, 'requests', u.requests, 'rejections', u.rejected + u.limited + u.failed))
        FROM ${usage}) AS days
    FROM api_key k WHERE ${isWithin(scope)}`;
}

/** Current name of the creator of a key `k`; null when it was deleted. */
function maker(organization: Fragment, user: Fragment, token: Fragment): Fragment {
  return sql`CASE k.created_by_type
        WHEN 'user' THEN (SELECT ${user} FROM portal_user u WHERE u.organization_id = ${organization} AND u.id = k.created_by)
        WHEN 'platform_token' THEN (SELECT ${token} FROM platform_token t WHERE t.id = k.created_by)
        ELSE k.created_by_type END`;
}

export async function findPortalKey(db: Queryable, scope: Scope, id: string): Promise<PortalRow | null> {
  const [row] = await db.rows<PortalRow>(sql`${portalKeyRows(scope)} AND k.id = ${id}`);
  return row ?? null;
}

/** Intervals are in seconds. */
export interface Activity {
  readonly createdAt: string;
  readonly lastUsedAt: string | null;
  readonly lastSuccessAt: string | null;
  readonly watchedFrom: string | null;
  /** Set by a user. */
  readonly expected: number | null;
  readonly computed: number | null;
  readonly overdueFrom: string | null;
  readonly noRecentActivitySince: string | null;
  readonly replacedBy: string | null;
  readonly replaces: string | null;
  readonly clockAt: string;
}

interface ActivityRow {
  created_at: Date;
  watched_from: Date | null;
  last_used_at: Date | null;
  last_success_at: Date | null;
  expected: number | null;
  computed: number | null;
  overdue_from: Date | null;
  no_recent_activity_since: Date | null;
  replaced_by: string | null;
  replaces: string | null;
  clock: Date;
}

export async function readActivity(db: Queryable, scope: Scope, id: string): Promise<Activity | null> {
  const { organizationId } = scope;
  const organization = sql`${organizationId}`;
  const [row] = await db.rows<ActivityRow>(sql`
    SELECT k.created_at, k.last_used_at, k.last_success_at, k.watched_from, k.expected_interval AS expected,
      ${computedInterval(organization)} AS computed, ${overdueFrom(organization)} AS overdue_from,
      CASE WHEN ${hasNoRecentActivity(organization)} THEN ${lastActivity} END AS no_recent_activity_since, k.replaced_by,
      (SELECT min(old.id) FROM api_key old WHERE old.organization_id = ${organizationId} AND old.replaced_by = k.id)
        AS replaces,
      (SELECT o.clock FROM organization o WHERE o.id = ${organizationId}) AS clock
    FROM api_key k WHERE ${isWithin(scope)} AND k.id = ${id}`);
  if (!row) return null;
  const { expected, computed, replaces } = row;
  return {
    createdAt: row.created_at.toISOString(),
    lastUsedAt: instantOf(row.last_used_at),
    lastSuccessAt: instantOf(row.last_success_at),
    watchedFrom: instantOf(row.watched_from),
    expected,
    computed,
    overdueFrom: instantOf(row.overdue_from),
    noRecentActivitySince: instantOf(row.no_recent_activity_since),
    replacedBy: row.replaced_by,
    replaces,
    clockAt: row.clock.toISOString(),
  };
}

function instantOf(date: Date | null): string | null {
  return date?.toISOString() ?? null;
}

/** Sets the interval of a locked key. `watchedFrom` starts watching a key that has not succeeded yet. */
export function updateExpectedInterval(
  write: Write,
  id: string,
  { expected, watchedFrom }: { expected: number | null; watchedFrom: string | null },
): void {
  write.send(sql`
    UPDATE api_key SET expected_interval = ${expected}, watched_from = ${watchedFrom}
    WHERE organization_id = ${write.organizationId} AND id = ${id}`);
  write.audit({ id, action: 'key.update', fields: ['expectedIntervalSeconds'] });
}
