import type { Queryable } from '../database/session.ts';
import { sql } from '../database/sql.ts';
import { auditTogether } from './together.ts';
import type { Turn } from './turn.ts';

/** Entries that are removed in a transaction: few enough that it takes some milliseconds. */
export const auditBatchSize = 5000;

/**
 * Removes the oldest entries of the audit of an organization that are from before an instant, a batch of them, and says so there. Nothing
 * else removes or changes entries. Returns how many, and whether no more are left.
 * @throws those of the database, such as that its role may not.
 */
export async function removeAuditBatch(
  { organizationId, author }: Turn,
  session: Queryable,
  before: Date,
  most: number = auditBatchSize,
): Promise<{ removed: number; isLast: boolean }> {
  const [last] = await session.rows<{ at: string }>(sql`
    SELECT at::text AS at FROM audit WHERE organization_id = ${organizationId} AND at < ${before}
    ORDER BY at LIMIT 1 OFFSET ${most - 1}`);
  const removed = await session.run(sql`
    DELETE FROM audit WHERE organization_id = ${organizationId} AND at < ${before}
      AND at <= ${last?.at ?? before.toISOString()}::timestamptz`);
  if (removed > 0) {
    const id = organizationId || 'platform';
    const entry = { ...author, action: 'audit.remove', id, reason: null, count: removed, age: 0 };
    await auditTogether(session, organizationId, [entry]);
  }
  return { removed, isLast: last === undefined };
}
