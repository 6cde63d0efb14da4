import type { PayrollRun } from '@kontor/contract';
import type { Queryable } from '../../../db/session.ts';
import { join, sql } from '../../../db/sql.ts';
import type { RunKey } from '../ledger.ts';

/* Downloads of documents and of copies of a run. A file that is imported twice is deducted twice. */

type Actor = PayrollRun['createdBy'];
type Download = PayrollRun['documents'][number]['downloads'][number];

export async function readDownloads(
  db: Queryable,
  organizationId: string,
  documentIds: readonly string[],
): Promise<Map<string, Download[]>> {
  const rows = await db.rows<Actor & { documentId: string; first: Date; last: Date; count: number }>(sql`
    SELECT document_id AS "documentId", actor_type AS type, actor_id AS id, actor_name AS name,
      first_at AS first, last_at AS last, count
    FROM payroll_download WHERE organization_id = ${organizationId} AND document_id = ANY(${[...documentIds]}::text[])
    ORDER BY first_at, actor_id`);
  const groups = Map.groupBy(rows, ({ documentId }) => documentId);
  return new Map(
    Array.from(groups, ([id, downloads]) => [
      id,
      downloads.map(({ type, id: actorId, name, first, last, count }) => ({
        actor: { type, id: actorId, name },
        firstAt: first.toISOString(),
        lastAt: last.toISOString(),
        count,
      })),
    ]),
  );
}

/** Records a download of a document or of copies of a run, so that a second one can be warned about. */
export async function recordDownload(
  db: Queryable,
  { organizationId, id }: RunKey,
  { type, id: actorId, name }: Actor,
): Promise<void> {
  const row = {
    organization_id: organizationId,
    document_id: id,
    actor_type: type,
    actor_id: actorId,
    actor_name: name,
  };
  const values = join([...Object.values(row), sql`statement_timestamp()`, sql`statement_timestamp()`, 1]);
  await db.run(sql`
    INSERT INTO payroll_download (organization_id, document_id, actor_type, actor_id, actor_name, first_at, last_at, count)
    VALUES (${values})
    ON CONFLICT (organization_id, document_id, actor_type, actor_id) DO UPDATE
    SET last_at = excluded.last_at, actor_name = excluded.actor_name, count = payroll_download.count + 1`);
}
