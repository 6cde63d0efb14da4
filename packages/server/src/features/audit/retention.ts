import type { Pool } from '../../database/connect.ts';
import type { Queryable } from '../../database/session.ts';
import { sql } from '../../database/sql.ts';
import { type Author, besideClock, removeAuditBatch, type Turn } from '../../writes/writes.ts';

/** How long the audit of an organization is kept. */
export interface AuditRetention {
  /** '' for what belongs to none. */
  readonly organizationId: string;
  readonly days: number;
}

/** The organizations whose audit is not kept for ever. */
export async function auditRetentions(db: Queryable): Promise<AuditRetention[]> {
  return db.rows<AuditRetention>(sql`
    SELECT organization_id AS "organizationId", days FROM audit_retention ORDER BY organization_id`);
}

/** For how many days the audit of an organization is kept; null: for ever. */
export async function auditDays(db: Queryable, organizationId: string): Promise<number | null> {
  const [row] = await db.rows<{ days: number }>(sql`
    SELECT days FROM audit_retention WHERE organization_id = ${organizationId}`);
  return row?.days ?? null;
}

/** Says for how many days the audit of the organization of a turn is kept; null: for ever. */
export function setAuditDays(turn: Turn, days: number | null): void {
  const { organizationId } = turn;
  turn.write(
    days === null
      ? sql`DELETE FROM audit_retention WHERE organization_id = ${organizationId}`
      : sql`INSERT INTO audit_retention (organization_id, days) VALUES (${organizationId}, ${days})
          ON CONFLICT (organization_id) DO UPDATE SET days = excluded.days`,
  );
  turn.audit({ id: organizationId || 'platform', action: 'audit.keep', fields: ['days'] });
}

/** The instant since which entries are kept, for so many days. */
export function keptSince(now: Date, days: number): Date {
  return new Date(now.getTime() - days * 24 * 3600 * 1000);
}

/** Whether the role of the database may remove entries: that of a server may not, where it is set up as docs/running.md says. */
export async function mayRemoveAudit(db: Queryable): Promise<boolean> {
  const [row] = await db.rows<{ may: boolean }>(sql`SELECT has_table_privilege('audit', 'DELETE') AS may`);
  return row!.may;
}

/**
 * Removes what is older than the audit of an organization is kept, in batches of a transaction each, and returns how much that was. When
 * the signal is aborted it ends behind a batch.
 * @throws those of the database
 */
export async function pruneAudit(
  db: Pool,
  { organizationId, days }: AuditRetention,
  { author, now, signal }: { author: Author; now: Date; signal: AbortSignal },
): Promise<number> {
  const before = keptSince(now, days);
  for (let count = 0; ;) {
    const { removed, isLast } = await besideClock(db, organizationId, author, (turn, session) =>
      removeAuditBatch(turn, session, before),
    );
    count += removed;
    if (isLast || signal.aborted) return count;
  }
}
