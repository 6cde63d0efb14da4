import type { PayrollMonth, PayrollSummary } from '@kontor/contract';
import type { Queryable } from '../../db/session.ts';
import { sql } from '../../db/sql.ts';
import { type Month, monthBefore, monthOf } from '../../lib/calendar.ts';
import { amount, cents } from '../../lib/money.ts';
import { readLastReleased, readSettings, type TenantKey } from './settings.ts';

interface SummedRun {
  readonly period: Month;
  readonly status: 'released' | 'draft';
  readonly sums: PayrollSummary['sums'];
}

/**
 * Sums the releases of each of the twelve months up to `last`. A month without one has the sums of its draft, and is open. So is each month up
 * to the present one that can still be released.
 */
export async function readMonths(
  db: Queryable,
  { organizationId, tenantId }: TenantKey,
  { last, now }: { last: Month; now: Date },
): Promise<PayrollMonth[]> {
  const months = [last];
  while (months.length < 12) months.unshift(monthBefore(months[0]!));
  const rows = await db.rows<SummedRun>(sql`
    SELECT period, status, summary -> 'sums' AS sums FROM payroll_run
    WHERE organization_id = ${organizationId} AND tenant_id = ${tenantId} AND period BETWEEN ${months[0]} AND ${last}
      AND status IN ('released', 'draft')
    ORDER BY id`);
  const versions = await readSettings(db, { organizationId, tenantId });
  const lastReleased = await readLastReleased(db, { organizationId, tenantId });
  const isDue = (period: Month) =>
    versions !== null &&
    period >= versions[0].firstPeriod &&
    (lastReleased === null || period > lastReleased) &&
    period <= monthOf(now.toISOString());
  const runs = Map.groupBy(rows, ({ period }) => period);
  return months.map(period => {
    const ofMonth = runs.get(period) ?? [];
    const released = ofMonth.filter(({ status }) => status === 'released');
    const isOpen = released.length === 0 && (isDue(period) || ofMonth.length > 0);
    return { period, isOpen, sums: sumsOf(isOpen ? ofMonth : released) };
  });
}

function sumsOf(runs: readonly SummedRun[]): PayrollMonth['sums'] {
  const all = runs.flatMap(({ sums }) => sums);
  return Array.from(
    Map.groupBy(all, ({ kind }) => kind),
    ([kind, sums]) => ({ kind, amount: amount(sums.reduce((sum, each) => sum + cents(each.amount), 0n)) }),
  );
}
