import { type HrTasks, IncidentToComplete, summarizedItems } from '@kontor/contract';
import type { Scope } from '../../auth/scope.ts';
import { scopePredicate } from '../../auth/scope-predicate.ts';
import type { Queryable } from '../../db/session.ts';
import { raw, sql } from '../../db/sql.ts';
import { renderFirstRows, type Row } from '../../lib/render-row.ts';
import { displayName } from '../../query/search-all.ts';

/** The reports that lack something, the oldest first. */
export async function readIncidentsToComplete(
  db: Queryable,
  scope: Scope,
  tenant: string | null,
): Promise<HrTasks['incidents']> {
  const { organizationId } = scope;
  const rows = await db.rows<Row>(sql`
    SELECT w.total, i.id, i.doc::jsonb ->> 'incidentNumber' AS incident_number, i.type, i.created_at,
      ${displayName(sql`e.doc::jsonb`)} AS person
    FROM (
      SELECT id, created_at, (count(*) OVER ())::int AS total FROM incident
      WHERE ${scopePredicate(scope, tenant)} AND status = 'draft'
      ORDER BY created_at, id ${raw(`LIMIT ${summarizedItems}`)}) AS w
    JOIN incident i ON i.organization_id = ${organizationId} AND i.id = w.id
    LEFT JOIN employee e ON e.organization_id = ${organizationId} AND e.id = i.employee_id AND e.erased_at IS NULL
    ORDER BY w.created_at, w.id`);
  return renderFirstRows(IncidentToComplete, rows);
}
