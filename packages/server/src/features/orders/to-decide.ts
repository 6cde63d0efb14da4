import { type HrTasks, OrderToDecide, summarizedItems } from '@kontor/contract';
import type { Scope } from '../../auth/scope.ts';
import { scopePredicate } from '../../auth/scope-predicate.ts';
import type { Queryable } from '../../db/session.ts';
import { raw, sql } from '../../db/sql.ts';
import { renderFirstRows, type Row } from '../../lib/render-row.ts';
import { displayName } from '../../query/search-all.ts';
import { lastDay } from './store.ts';

/** The orders under review that wait longest, and when each expires. */
export async function readOrdersToDecide(
  db: Queryable,
  scope: Scope,
  tenant: string | null,
): Promise<HrTasks['orders']> {
  const { organizationId } = scope;
  const rows = await db.rows<Row>(sql`
    SELECT w.total, o.id, o.order_number, ${displayName(sql`e.doc::jsonb`)} AS person,
      o.doc::jsonb #>> '{contract,salaryConversion}' AS salary_conversion,
      o.doc::jsonb #>> '{contract,currency}' AS currency, o.submitted_at,
      o.submitted_at + make_interval(hours => 24 * t.decision_days) AS expires_at
    FROM (
      SELECT o.id, o.submitted_at, (count(*) OVER ())::int AS total FROM employee_order o
      WHERE ${scopePredicate(scope, tenant)} AND o.status = 'under_review' AND ${lastDay} IS NULL
      ORDER BY o.submitted_at, o.id ${raw(`LIMIT ${summarizedItems}`)}) AS w
    JOIN employee_order o ON o.organization_id = ${organizationId} AND o.id = w.id
    LEFT JOIN employee e ON e.organization_id = ${organizationId} AND e.id = o.employee_id AND e.erased_at IS NULL
    LEFT JOIN tenant t ON t.organization_id = ${organizationId} AND t.id = o.tenant_id
    ORDER BY w.submitted_at, w.id`);
  return renderFirstRows(OrderToDecide, rows);
}
