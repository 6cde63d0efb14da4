import type { Scope } from '../../auth/scope.ts';
import { scopePredicate } from '../../auth/scope-predicate.ts';
import type { Queryable } from '../../db/session.ts';
import { sql } from '../../db/sql.ts';
import { lastDay } from './store.ts';

/** Days before the expiry of an undecided order from which it expires soon. */
const soonDays = 3;

/** Orders, with those since an instant, and the instant of the latest. */
export interface CountedOrders {
  readonly count: number;
  readonly unread: number;
  /** Null without any. */
  readonly at: Date | null;
}

/**
 * Counts the orders without a decision until an instant, and those of them that expire soon. An order is new by `created_at`, which follows
 * the order of commits, so none is missed between two readings.
 */
export async function countWaitingOrders(
  db: Queryable,
  scope: Scope,
  { since, until }: { readonly since: Date; readonly until: Date },
): Promise<{ created: CountedOrders; expiring: CountedOrders }> {
  const [row] = await db.rows<
    Record<`${'created' | 'expiring'}${'Count' | 'Unread'}`, number> &
      Record<'createdAt' | 'expiringAt', Date | null>
  >(sql`
    SELECT count(*)::int AS "createdCount", (count(*) FILTER (WHERE created_at > ${since}))::int AS "createdUnread",
      max(created_at) AS "createdAt",
      (count(*) FILTER (WHERE soon_at <= ${until}))::int AS "expiringCount",
      (count(*) FILTER (WHERE soon_at <= ${until} AND soon_at > ${since}))::int AS "expiringUnread",
      max(soon_at) FILTER (WHERE soon_at <= ${until}) AS "expiringAt"
    FROM (
      SELECT w.created_at, CASE WHEN t.decision_days IS NOT NULL
        THEN greatest(w.created_at, w.submitted_at + make_interval(hours => 24 * (t.decision_days - ${soonDays}::int))) END AS soon_at
      FROM (
        SELECT o.tenant_id, o.created_at, o.submitted_at FROM employee_order o
        WHERE ${scopePredicate(scope, null)} AND o.status = 'under_review' AND ${lastDay} IS NULL AND o.created_at <= ${until}) AS w
      LEFT JOIN tenant t ON t.organization_id = ${scope.organizationId} AND t.id = w.tenant_id
    ) AS waiting`);
  const { createdCount, createdUnread, createdAt, expiringCount, expiringUnread, expiringAt } = row!;
  return {
    created: { count: createdCount, unread: createdUnread, at: createdAt },
    expiring: { count: expiringCount, unread: expiringUnread, at: expiringAt },
  };
}
