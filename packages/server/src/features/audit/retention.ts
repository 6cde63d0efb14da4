import type { Pool } from '../../db/connect.ts';
import type { Queryable } from '../../db/session.ts';
import { type Fragment, sql } from '../../db/sql.ts';
import type { Job, Due } from '../../jobs/job.ts';
import { changedValues } from '../../lib/changed-values.ts';
import { auditBatched, type Author, callOf, type Write, Writes } from '../../write/writes.ts';

/** Max entries that one transaction removes: some milliseconds of work. */
const sliceSize = 5000;

/** Days for which the audit of an organization is kept; null for ever. '' are the entries without an organization. */
export async function findAuditDays(db: Queryable, organizationId: string): Promise<number | null> {
  const [row] = await db.rows<{ days: number }>(
    sql`SELECT days FROM audit_retention WHERE organization_id = ${organizationId}`,
  );
  return row?.days ?? null;
}

/** The organizations with a limited retention. */
export async function organizationsWithAuditDays(db: Queryable): Promise<string[]> {
  const rows = await db.rows<{ organizationId: string }>(
    sql`SELECT organization_id AS "organizationId" FROM audit_retention ORDER BY 1`,
  );
  return rows.map(({ organizationId }) => organizationId);
}

export async function setAuditDays(write: Write, session: Queryable, days: number | null): Promise<void> {
  const { organizationId } = write;
  const changes = changedValues({ days: await findAuditDays(session, organizationId) }, { days });
  write.send(
    days === null
      ? sql`DELETE FROM audit_retention WHERE organization_id = ${organizationId}`
      : sql`INSERT INTO audit_retention (organization_id, days) VALUES (${organizationId}, ${days})
          ON CONFLICT (organization_id) DO UPDATE SET days = excluded.days`,
  );
  write.audit({ id: organizationId || 'platform', action: 'audit.keep', fields: ['days'], changes });
}

/** Whether the database role may remove entries. A server set up by docs/running.md may not. */
export async function mayRemoveAudit(db: Queryable): Promise<boolean> {
  const [row] = await db.rows<{ may: boolean }>(sql`SELECT has_table_privilege('audit', 'DELETE') AS may`);
  return row!.may;
}

/** Removes the oldest entries from before an instant, at most `max`. No other statement removes audit entries. */
export function removalStatement(organizationId: string, before: Date, max: number): Fragment {
  return sql`
    DELETE FROM audit WHERE organization_id = ${organizationId} AND (at, target_id) IN (
      SELECT at, target_id FROM audit WHERE organization_id = ${organizationId} AND at < ${before}
      ORDER BY at, target_id LIMIT ${max}::int)`;
}

/**
 * Removes the oldest expired entries, at most `max`, and returns their number. The same transaction records it as an entry. It locks the
 * retention, so a longer one that was committed before takes effect.
 */
export async function removeAuditSlice(
  { organizationId, at, author }: Write,
  session: Queryable,
  max: number = sliceSize,
): Promise<number> {
  const [row] = await session.rows<{ days: number }>(
    sql`SELECT days FROM audit_retention WHERE organization_id = ${organizationId} FOR UPDATE`,
  );
  if (!row) return 0;
  const before = new Date(at.getTime() - row.days * 24 * 3600 * 1000);
  const count = await session.run(removalStatement(organizationId, before, max));
  const entry = {
    ...author,
    action: 'audit.remove' as const,
    id: organizationId || 'platform',
    reason: null,
    count,
    age: 0,
  };
  if (count > 0) await auditBatched(session, organizationId, [entry]);
  return count;
}

/** Removes all expired entries in slices of one transaction each, and returns their number. An aborted signal stops it after a slice. */
export async function pruneAudit(
  db: Pool,
  organizationId: string,
  { author, signal }: { author: Author; signal: AbortSignal },
): Promise<number> {
  for (let sum = 0; ;) {
    const count = await new Writes(db).runWithoutClock(callOf(organizationId, author), (write, session) =>
      removeAuditSlice(write, session),
    );
    sum += count;
    if (count < sliceSize || signal.aborted) return sum;
  }
}

/** Removes entries one day after their retention. A role that may not remove them finds none due and leaves them to `kontor audit prune`. */
export const auditRemoval: Job = {
  name: 'audit_removal',
  inspect: async db => ((await mayRemoveAudit(db)) ? readDue(db) : []),
  async find(db, organizationId, max) {
    const days = await findAuditDays(db, organizationId);
    if (days === null) return [];
    const [row] = await db.rows<{ count: number }>(sql`
      SELECT count(*)::int AS count FROM audit
      WHERE organization_id = ${organizationId} AND at < statement_timestamp() - make_interval(hours => ${24 * days}::int)`);
    return Array.from({ length: Math.min(max, Math.ceil(row!.count / sliceSize)) }, (_, n) => `slice ${n}`);
  },
  async carryOut(writes, call, slices) {
    let sum = 0;
    for (const _slice of slices)
      sum += await writes.runWithoutClock(call, (write, session) => removeAuditSlice(write, session));
    return sum;
  },
};

function readDue(db: Queryable): Promise<Due[]> {
  const days = sql`make_interval(hours => 24 * (r.days + 1))`;
  return db.rows<Due>(sql`
    SELECT due.* FROM audit_retention r CROSS JOIN LATERAL (
      SELECT a.organization_id AS "organizationId", count(*)::int AS count, min(a.at) + ${days} AS since
      FROM audit a WHERE a.organization_id = r.organization_id AND a.at < statement_timestamp() - ${days}
      GROUP BY a.organization_id) AS due
    ORDER BY due.since`);
}
