import type { Scope } from '../../auth/scope.ts';
import { scopePredicate } from '../../auth/scope-predicate.ts';
import type { Queryable } from '../../db/session.ts';
import { sql } from '../../db/sql.ts';
import { daysIn, type Month, monthBefore, monthOf } from '../../lib/calendar.ts';

interface PayrollState {
  readonly firstPeriod: Month;
  readonly cutOffDay: number | null;
  readonly released: Month | null;
}

/** A month whose payroll is due. */
export interface DueMonth {
  readonly month: Month;
  /** When it became due. */
  readonly at: Date;
}

/**
 * The latest month whose payroll is due at an instant, unless it is released. A month is due from the day after the cut-off day on, and
 * without one from the first of the month.
 */
export function findDueMonth({ firstPeriod, cutOffDay, released }: PayrollState, now: Date): DueMonth | null {
  const present = monthOf(now.toISOString());
  const month = dueFrom(present, cutOffDay) <= now ? present : monthBefore(present);
  if (month < firstPeriod || (released !== null && month <= released)) return null;
  return { month, at: dueFrom(month, cutOffDay) };
}

function dueFrom(month: Month, cutOffDay: number | null): Date {
  const days = cutOffDay === null ? 0 : Math.min(cutOffDay, daysIn(month));
  return new Date(Date.parse(`${month}-01T00:00:00Z`) + days * 86_400_000);
}

/** The companies of a scope whose payroll is due at an instant, by name. Each has at most one month: the latest. */
export async function readDuePayroll(
  db: Queryable,
  scope: Scope,
  now: Date,
): Promise<(DueMonth & { readonly tenant: string; readonly name: string })[]> {
  const { organizationId } = scope;
  const rows = await db.rows<PayrollState & { tenant: string; name: string }>(sql`
    SELECT t.id AS tenant, t.name, s.settings ->> 'firstPeriod' AS "firstPeriod", (s.settings ->> 'cutOffDay')::int AS "cutOffDay",
      (SELECT max(r.period) FROM payroll_run r WHERE r.organization_id = ${organizationId} AND r.tenant_id = s.tenant_id
        AND r.status = 'released' AND r.kind = 'regular') AS released
    FROM (SELECT tenant_id, settings FROM payroll_settings WHERE ${scopePredicate(scope, null)}) AS s
    JOIN tenant t ON t.organization_id = ${organizationId} AND t.id = s.tenant_id
    ORDER BY t.folded_name, t.id`);
  return rows.flatMap(({ tenant, name, ...state }) => {
    const due = findDueMonth(state, now);
    return due ? [{ tenant, name, ...due }] : [];
  });
}
