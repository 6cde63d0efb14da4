import { sql } from '../db/sql.ts';
import type { Due, Job } from './job.ts';

const life = sql`interval '24 hours'`;
const isExpired = sql`k.stored_at <= statement_timestamp() - ${life}`;

/** Removes idempotency keys after 24 hours. Their removal is not audited. */
export const idempotencyKeyRemoval: Job = {
  name: 'idempotency_key_removal',
  inspect: db =>
    db.rows<Due>(sql`
      SELECT due.* FROM organization o CROSS JOIN LATERAL (
        SELECT k.organization_id AS "organizationId", count(*)::int AS count, min(k.stored_at) + ${life} AS since
        FROM idempotency_key k WHERE k.organization_id = o.id AND ${isExpired} GROUP BY k.organization_id) AS due
      ORDER BY due.since`),
  async find(db, organizationId, max) {
    const rows = await db.rows<{ key: string }>(sql`
      SELECT key_digest AS key FROM idempotency_key k WHERE k.organization_id = ${organizationId} AND ${isExpired}
      ORDER BY k.stored_at LIMIT ${max}`);
    return rows.map(({ key }) => key);
  },
  carryOut: (writes, request, keys) =>
    writes.runUnordered(request, (_write, session) =>
      session.run(sql`
        DELETE FROM idempotency_key k
        WHERE k.organization_id = ${request.organizationId} AND k.key_digest = ANY(${[...keys]}::text[]) AND ${isExpired}`),
    ),
};
