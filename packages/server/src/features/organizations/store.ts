import { fold, Organization, Tenant } from '@kontor/contract';
import type { Organizations } from '../../auth/caller.ts';
import type { Scope } from '../../auth/scope.ts';
import type { Pool } from '../../db/connect.ts';
import { newId } from '../../db/ids.ts';
import type { Queryable } from '../../db/session.ts';
import { type Fragment, sql } from '../../db/sql.ts';
import type { ChangedValues } from '../../lib/changed-values.ts';
import { checkName } from '../../lib/names.ts';
import type { Row } from '../../lib/render-row.ts';
import { defineRows } from '../../query/rows.ts';
import type { Searched } from '../../query/search-all.ts';
import { runAtClock } from '../../write/run-at-clock.ts';
import { operator, type Write, writeAsOperator } from '../../write/writes.ts';

export const organizationList = defineRows(Organization, { name: 'folded_name' });
export const tenantList = defineRows(Tenant, { name: 'folded_name' });

/** Closed organizations are hidden. */
export function organizationRows({ organizations }: Organizations): Fragment {
  const rows = sql`
    SELECT id, name, folded_name, created_at FROM organization WHERE closed_at IS NULL`;
  return organizations === 'all' ? rows : sql`${rows} AND id = ANY(${[...organizations]}::text[])`;
}

/** The tenants that a scope covers as a whole. */
export function tenantRows({ organizationId, grants }: Scope): Fragment {
  const rows = sql`
    SELECT organization_id, id, name, folded_name, decision_days, created_at FROM tenant
    WHERE organization_id = ${organizationId}`;
  if (grants === 'all') return rows;
  const tenants = grants.filter(({ divisions }) => divisions === 'all').map(({ tenantId }) => tenantId);
  return sql`${rows} AND id = ANY(${tenants}::text[])`;
}

export function searchedTenants(scope: Scope): Searched {
  return {
    rows: sql`SELECT id, name, folded_name, NULL::text AS detail, id AS tenant FROM (${tenantRows(scope)}) AS tenants`,
    columns: ['folded_name', 'id'],
  };
}

export async function findOrganization(
  db: Queryable,
  organizations: Organizations,
  id: string,
): Promise<Organization | null> {
  const [row] = await db.rows<Row>(oneOf(organizationRows(organizations), id));
  return row ? organizationList.item(row) : null;
}

export async function findTenant(db: Queryable, scope: Scope, id: string): Promise<Tenant | null> {
  const [row] = await db.rows<Row>(oneOf(tenantRows(scope), id));
  return row ? tenantList.item(row) : null;
}

function oneOf(rows: Fragment, id: string): Fragment {
  return sql`SELECT * FROM (${rows}) AS rows WHERE id = ${id}`;
}

/** Creates an organization for an operator and returns its identifier. @throws ApiError 400 VALIDATION_ERROR */
export async function createOrganization(db: Pool, name: string): Promise<string> {
  checkName('name', name);
  const id = newId();
  await writeAsOperator(db, id, write => insertOrganization(write, { id, name }));
  return id;
}

/** Stores an organization and starts its clock. The caller must check the name first. */
export function insertOrganization(write: Write, { id, name }: { id: string; name: string }): void {
  write.send(sql`
    INSERT INTO organization (id, name, folded_name, created_at) VALUES (${id}, ${name}, ${fold(name)}, ${write.at})`);
  write.audit({ id, action: 'organization.create' });
}

/** Creates a tenant for an operator and returns its identifier. @throws ApiError 400 VALIDATION_ERROR, INVALID_REFERENCE */
export async function createTenant(db: Pool, organizationId: string, name: string): Promise<string> {
  checkName('name', name);
  const id = newId();
  await runAtClock(db, organizationId, operator, write => insertTenant(write, { id, name }));
  return id;
}

/** The caller must check the name first. */
export function insertTenant(
  write: Write,
  { id, name, decisionDays = null }: { id: string; name: string; decisionDays?: number | null },
): void {
  write.send(sql`
    INSERT INTO tenant (organization_id, id, name, folded_name, decision_days, created_at)
    VALUES (${write.organizationId}, ${id}, ${name}, ${fold(name)}, ${decisionDays}, ${write.at})`);
  write.audit({ id, action: 'tenant.create' });
}

export async function lockTenant(db: Queryable, { organizationId }: Scope, id: string): Promise<void> {
  await db.run(sql`
    SELECT FROM tenant WHERE organization_id = ${organizationId} AND id = ${id} FOR NO KEY UPDATE`);
}

/** Stores the name and the settings of a locked tenant. */
export function updateTenant(
  write: Write,
  { id, name, decisionDays }: Pick<Tenant, 'id' | 'name' | 'decisionDays'>,
  changes: ChangedValues,
): void {
  write.send(sql`
    UPDATE tenant SET name = ${name}, folded_name = ${fold(name)}, decision_days = ${decisionDays}
    WHERE organization_id = ${write.organizationId} AND id = ${id}`);
  write.audit({ id, action: 'tenant.update', fields: Object.keys(changes), changes });
}

export async function organizationExists(db: Queryable, id: string): Promise<boolean> {
  return (await db.run(sql`SELECT FROM organization WHERE id = ${id}`)) > 0;
}

export async function organizationIsOpen(db: Queryable, id: string): Promise<boolean> {
  return (await db.run(sql`SELECT FROM organization WHERE id = ${id} AND closed_at IS NULL`)) > 0;
}

export async function organizationOfTenant(db: Queryable, tenantId: string): Promise<string | null> {
  const [row] = await db.rows<{ organization_id: string }>(sql`
    SELECT organization_id FROM tenant WHERE id = ${tenantId}`);
  return row?.organization_id ?? null;
}

/** Returns the `ids` that are tenants of the organization. */
export async function tenantsAmong(
  db: Queryable,
  organizationId: string,
  ids: readonly string[],
): Promise<Set<string>> {
  const rows = await db.rows<{ id: string }>(sql`
    SELECT id FROM tenant WHERE organization_id = ${organizationId} AND id = ANY(${[...ids]}::text[])`);
  return new Set(rows.map(row => row.id));
}

/** Returns the `ids` that are divisions of the organization, with their tenants. */
export async function divisionsAmong(
  db: Queryable,
  organizationId: string,
  ids: readonly string[],
): Promise<Map<string, string>> {
  const rows = await db.rows<{ id: string; tenant_id: string }>(sql`
    SELECT id, tenant_id FROM division WHERE organization_id = ${organizationId} AND id = ANY(${[...ids]}::text[])`);
  return new Map(rows.map(row => [row.id, row.tenant_id]));
}

export function placesIn(db: Queryable) {
  return {
    tenantsAmong: (organizationId: string, ids: readonly string[]) => tenantsAmong(db, organizationId, ids),
    divisionsAmong: (organizationId: string, ids: readonly string[]) =>
      divisionsAmong(db, organizationId, ids),
  };
}
