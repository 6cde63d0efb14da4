import type { Order } from '@kontor/contract';
import { orderResource } from './resource.ts';
import type { Due } from '../../jobs/clockwork.ts';
import type { Queryable } from '../../db/session.ts';
import { sql } from '../../db/sql.ts';
import { endOf } from './due.ts';

/** The last day of the contract of an active order, as the index `employee_order_due` has it. */
export const lastDay = sql`(CASE o.status WHEN 'active' THEN o.doc::jsonb #>> '{contract,endDate}' END COLLATE "C")`;

/** Orders that have waited for as long as their tenant lets them. */
const hasWaited = sql`o.status = 'under_review' AND ${lastDay} IS NULL AND o.tenant_id = t.id
  AND o.submitted_at <= statement_timestamp() - make_interval(hours => 24 * t.decision_days)`;

/** Orders whose contract was over before today. */
const hasEnded = sql`o.status = 'active'
  AND ${lastDay} < to_char(statement_timestamp() AT TIME ZONE 'UTC', 'YYYY-MM-DD')`;

interface DueRow<Since> {
  readonly organizationId: string;
  readonly count: number;
  readonly since: Since;
}

/** Orders that are to expire, by tenant. A cluster takes the sub-select since each has its own organization. */
export function waitedInAll(db: Queryable): Promise<Due[]> {
  return db.rows<DueRow<Date>>(sql`
    SELECT due.* FROM tenant t CROSS JOIN LATERAL (
      SELECT o.organization_id AS "organizationId", count(*)::int AS count,
        min(o.submitted_at) + make_interval(hours => 24 * t.decision_days) AS since
      FROM employee_order o WHERE o.organization_id = t.organization_id AND ${hasWaited} GROUP BY o.organization_id) AS due
    WHERE t.decision_days IS NOT NULL ORDER BY due.since`);
}

/** Orders whose contract is to be over, by organization. */
export async function endedInAll(db: Queryable): Promise<Due[]> {
  const rows = await db.rows<DueRow<string>>(sql`
    SELECT due.* FROM organization g CROSS JOIN LATERAL (
      SELECT o.organization_id AS "organizationId", count(*)::int AS count, min(${lastDay}) AS since
      FROM employee_order o WHERE o.organization_id = g.id AND ${hasEnded} GROUP BY o.organization_id) AS due
    ORDER BY due.since`);
  return rows.map(row => ({ ...row, since: endOf(row.since) }));
}

/** Orders of an organization that are to expire, so many at most. */
export async function waitedIn(db: Queryable, organizationId: string, max: number): Promise<string[]> {
  const rows = await db.rows<{ id: string }>(sql`
    SELECT due.id FROM tenant t CROSS JOIN LATERAL (
      SELECT o.id FROM employee_order o WHERE o.organization_id = ${organizationId} AND ${hasWaited} LIMIT ${max}) AS due
    WHERE t.organization_id = ${organizationId} AND t.decision_days IS NOT NULL LIMIT ${max}`);
  return rows.map(({ id }) => id);
}

/** Orders of an organization whose contract is to be over, so many at most. */
export async function endedIn(db: Queryable, organizationId: string, max: number): Promise<string[]> {
  const rows = await db.rows<{ id: string }>(sql`
    SELECT o.id FROM employee_order o
    WHERE o.organization_id = ${organizationId} AND ${hasEnded} LIMIT ${max}`);
  return rows.map(({ id }) => id);
}

/** An order with the days that its tenant gives for a decision. */
export interface Judged {
  readonly order: Order;
  readonly decisionDays: number | null;
}

/** Reads orders as they are, for what becomes of them. */
export async function readJudged(
  db: Queryable,
  organizationId: string,
  ids: readonly string[],
): Promise<Judged[]> {
  const rows = await db.rows<{ doc: string; decisionDays: number | null }>(sql`
    SELECT o.doc, t.decision_days AS "decisionDays"
    FROM employee_order o LEFT JOIN tenant t ON t.organization_id = ${organizationId} AND t.id = o.tenant_id
    WHERE o.organization_id = ${organizationId} AND o.id = ANY(${[...ids]}::text[])`);
  return rows.map(({ doc, decisionDays }) => ({ order: orderResource.parse(doc), decisionDays }));
}
