import type { Queryable } from '../../db/session.ts';
import { sql } from '../../db/sql.ts';
import type { AuditKeeping, Turn } from '../../write/writes.ts';
import { beginAnew } from './sweep-store.ts';

/** The organizations of whose audit not all is kept for ever; '' is that of what belongs to none. */
export async function organizationsWithAuditDays(db: Queryable): Promise<string[]> {
  const rows = await db.rows<{ organizationId: string }>(sql`
    SELECT organization_id AS "organizationId" FROM audit_retention
    UNION SELECT organization_id FROM tenant WHERE audit_days IS NOT NULL ORDER BY 1`);
  return rows.map(({ organizationId }) => organizationId);
}

/** For how many days the audit of an organization is kept. */
export async function keepingOf(db: Queryable, organizationId: string): Promise<AuditKeeping> {
  const rows = await db.rows<{ tenantId: string | null; days: number }>(sql`
    SELECT NULL AS "tenantId", days FROM audit_retention WHERE organization_id = ${organizationId}
    UNION ALL SELECT id, audit_days FROM tenant WHERE organization_id = ${organizationId} AND audit_days IS NOT NULL
    ORDER BY 1`);
  const own = rows.flatMap(({ tenantId, days }) => (tenantId === null ? [] : [[tenantId, days] as const]));
  return {
    organization: rows.find(({ tenantId }) => tenantId === null)?.days ?? null,
    tenants: new Map(own),
  };
}

/** Says for how many days the audit of the organization of a turn is kept; null: for ever. */
export function setAuditDays(turn: Turn, days: number | null): void {
  const { organizationId } = turn;
  beginAnew(turn);
  turn.write(
    days === null
      ? sql`DELETE FROM audit_retention WHERE organization_id = ${organizationId}`
      : sql`INSERT INTO audit_retention (organization_id, days) VALUES (${organizationId}, ${days})
          ON CONFLICT (organization_id) DO UPDATE SET days = excluded.days`,
  );
  turn.audit({ id: organizationId || 'platform', action: 'audit.keep', fields: ['days'] });
}

/**
 * Says for how many days the audit of a tenant is kept; null: as long as that of its organization. Nothing is done where it is so
 * already, or where there is no such tenant.
 */
export async function setTenantAuditDays(
  turn: Turn,
  session: Queryable,
  { tenantId, days }: { tenantId: string; days: number | null },
): Promise<void> {
  const changed = await session.run(sql`
    UPDATE tenant SET audit_days = ${days}
    WHERE organization_id = ${turn.organizationId} AND id = ${tenantId} AND audit_days IS DISTINCT FROM ${days}`);
  if (changed === 0) return;
  beginAnew(turn);
  turn.audit({ id: tenantId, action: 'audit.keep', fields: ['days'] });
}

/** How long the audit of a tenant is kept. */
export interface TenantAuditDays {
  readonly organizationId: string;
  readonly tenantId: string;
  /** Its own; null where it has none. */
  readonly days: number | null;
  /** Of its organization; null: for ever. */
  readonly organizationDays: number | null;
}

/** How long the audit of a tenant is kept; null when the organization has no such tenant. */
export async function findTenantAuditDays(
  db: Queryable,
  organizationId: string,
  tenantId: string,
): Promise<TenantAuditDays | null> {
  const [row] = await db.rows<TenantAuditDays>(sql`
    SELECT t.organization_id AS "organizationId", t.id AS "tenantId", t.audit_days AS days,
      (SELECT r.days FROM audit_retention r WHERE r.organization_id = ${organizationId}) AS "organizationDays"
    FROM tenant t WHERE t.organization_id = ${organizationId} AND t.id = ${tenantId}`);
  return row ?? null;
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
