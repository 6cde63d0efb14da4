import { type KeyToCheck, type PortalSummary, summarizedItems } from '@kontor/contract';
import type { Scope } from '../../auth/scope.ts';
import type { Queryable } from '../../db/session.ts';
import { type Fragment, join, raw, sql } from '../../db/sql.ts';
import type { Searched } from '../../query/search-all.ts';
import { lastActivity } from './activity.ts';
import { healthState, isExpiring, isUnused } from './health-state.ts';
import { isWithin, canAccessTenant } from './store.ts';

/** The sets of working keys that need attention, each with its order. The list of keys has a field for each. */
const sets = {
  failing: { condition: sql`state = 'failing'`, order: sql`last_success_at NULLS FIRST` },
  noRecentActivity: { condition: sql`state = 'no_recent_activity'`, order: sql`last_activity` },
  expiring: { condition: sql`expiring`, order: sql`expires_at` },
  unused: { condition: sql`unused`, order: sql`last_used_at NULLS FIRST` },
} as const satisfies Record<string, { condition: Fragment; order: Fragment }>;

type SetName = keyof typeof sets;
type KeySummary = Pick<PortalSummary, 'workingKeys' | 'activeKeys' | SetName>;

interface SetRow extends Omit<KeyToCheck, 'expiresAt' | 'lastUsedAt' | 'lastSuccessAt'> {
  readonly set: SetName | 'workingKeys' | 'activeKeys';
  readonly total: number;
  readonly expiresAt: Date | null;
  readonly lastUsedAt: Date | null;
  readonly lastSuccessAt: Date | null;
}

/** Reads the working keys once, for all sets. */
export async function summarizeKeys(db: Queryable, scope: Scope, tenant: string | null): Promise<KeySummary> {
  const organization = sql`${scope.organizationId}`;
  const named = Object.entries(sets).map(
    ([name, { condition, order }]) => sql`(
      SELECT ${name}::text AS set, (SELECT count(*) FROM working WHERE ${condition})::int AS total, id, name,
        last_four AS "lastFour", expires_at AS "expiresAt", last_used_at AS "lastUsedAt", last_success_at AS "lastSuccessAt"
      FROM working WHERE ${condition} ORDER BY ${order}, id ${raw(`LIMIT ${summarizedItems}`)})`,
  );
  const rows = await db.rows<SetRow>(sql`
    WITH working AS MATERIALIZED (
      SELECT k.id, k.name, k.last_four, k.expires_at, k.last_used_at, k.last_success_at,
        ${lastActivity} AS last_activity, ${healthState(organization)} AS state,
        ${isExpiring(organization)} AS expiring, ${isUnused(organization)} AS unused
      FROM api_key k WHERE ${isWithin(scope)} AND ${canAccessTenant(scope, tenant)} AND k.status = 'active'
        AND (k.expires_at IS NULL OR k.expires_at > statement_timestamp()))
    ${join(named, ' UNION ALL ')}
    UNION ALL SELECT 'workingKeys', count(*)::int, '', '', '', NULL, NULL, NULL FROM working
    UNION ALL SELECT 'activeKeys', count(*)::int, '', '', '', NULL, NULL, NULL FROM working WHERE state = 'active'`);
  const ofSet = (name: SetName) => {
    const found = rows.filter(({ set }) => set === name);
    return { total: found[0]?.total ?? 0, items: found.map(keyToCheck) };
  };
  return {
    workingKeys: rows.find(({ set }) => set === 'workingKeys')!.total,
    activeKeys: rows.find(({ set }) => set === 'activeKeys')!.total,
    failing: ofSet('failing'),
    noRecentActivity: ofSet('noRecentActivity'),
    expiring: ofSet('expiring'),
    unused: ofSet('unused'),
  };
}

function keyToCheck({ id, name, lastFour, expiresAt, lastUsedAt, lastSuccessAt }: SetRow): KeyToCheck {
  return {
    id,
    name,
    lastFour,
    expiresAt: expiresAt?.toISOString() ?? null,
    lastUsedAt: lastUsedAt?.toISOString() ?? null,
    lastSuccessAt: lastSuccessAt?.toISOString() ?? null,
  };
}

export function searchedKeys(scope: Scope): Searched {
  return {
    rows: sql`
      SELECT k.id, k.name, k.folded_name, k.id AS detail, lower(k.id) AS folded_id, NULL::text AS tenant FROM api_key k
      WHERE ${isWithin(scope)} AND k.status <> 'deleted'`,
    columns: ['folded_name', 'folded_id'],
  };
}
