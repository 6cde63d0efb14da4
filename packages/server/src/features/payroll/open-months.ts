import { companiesDueMaximum, type HrTasks, type PayrollDue } from '@kontor/contract';
import type { Scope } from '../../auth/scope.ts';
import { scopePredicate } from '../../auth/scope-predicate.ts';
import type { Queryable } from '../../db/session.ts';
import { sql } from '../../db/sql.ts';
import { type Month, monthAfter, monthOf } from '../../lib/calendar.ts';
import { settingsIn } from './computation/facts.ts';
import { cutOffDayOf } from './draft.ts';
import { fromReleased, type SettingsRow, versionsOf } from './settings.ts';

interface CompanyRow extends SettingsRow {
  readonly tenant: string;
  readonly released: Month | null;
  readonly run: PayrollDue['run'];
  readonly period: Month | null;
  readonly errors: number | null;
  readonly questions: number | null;
}

/** The payroll of the present month: how many companies take part, how many are not released, and what is open of each. */
export async function readPayrollDue(
  db: Queryable,
  { scope, tenant, now }: { scope: Scope; tenant: string | null; now: Date },
): Promise<HrTasks['payroll']> {
  const { organizationId } = scope;
  const rows = await db.rows<CompanyRow>(sql`
    SELECT s.*, o.status AS run, o.period, (o.summary ->> 'errors')::int AS errors,
      (o.summary ->> 'questions')::int AS questions,
      (SELECT max(period) ${fromReleased(organizationId, sql`s.tenant`)}) AS released
    FROM (
      SELECT tenant_id AS tenant, version, settings, changed_at, from_month, earlier
      FROM payroll_settings WHERE ${scopePredicate(scope, tenant)}) AS s
    LEFT JOIN payroll_run o ON o.organization_id = ${organizationId} AND o.tenant_id = s.tenant
      AND o.status IN ('computing', 'draft', 'releasing')`);
  const present = monthOf(now.toISOString());
  const begun = rows.filter(({ settings }) => settings.firstPeriod <= present);
  const open = begun.flatMap(row => {
    const due = dueOf(row);
    return due.period <= present || due.run !== null ? [due] : [];
  });
  return {
    period: present,
    companies: begun.length,
    open: open.filter(({ period }) => period <= present).length,
    items: open.toSorted(byUrgency).slice(0, companiesDueMaximum),
  };
}

/** The month that a company works on: the month of its open run, or the one after the last release. */
function dueOf(row: CompanyRow): PayrollDue {
  const { tenant, run, released, settings } = row;
  const next = released === null ? settings.firstPeriod : monthAfter(released);
  const period = row.period ?? (next < settings.firstPeriod ? settings.firstPeriod : next);
  return {
    tenant,
    period,
    run,
    errors: row.errors ?? 0,
    questions: row.questions ?? 0,
    cutOff: cutOffDayOf(settingsIn(versionsOf(tenant, row), period), period),
  };
}

/** The earliest month first, then the earliest cut-off day. */
function byUrgency(one: PayrollDue, other: PayrollDue): number {
  const [a, b] = [one, other].map(({ period, cutOff, tenant }) => `${period} ${cutOff ?? '~'} ${tenant}`);
  return a! < b! ? -1 : 1;
}
