import type { Scope } from '../../auth/scope.ts';
import { scopePredicate } from '../../auth/scope-predicate.ts';
import type { Queryable } from '../../db/session.ts';
import { sql } from '../../db/sql.ts';
import { type Month, monthBefore, monthOf } from '../../lib/calendar.ts';
import { cutOffDayOf } from './draft.ts';
import { fromReleased } from './settings.ts';

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
  const cutOff = cutOffDayOf({ cutOffDay }, month);
  return cutOff === null ? new Date(`${month}-01`) : new Date(Date.parse(cutOff) + 86_400_000);
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
      (SELECT max(period) ${fromReleased(organizationId, sql`s.tenant_id`)}) AS released
    FROM (SELECT tenant_id, settings FROM payroll_settings WHERE ${scopePredicate(scope, null)}) AS s
    JOIN tenant t ON t.organization_id = ${organizationId} AND t.id = s.tenant_id
    ORDER BY t.folded_name, t.id`);
  return rows.flatMap(({ tenant, name, ...state }) => {
    const due = findDueMonth(state, now);
    return due ? [{ tenant, name, ...due }] : [];
  });
}
