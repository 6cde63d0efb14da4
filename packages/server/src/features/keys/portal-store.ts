import { ApiKeyHealth, PortalApiKey } from '@kontor/contract';
import Type, { type Static } from 'typebox';
import type { Queryable } from '../../db/session.ts';
import { type Fragment, sql } from '../../db/sql.ts';
import type { Scope } from '../../auth/scope.ts';
import { changedValues } from '../../lib/changed-values.ts';
import { renderRow, type Row } from '../../lib/render-row.ts';
import type { RowList } from '../../query/rows.ts';
import type { Write } from '../../write/writes.ts';
import { computedInterval, hasNoRecentActivity, lastActivity, overdueFrom } from './activity.ts';
import { healthState, isBeingReplaced, isExpiring, isUnused, urgency } from './health-state.ts';
import { canAccessTenant, defineKeys, isWithin, listedColumns } from './store.ts';

/** Days of usage in a list of keys. */
const listedDays = 30;

const usageList = defineKeys(PortalApiKey, {
  lastFour: 'folded_last_four',
  createdBy: 'folded_created_by',
});

export const portalKeyList: RowList<PortalApiKey> = {
  ...usageList,
  item: row => usageList.item({ ...row, ...byDay((row['days'] ?? []) as UsedDay[]) }),
};

interface UsedDay {
  readonly day: string;
  readonly requests: number;
  /** The requests that did not succeed. */
  readonly rejections: number;
}

/** Numbers for each of the last days, including days without requests. */
function byDay(days: readonly UsedDay[]) {
  const found = new Map(days.map(use => [use.day, use]));
  const listed = Array.from({ length: listedDays }, (_, index) => {
    const day = new Date(Date.now() - (listedDays - 1 - index) * 86_400_000).toISOString().slice(0, 10);
    return found.get(day);
  });
  return {
    requests_by_day: listed.map(use => use?.requests ?? 0),
    rejections_by_day: listed.map(use => use?.rejections ?? 0),
  };
}

/** The keys of an organization with a scope within `scope`, or those that see a tenant. */
export function portalKeyRows(scope: Scope, tenant: string | null = null): Fragment {
  const organization = sql`${scope.organizationId}`;
  const usage = sql`key_usage u WHERE u.organization_id = ${organization} AND u.key_id = k.id
      AND u.day > (statement_timestamp() AT TIME ZONE 'UTC')::date - ${listedDays}::int`;
  return sql`SELECT ${listedColumns(organization)}, k.last_four, lower(k.last_four) AS folded_last_four,
      ${maker(organization, sql`u.name`, sql`t.name`)} AS created_by,
      ${maker(organization, sql`u.folded_name`, sql`lower(t.name)`)} AS folded_created_by,
      k.last_success_at,
      ${healthState(organization)} AS health, ${isBeingReplaced(organization)} AS being_replaced,
      ${urgency(organization)} AS urgency, ${isExpiring(organization)} AS expiring, ${isUnused(organization)} AS unused,
      CASE WHEN ${hasNoRecentActivity(organization)} THEN ${lastActivity} END AS no_recent_activity_since,
      (SELECT coalesce(sum(u.requests), 0)::float8 FROM ${usage}) AS requests,
      (SELECT coalesce(sum(u.rejected + u.denied + u.limited + u.failed), 0)::float8 FROM ${usage}) AS rejections,
      (SELECT json_agg(json_build_object('day', u.day, 'requests', u.requests, 'rejections', u.rejected + u.denied + u.limited + u.failed))
        FROM ${usage}) AS days
    FROM api_key k WHERE ${isWithin(scope)} AND ${canAccessTenant(scope, tenant)}`;
}

/** Current name of the creator of a key `k`; null when it was deleted. */
function maker(organization: Fragment, user: Fragment, token: Fragment): Fragment {
  return sql`CASE k.created_by_type
        WHEN 'user' THEN (SELECT ${user} FROM portal_user u WHERE u.organization_id = ${organization} AND u.id = k.created_by)
        WHEN 'platform_token' THEN (SELECT ${token} FROM platform_token t WHERE t.id = k.created_by)
        ELSE k.created_by_type END`;
}

export async function findPortalKey(db: Queryable, scope: Scope, id: string): Promise<PortalApiKey | null> {
  const [row] = await db.rows<Row>(sql`${portalKeyRows(scope)} AND k.id = ${id}`);
  return row ? portalKeyList.item(row) : null;
}

const Activity = Type.Omit(ApiKeyHealth, ['polls', 'errors']);

export async function readActivity(
  db: Queryable,
  scope: Scope,
  id: string,
): Promise<Static<typeof Activity> | null> {
  const { organizationId } = scope;
  const organization = sql`${organizationId}`;
  const [row] = await db.rows<Row>(sql`
    SELECT k.last_used_at, k.last_success_at, k.expected_interval AS expected_interval_seconds,
      ${computedInterval(organization)} AS computed_interval_seconds, ${overdueFrom(organization)} AS overdue_from,
      CASE WHEN ${hasNoRecentActivity(organization)} THEN ${lastActivity} END AS no_recent_activity_since,
      (SELECT n.id FROM api_key n WHERE n.organization_id = ${organizationId} AND n.id = k.replaced_by
        AND n.status <> 'deleted') AS replaced_by,
      (SELECT min(old.id) FROM api_key old WHERE old.organization_id = ${organizationId} AND old.replaced_by = k.id)
        AS replaces,
      (SELECT o.clock FROM organization o WHERE o.id = ${organizationId}) AS clock_at
    FROM api_key k WHERE ${isWithin(scope)} AND k.id = ${id}`);
  return row ? renderRow(Activity, row) : null;
}

/** Sets the interval of a locked key. A key that has not succeeded yet is watched from its last use, or else its creation. */
export async function updateExpectedInterval(
  write: Write,
  session: Queryable,
  id: string,
  expected: number | null,
): Promise<void> {
  const isKey = sql`organization_id = ${write.organizationId} AND id = ${id}`;
  const [before] = await session.rows<{ expectedIntervalSeconds: number | null }>(sql`
    SELECT expected_interval AS "expectedIntervalSeconds" FROM api_key WHERE ${isKey}`);
  const changes = changedValues(before!, { expectedIntervalSeconds: expected });
  const fields = Object.keys(changes);
  if (fields.length === 0) return;
  write.send(sql`
    UPDATE api_key SET expected_interval = ${expected}::int,
      watched_from = coalesce(watched_from, CASE WHEN last_success_at IS NULL THEN coalesce(last_used_at, created_at) END)
    WHERE ${isKey}`);
  write.audit({ id, action: 'key.update', fields, changes });
}
