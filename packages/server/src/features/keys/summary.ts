import { daysOfKeyUse, KeyInUse, keysInUseMaximum, type PortalSummary } from '@kontor/contract';
import type { Scope } from '../../auth/scope.ts';
import type { Queryable } from '../../db/session.ts';
import { type Fragment, raw, sql } from '../../db/sql.ts';
import { renderRow, type Row } from '../../lib/render-row.ts';
import type { Searched } from '../../query/search-all.ts';
import { lastActivity } from './activity.ts';
import { healthState, isExpiring, isUnused } from './health-state.ts';
import { isWithin, canAccessTenant } from './store.ts';

type KeySummary = Pick<
  PortalSummary,
  'workingKeys' | 'activeKeys' | 'failing' | 'noRecentActivity' | 'expiring' | 'unused'
>;

/** The keys that work, each with what needs attention. */
function workingKeys(scope: Scope, tenant: string | null): Fragment {
  const organization = sql`${scope.organizationId}`;
  return sql`
    SELECT k.id, k.name, k.last_four, k.expires_at, k.last_used_at, k.last_success_at,
      ${lastActivity} AS last_activity, ${healthState(organization)} AS state,
      ${isExpiring(organization)} AS expiring, ${isUnused(organization)} AS unused
    FROM api_key k WHERE ${isWithin(scope)} AND ${canAccessTenant(scope, tenant)} AND k.status = 'active'
      AND (k.expires_at IS NULL OR k.expires_at > statement_timestamp())`;
}

/** Counts the working keys that need attention. The list of keys has a field for each set. */
export async function summarizeKeys(db: Queryable, scope: Scope, tenant: string | null): Promise<KeySummary> {
  const count = (condition: Fragment) => sql`(count(*) FILTER (WHERE ${condition}))::int`;
  const [summary] = await db.rows<KeySummary>(sql`
    SELECT count(*)::int AS "workingKeys", ${count(sql`state = 'active'`)} AS "activeKeys",
      ${count(sql`state = 'failing'`)} AS failing, ${count(sql`state = 'no_recent_activity'`)} AS "noRecentActivity",
      ${count(sql`expiring`)} AS expiring, ${count(sql`unused`)} AS unused
    FROM (${workingKeys(scope, tenant)}) AS working`);
  return summary!;
}

/** Most urgent first. Those that need no attention follow by name. */
const byUrgency = sql`array_position(ARRAY['failing', 'no_recent_activity', 'expiring', 'unused'], attention),
  CASE attention WHEN 'failing' THEN last_success_at WHEN 'no_recent_activity' THEN last_activity
    WHEN 'expiring' THEN expires_at WHEN 'unused' THEN last_used_at END NULLS FIRST, name, id`;

/** The working keys with the outcome of their requests on each of the last days. */
export async function readKeysInUse(db: Queryable, scope: Scope, tenant: string | null): Promise<KeyInUse[]> {
  const rows = await db.rows<Row>(sql`
    WITH working AS MATERIALIZED (
      SELECT *, CASE WHEN state IN ('failing', 'no_recent_activity') THEN state WHEN expiring THEN 'expiring'
        WHEN unused THEN 'unused' END AS attention FROM (${workingKeys(scope, tenant)}) AS working),
    urgent AS MATERIALIZED (SELECT * FROM working ORDER BY ${byUrgency} ${raw(`LIMIT ${keysInUseMaximum}`)})
    SELECT id, name, last_four, attention, expires_at, last_used_at, last_success_at, (
        SELECT json_agg(CASE WHEN u.requests IS NULL THEN 'none'
          WHEN u.rejected + u.limited + u.failed = 0 THEN 'fine'
          WHEN (u.rejected + u.limited + u.failed) * 2 > u.requests THEN 'failed' ELSE 'some' END ORDER BY d.day)
        FROM generate_series((statement_timestamp() AT TIME ZONE 'UTC')::date - ${daysOfKeyUse - 1}::int,
          (statement_timestamp() AT TIME ZONE 'UTC')::date, interval '1 day') AS d (day)
        LEFT JOIN key_usage u ON u.organization_id = ${scope.organizationId} AND u.key_id = urgent.id
          AND u.day = d.day::date) AS days
    FROM urgent ORDER BY ${byUrgency}`);
  return rows.map(row => renderRow(KeyInUse, row));
}

export function searchedKeys(scope: Scope): Searched {
  return {
    rows: sql`
      SELECT k.id, k.name, k.folded_name, k.id AS detail, lower(k.id) AS folded_id, NULL::text AS tenant FROM api_key k
      WHERE ${isWithin(scope)} AND k.status <> 'deleted'`,
    columns: ['folded_name', 'folded_id'],
  };
}
