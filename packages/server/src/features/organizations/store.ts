import { fold } from '@kontor/contract';
import type { Pool } from '../../db/connect.ts';
import { newId } from '../../db/ids.ts';
import type { Queryable } from '../../db/session.ts';
import { sql } from '../../db/sql.ts';
import { checkName } from '../../lib/names.ts';
import { writeUnordered, writeOrdered, operator, type Turn } from '../../write/writes.ts';

/** Creates an organization and returns its identifier. @throws ApiError 400 VALIDATION_ERROR. */
export async function createOrganization(db: Pool, name: string): Promise<string> {
  checkName('name', name);
  const id = newId();
  await writeUnordered(db, id, operator, turn => insertOrganization(turn, { id, name }));
  return id;
}

/** Stores an organization, whose clock begins with that; the caller has checked its name. */
export function insertOrganization(turn: Turn, { id, name }: { id: string; name: string }): void {
  turn.write(sql`
    INSERT INTO organization (id, name, folded_name, created_at) VALUES (${id}, ${name}, ${fold(name)}, ${turn.at})`);
  turn.audit({ id, action: 'organization.create' });
}

/** Creates a tenant and returns its identifier. @throws ApiError 400 VALIDATION_ERROR, INVALID_REFERENCE. */
export async function createTenant(db: Pool, organizationId: string, name: string): Promise<string> {
  checkName('name', name);
  const id = newId();
  await writeOrdered(db, organizationId, operator, turn => insertTenant(turn, { id, name }));
  return id;
}

/** Stores a tenant; the caller has checked its name. */
export function insertTenant(
  turn: Turn,
  { id, name, decisionDays = null }: { id: string; name: string; decisionDays?: number | null },
): void {
  turn.write(sql`
    INSERT INTO tenant (organization_id, id, name, folded_name, decision_days, created_at)
    VALUES (${turn.organizationId}, ${id}, ${name}, ${fold(name)}, ${decisionDays}, ${turn.at})`);
  turn.audit({ id, action: 'tenant.create' });
}

/**
 * Sets in how many days orders of a tenant are decided. No client of the public API sees it, so it takes no turn, and nothing is
 * done where it is so already.
 */
export async function setDecisionDays(
  turn: Turn,
  session: Queryable,
  { id, decisionDays }: { id: string; decisionDays: number | null },
): Promise<void> {
  const changed = await session.run(sql`
    UPDATE tenant SET decision_days = ${decisionDays}
    WHERE organization_id = ${turn.organizationId} AND id = ${id} AND decision_days IS DISTINCT FROM ${decisionDays}`);
  if (changed > 0) turn.audit({ id, action: 'tenant.update', fields: ['decisionDays'] });
}

export async function organizationExists(db: Queryable, id: string): Promise<boolean> {
  return (await db.run(sql`SELECT FROM organization WHERE id = ${id}`)) > 0;
}

/** The organization that a tenant belongs to, or null. */
export async function organizationOfTenant(db: Queryable, tenantId: string): Promise<string | null> {
  const [row] = await db.rows<{ organization_id: string }>(sql`
    SELECT organization_id FROM tenant WHERE id = ${tenantId}`);
  return row?.organization_id ?? null;
}

/** The identifiers of these that are tenants of the organization. */
export async function tenantsAmong(
  db: Queryable,
  organizationId: string,
  ids: readonly string[],
): Promise<Set<string>> {
  const rows = await db.rows<{ id: string }>(sql`
    SELECT id FROM tenant WHERE organization_id = ${organizationId} AND id = ANY(${[...ids]}::text[])`);
  return new Set(rows.map(row => row.id));
}

/** Those of the identifiers that are divisions of the organization, with the tenant of each. */
export async function divisionsAmong(
  db: Queryable,
  organizationId: string,
  ids: readonly string[],
): Promise<Map<string, string>> {
  const rows = await db.rows<{ id: string; tenant_id: string }>(sql`
    SELECT id, tenant_id FROM division WHERE organization_id = ${organizationId} AND id = ANY(${[...ids]}::text[])`);
  return new Map(rows.map(row => [row.id, row.tenant_id]));
}

/** Asks for tenants and divisions of organizations in this database. */
export function placesIn(db: Queryable) {
  return {
    tenantsAmong: (organizationId: string, ids: readonly string[]) => tenantsAmong(db, organizationId, ids),
    divisionsAmong: (organizationId: string, ids: readonly string[]) =>
      divisionsAmong(db, organizationId, ids),
  };
}
