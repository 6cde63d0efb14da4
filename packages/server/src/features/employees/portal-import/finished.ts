import type { Scope } from '../../../auth/scope.ts';
import { scopePredicate } from '../../../auth/scope-predicate.ts';
import type { Queryable } from '../../../db/session.ts';
import { sql } from '../../../db/sql.ts';

export interface FinishedImport {
  readonly id: string;
  readonly at: Date;
  readonly tenant: string;
  readonly name: string;
  readonly isFailed: boolean;
}

/** Days for which a finished import is listed. */
const listedDays = 14;

/** The imports of a user in a scope that a job has ended until an instant, the latest first, with the name of the company. */
export async function readFinishedImports(
  db: Queryable,
  { scope, userId }: { readonly scope: Scope; readonly userId: string },
  until: Date,
): Promise<FinishedImport[]> {
  return db.rows<FinishedImport>(sql`
    SELECT i.id, i.ended_at AS at, t.id AS tenant, t.name, i.status = 'failed' AS "isFailed"
    FROM (
      SELECT id, tenant_id, status, ended_at FROM employee_import
      WHERE ${scopePredicate(scope, null)} AND status IN ('applied', 'failed') AND ended_at <= ${until}
        AND ended_at > ${until}::timestamptz - make_interval(days => ${listedDays}::int)
        AND coalesce(applied_by, created_by) ->> 'id' = ${userId}) AS i
    JOIN tenant t ON t.organization_id = ${scope.organizationId} AND t.id = i.tenant_id
    ORDER BY i.ended_at DESC, i.id`);
}
