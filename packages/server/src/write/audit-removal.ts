import type { Queryable } from '../db/session.ts';
import { type Fragment, sql } from '../db/sql.ts';
import { tenantsOfEntry } from './audit-tenants.ts';
import { auditTogether } from './together.ts';
import type { Turn } from './turn.ts';

/** Entries of the audit that a transaction looks at: few enough that it takes some milliseconds. */
export const auditSliceSize = 5000;

/** For how many days the audit of an organization is kept. */
export interface AuditKeeping {
  /** What belongs to no tenant, or to one without days of its own; null: for ever. */
  readonly organization: number | null;
  /** Tenants with days of their own. */
  readonly tenants: ReadonlyMap<string, number>;
}

/** A place in the audit of an organization: behind the entry of this instant and target. */
export interface AuditPosition {
  /** As PostgreSQL reads it, to the microsecond. */
  readonly at: string;
  readonly targetId: string;
}

/** In front of all entries. */
export const auditStart: AuditPosition = { at: '-infinity', targetId: '' };

/** A part of an audit that is looked at. */
export interface AuditSlice {
  readonly keeping: AuditKeeping;
  /** Entries that are kept for more days than these stay. */
  readonly days: number;
  readonly from: AuditPosition;
  /** The instant since which entries are kept for so many days. */
  readonly before: Date;
  /** Most entries to look at. */
  readonly max: number;
}

/**
 * Looks at entries of the audit of an organization in their order, removes those that need not be kept any longer, and says so there:
 * for each tenant with days of its own, and together for all else. Nothing else removes or changes entries. The caller sees to it that
 * nobody changes meanwhile for how long they are kept. Returns how many were removed, where it has ended, and whether entries are left
 * behind that.
 * @throws those of the database, such as that its role may not.
 */
export async function removeAuditSlice(
  { organizationId, author }: Turn,
  session: Queryable,
  slice: AuditSlice,
): Promise<{ removed: number; reached: AuditPosition; isLast: boolean }> {
  const last = await lastOf(session, organizationId, slice);
  const reached = last ?? { at: slice.before.toISOString(), targetId: '' };
  const removed = await session.rows<{ tenantId: string | null; count: number }>(
    removalOf(organizationId, slice, reached),
  );
  const counts = new Map<string, number>();
  for (const { tenantId, count } of removed) {
    const hasOwn = tenantId !== null && slice.keeping.tenants.has(tenantId);
    const target = hasOwn ? tenantId : organizationId || 'platform';
    counts.set(target, count + (counts.get(target) ?? 0));
  }
  const entries = [...counts].map(([id, count]) => {
    return { ...author, action: 'audit.remove', id, reason: null, count, age: 0 };
  });
  if (entries.length > 0) await auditTogether(session, organizationId, entries);
  const sum = entries.reduce((total, { count }) => total + count, 0);
  return { removed: sum, reached, isLast: last === undefined };
}

/** The entry with which a slice is full; undefined where there are not so many. */
async function lastOf(
  session: Queryable,
  organizationId: string,
  { from, before, max }: AuditSlice,
): Promise<AuditPosition | undefined> {
  const [last] = await session.rows<AuditPosition>(sql`
    SELECT at::text AS at, target_id AS "targetId" FROM audit
    WHERE organization_id = ${organizationId}
      AND (at, target_id) > (${from.at}::timestamptz, ${from.targetId}::text) AND at < ${before}
    ORDER BY at, target_id LIMIT 1 OFFSET ${max - 1}`);
  return last;
}

/** The one statement that removes entries, which tells how many of which tenant; null of none, of several, or where nobody can tell. */
export function removalOf(
  organizationId: string,
  { keeping, days, from, before }: AuditSlice,
  to: AuditPosition,
): Fragment {
  const isOver = (kept: number | null) => kept !== null && kept <= days;
  return sql`
    WITH entry AS MATERIALIZED (
      SELECT s.at, s.target_id, ${tenantsOfEntry(sql`s`, organizationId)} AS tenants
      FROM audit s WHERE s.organization_id = ${organizationId}
        AND (s.at, s.target_id) > (${from.at}::timestamptz, ${from.targetId}::text)
        AND (s.at, s.target_id) <= (${to.at}::timestamptz, ${to.targetId}::text) AND s.at < ${before}
    ), removed AS (
      DELETE FROM audit a USING entry
      WHERE a.organization_id = ${organizationId} AND a.at = entry.at AND a.target_id = entry.target_id AND CASE
        WHEN entry.tenants IS NULL THEN ${isOver(longestOf(keeping))}::boolean
        WHEN cardinality(entry.tenants) = 0 THEN ${isOver(keeping.organization)}::boolean
        ELSE NOT EXISTS (
          SELECT FROM tenant t WHERE t.organization_id = ${organizationId} AND t.id = ANY(entry.tenants)
            AND CASE WHEN t.audit_days IS NULL THEN NOT ${isOver(keeping.organization)}::boolean
              ELSE t.audit_days > ${days}::integer END) END
      RETURNING CASE cardinality(entry.tenants) WHEN 1 THEN entry.tenants[1] END AS tenant_id
    )
    SELECT tenant_id AS "tenantId", count(*)::int AS count FROM removed GROUP BY tenant_id`;
}

/** For how many days that is kept of which nobody can tell whose it is; null: for ever. */
function longestOf({ organization, tenants }: AuditKeeping): number | null {
  if (organization === null) return null;
  let longest = organization;
  for (const days of tenants.values()) longest = Math.max(longest, days);
  return longest;
}
