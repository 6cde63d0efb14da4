import type { Queryable } from '../db/session.ts';
import { sql } from '../db/sql.ts';
import { findAuditDays } from '../features/audit/retention.ts';
import { divisionPath } from '../query/search-all.ts';
import type { Retention } from './retention.ts';
import { readRetention } from './store.ts';
import type { StoredRow } from './stored-rows.ts';

/** The facts of the page of an export that are not in the stored rows. */
export interface SubjectContext extends Retention {
  readonly company: string | null;
  /** The division of the person, and the path of its names. */
  readonly divisionId: string | null;
  readonly division: string | null;
  /** Null: without a limit. */
  readonly historyDays: number | null;
  readonly auditDays: number | null;
}

export async function readSubjectContext(
  session: Queryable,
  organizationId: string,
  { document }: StoredRow,
): Promise<SubjectContext> {
  const [tenant, division] = [document['tenant'], document['divisionId']] as (string | null)[];
  const [found] = await session.rows<{
    company: string | null;
    path: string[] | null;
    days: number | null;
  }>(sql`
    SELECT employee_history_days AS days, ${divisionPath(organizationId, sql`${division}::text`)} AS path,
      (SELECT name FROM tenant WHERE organization_id = ${organizationId} AND id = ${tenant}::text) AS company
    FROM organization WHERE id = ${organizationId}`);
  return {
    ...(await readRetention(session, organizationId, tenant!)),
    company: found!.company,
    divisionId: division!,
    division: found!.path?.join(' › ') ?? null,
    historyDays: found!.days,
    auditDays: await findAuditDays(session, organizationId),
  };
}
