import { type HrTasks, OpenImport, summarizedItems } from '@kontor/contract';
import type { Scope } from '../../../auth/scope.ts';
import { scopePredicate } from '../../../auth/scope-predicate.ts';
import type { Queryable } from '../../../db/session.ts';
import { raw, sql } from '../../../db/sql.ts';
import { renderFirstRows, type Row } from '../../../lib/render-row.ts';

/** The imports that run or wait for a user, the oldest first. An index has the same statuses. */
export async function readOpenImports(
  db: Queryable,
  scope: Scope,
  tenant: string | null,
): Promise<HrTasks['imports']> {
  const rows = await db.rows<Row>(sql`
    SELECT (count(*) OVER ())::int AS total, id, tenant_id AS tenant, file_name, status,
      coalesce((counts ->> 'questions')::int, 0) AS questions, expires_at
    FROM employee_import
    WHERE ${scopePredicate(scope, tenant)} AND status IN ('uploaded', 'planning', 'planned', 'applying')
    ORDER BY created_at, id ${raw(`LIMIT ${summarizedItems}`)}`);
  return renderFirstRows(OpenImport, rows);
}
