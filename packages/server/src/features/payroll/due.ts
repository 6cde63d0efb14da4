import type { Scope } from '../../auth/scope.ts';
import { scopePredicate } from '../../auth/scope-predicate.ts';
import type { Queryable } from '../../db/session.ts';
import { sql } from '../../db/sql.ts';
import { type Month, monthBefore, monthOf } from '../../lib/calendar.ts';
import { settingsIn, type SettingsVersions } from './computation/facts.ts';
import { cutOffDayOf } from './draft.ts';
import { fromReleased, type SettingsRow, versionsOf } from './settings.ts';

interface PayrollState {
  readonly versions: SettingsVersions;
  readonly released: Month | null;
}

/** A month whose payroll is due. */
export interface DueMonth {
  readonly month: Month;
  /** When it became due. */
  readonly at: Date;
}

/**
 * The latest month whose payroll is due at an instant, unless it is released. A month is due from the day after its cut-off day on, and
 * without one from the first of the month.
 */
export function findDueMonth({ versions, released }: PayrollState, now: Date): DueMonth | null {
  const present = monthOf(now.toISOString());
  const month = dueFrom(present, versions) <= now ? present : monthBefore(present);
  if (month < versions[0].firstPeriod || (released !== null && month <= released)) return null;
  return { month, at: dueFrom(month, versions) };
}

function dueFrom(month: Month, versions: SettingsVersions): Date {
  const cutOff = cutOffDayOf(settingsIn(versions, month), month);
  return cutOff === null ? new Date(`${month}-01`) : new Date(Date.parse(cutOff) + 86_400_000);
}

interface CompanyRow extends SettingsRow {
  readonly tenant: string;
  readonly name: string;
  readonly released: Month | null;
}

/** The companies of a scope whose payroll is due at an instant, by name. Each has at most one month: the latest. */
export async function readDuePayroll(
  db: Queryable,
  scope: Scope,
  now: Date,
): Promise<(DueMonth & { readonly tenant: string; readonly name: string })[]> {
  const { organizationId } = scope;
  const rows = await db.rows<CompanyRow>(sql`
    SELECT t.id AS tenant, t.name, s.version, s.settings, s.changed_at, s.from_month, s.earlier,
      (SELECT max(period) ${fromReleased(organizationId, sql`s.tenant_id`)}) AS released
    FROM (
      SELECT tenant_id, version, settings, changed_at, from_month, earlier
      FROM payroll_settings WHERE ${scopePredicate(scope, null)}) AS s
    JOIN tenant t ON t.organization_id = ${organizationId} AND t.id = s.tenant_id
    ORDER BY t.folded_name, t.id`);
  return rows.flatMap(({ tenant, name, released, ...row }) => {
    const due = findDueMonth({ versions: versionsOf(tenant, row), released }, now);
    return due ? [{ tenant, name, ...due }] : [];
  });
}
