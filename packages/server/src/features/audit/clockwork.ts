import type { Clockwork, Due } from '../../clockwork/clockwork.ts';
import type { Queryable } from '../../database/session.ts';
import { sql } from '../../database/sql.ts';
import { auditBatchSize, removeAuditBatch } from '../../writes/writes.ts';
import { auditDays, keptSince, mayRemoveAudit } from './retention.ts';

/**
 * Entries that are older than an audit is kept are removed, once a day in each: every removal is an entry itself. Where the role of the
 * server may not remove any, nothing is due here, and `kontor audit prune` does it.
 */
export const auditClockwork: Clockwork = {
  name: 'audit_removal',
  look: async db => ((await mayRemoveAudit(db)) ? dueInAll(db) : []),
  find: batchesIn,
  async carryOut(writes, request, batches) {
    const days = await writes.beside(request, (_turn, session) => auditDays(session, request.organizationId));
    if (days === null) return 0;
    const before = keptSince(new Date(), days);
    let sum = 0;
    for (let n = 0, isLast = false; n < batches.length && !isLast; n++) {
      const batch = await writes.beside(request, (turn, session) => removeAuditBatch(turn, session, before));
      sum += batch.removed;
      isLast = batch.isLast;
    }
    return sum;
  },
};

/** Entries that are a day older than they are kept, by organization. */
function dueInAll(db: Queryable): Promise<Due[]> {
  return db.rows<Due>(sql`
    SELECT due.* FROM audit_retention r CROSS JOIN LATERAL (
      SELECT a.organization_id AS "organizationId", count(*)::int AS count,
        min(a.at) + make_interval(hours => 24 * (r.days + 1)) AS since
      FROM audit a WHERE a.organization_id = r.organization_id
        AND a.at < statement_timestamp() - make_interval(hours => 24 * (r.days + 1)) GROUP BY a.organization_id) AS due
    ORDER BY due.since`);
}

/** A mark for each batch of entries that are older than they are kept: nobody needs to know which those are. */
async function batchesIn(db: Queryable, organizationId: string, most: number): Promise<string[]> {
  const days = await auditDays(db, organizationId);
  if (days === null) return [];
  const [row] = await db.rows<{ count: number }>(sql`
    SELECT count(*)::int AS count FROM audit
    WHERE organization_id = ${organizationId} AND at < ${keptSince(new Date(), days)}`);
  const batches = Math.min(most, Math.ceil(row!.count / auditBatchSize));
  return Array.from({ length: batches }, (_, n) => `batch ${n}`);
}
