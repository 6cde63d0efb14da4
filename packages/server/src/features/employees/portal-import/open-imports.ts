import { type HrTasks, summarizedItems } from '@kontor/contract';
import type { Scope } from '../../../auth/scope.ts';
import { scopePredicate } from '../../../auth/scope-predicate.ts';
import type { Queryable } from '../../../db/session.ts';
import { raw, sql } from '../../../db/sql.ts';

type OpenImport = HrTasks['imports']['items'][number];

interface OpenRow extends Omit<OpenImport, 'expiresAt'> {
  readonly total: number;
  readonly expiresAt: Date;
}

/** The imports that run or wait for a user, the oldest first. An index has the same statuses. */
export async function readOpenImports(
  db: Queryable,
  scope: Scope,
  tenant: string | null,
): Promise<HrTasks['imports']> {
  const rows = await db.rows<OpenRow>(sql`
    SELECT (count(*) OVER ())::int AS total, id, tenant_id AS tenant, file_name AS "fileName", status,
      coalesce((counts ->> 'questions')::int, 0) AS questions, expires_at AS "expiresAt"
    FROM employee_import
    WHERE ${scopePredicate(scope, tenant)} AND status IN ('uploaded', 'planning', 'planned', 'applying')
    ORDER BY created_at, id ${raw(`LIMIT ${summarizedItems}`)}`);
  return {
    total: rows[0]?.total ?? 0,
    items: rows.map(({ total: _total, expiresAt, ...each }) => ({
      ...each,
      expiresAt: expiresAt.toISOString(),
    })),
  };
}
