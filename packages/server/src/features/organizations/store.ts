import type { Sql } from 'postgres';
import { newId } from '../../database/ids.ts';
import { inTransaction, type Session } from '../../database/transaction.ts';
import { advanceTree } from '../../database/tree.ts';
import { checkName } from '../../names.ts';

/** Creates an organization and answers its identifier. Errors: 400 VALIDATION_ERROR. */
export async function createOrganization(sql: Sql, name: string): Promise<string> {
  checkName('name', name);
  const id = newId();
  await inTransaction(sql, async transaction => {
    const [row] = await transaction<{ clock: Date }[]>`
      INSERT INTO organization (id, name) VALUES (${id}, ${name}) RETURNING clock`;
    await audit(transaction, {
      organizationId: id,
      at: row!.clock,
      targetId: id,
      action: 'organization.create',
    });
  });
  return id;
}

/** Creates a tenant and answers its identifier. Errors: 400 VALIDATION_ERROR, 422 INVALID_REFERENCE. */
export async function createTenant(sql: Sql, organizationId: string, name: string): Promise<string> {
  checkName('name', name);
  const id = newId();
  await inTransaction(sql, async transaction => {
    const at = await advanceTree(transaction, organizationId);
    await transaction`
      INSERT INTO tenant (organization_id, id, name, created_at) VALUES (${organizationId}, ${id}, ${name}, ${at})`;
    await audit(transaction, { organizationId, at, targetId: id, action: 'tenant.create' });
  });
  return id;
}

export async function organizationExists(sql: Sql, id: string): Promise<boolean> {
  return (await sql`SELECT FROM organization WHERE id = ${id}`).length > 0;
}

/** The organization that a tenant belongs to, or null. */
export async function organizationOfTenant(sql: Sql, tenantId: string): Promise<string | null> {
  const [row] = await sql<{ organization_id: string }[]>`
    SELECT organization_id FROM tenant WHERE id = ${tenantId}`;
  return row?.organization_id ?? null;
}

/** The identifiers of these that are tenants of the organization. */
export async function tenantsAmong(
  sql: Sql,
  organizationId: string,
  ids: readonly string[],
): Promise<Set<string>> {
  const rows = await sql<{ id: string }[]>`
    SELECT id FROM tenant WHERE organization_id = ${organizationId} AND id = ANY(${[...ids]}::text[])`;
  return new Set(rows.map(row => row.id));
}

/** Those of the identifiers that are divisions of the organization, with the tenant of each. */
export async function divisionsAmong(
  sql: Sql,
  organizationId: string,
  ids: readonly string[],
): Promise<Map<string, string>> {
  const rows = await sql<{ id: string; tenant_id: string }[]>`
    SELECT id, tenant_id FROM division WHERE organization_id = ${organizationId} AND id = ANY(${[...ids]}::text[])`;
  return new Map(rows.map(row => [row.id, row.tenant_id]));
}

async function audit(
  sql: Session,
  entry: { organizationId: string; at: Date; targetId: string; action: string },
): Promise<void> {
  await sql`
    INSERT INTO audit (organization_id, at, target_id, action, actor, fields)
    VALUES (${entry.organizationId}, ${entry.at}, ${entry.targetId}, ${entry.action}, 'operator', '{}')`;
}
