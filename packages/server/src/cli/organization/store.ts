import type { Queryable } from '../../db/session.ts';
import { raw, sql } from '../../db/sql.ts';
import { organizationExists, organizationOfTenant } from '../../features/organizations/store.ts';
import { showInstants, type Shown } from '../../lib/render-row.ts';
import { CommandError } from '../program/command.ts';

/** @throws CommandError where there is no such organization. */
export async function checkOrganization(db: Queryable, id: string): Promise<void> {
  if (!(await organizationExists(db, id))) throw new CommandError(`there is no organization ${id}`);
}

/** Returns the organization of a tenant. @throws CommandError where there is no such tenant. */
export async function findOrganizationOfTenant(db: Queryable, tenantId: string): Promise<string> {
  const organizationId = await organizationOfTenant(db, tenantId);
  if (organizationId === null) throw new CommandError(`there is no tenant ${tenantId}`);
  return organizationId;
}

/** Finds the tenant or the organization that options name: one of them at least. @throws CommandError where there is none. */
export async function findTarget(
  db: Queryable,
  { organization, tenant }: { organization: string | undefined; tenant: string | undefined },
): Promise<{ organizationId: string; tenantId: string | null }> {
  if (tenant === undefined) {
    await checkOrganization(db, organization!);
    return { organizationId: organization!, tenantId: null };
  }
  const organizationId = await findOrganizationOfTenant(db, tenant);
  if (organization !== undefined && organization !== organizationId)
    throw new CommandError(`there is no tenant ${tenant}`);
  return { organizationId, tenantId: tenant };
}

/** An organization with exact numbers of what it has. */
export type ListedOrganization = Shown<OrganizationRow>;

interface OrganizationRow {
  readonly id: string;
  readonly name: string;
  readonly tenants: number;
  readonly employees: number;
  readonly orders: number;
  readonly incidents: number;
  readonly keys: number;
  readonly createdAt: Date;
  /** When it was closed, and from when on it can be deleted; null: it is open. */
  readonly closedAt: Date | null;
  readonly deletableFrom: Date | null;
}

/** Reads all organizations, or the one of this id, the oldest first. */
export async function readOrganizations(db: Queryable, id: string | null): Promise<ListedOrganization[]> {
  const counted = (resourceType: string) => sql`
    coalesce((SELECT n FROM counter c WHERE c.organization_id = o.id AND resource_type = ${resourceType} AND scope = ''), 0)::int`;
  const rows = await db.rows<OrganizationRow>(sql`
    SELECT o.id, o.name, (SELECT count(*)::int FROM tenant t WHERE t.organization_id = o.id) AS tenants,
      ${counted('employee')} AS employees, ${counted('order')} AS orders, ${counted('incident')} AS incidents,
      (SELECT count(*)::int FROM api_key k WHERE k.organization_id = o.id AND k.status <> 'deleted') AS keys,
      o.created_at AS "createdAt", o.closed_at AS "closedAt", o.deletable_from AS "deletableFrom"
    FROM organization o WHERE ${id}::text IS NULL OR o.id = ${id} ORDER BY o.id`);
  return rows.map(showInstants);
}

/** @throws CommandError where there is no such organization. */
export async function findOrganization(db: Queryable, id: string): Promise<ListedOrganization> {
  const [organization] = await readOrganizations(db, id);
  if (!organization) throw new CommandError(`there is no organization ${id}`);
  return organization;
}

/** A tenant with exact numbers of what it has. */
export type ListedTenant = Shown<TenantRow>;

interface TenantRow {
  readonly id: string;
  readonly name: string;
  readonly organizationId: string;
  readonly organizationName: string;
  readonly divisions: number;
  readonly employees: number;
  /** Days after which an undecided order expires; null: it never does. */
  readonly decisionDays: number | null;
  readonly createdAt: Date;
}

/** Reads the tenants of all organizations, of one, or the one of this id. */
export async function readTenants(
  db: Queryable,
  { organizationId = null, id = null }: { organizationId?: string | null; id?: string | null },
): Promise<ListedTenant[]> {
  const counted = (resourceType: string) => sql`
    coalesce((SELECT n FROM counter c
      WHERE c.organization_id = o.id AND resource_type = ${resourceType} AND scope = t.id), 0)::int`;
  const rows = await db.rows<TenantRow>(sql`
    SELECT t.id, t.name, o.id AS "organizationId", o.name AS "organizationName", ${counted('division')} AS divisions,
      ${counted('employee')} AS employees, t.decision_days AS "decisionDays", t.created_at AS "createdAt"
    FROM organization o JOIN tenant t ON t.organization_id = o.id
    WHERE (${organizationId}::text IS NULL OR o.id = ${organizationId}) AND (${id}::text IS NULL OR t.id = ${id})
    ORDER BY o.id, t.id`);
  return rows.map(showInstants);
}

/** @throws CommandError where there is no such tenant. */
export async function findTenant(db: Queryable, id: string): Promise<ListedTenant> {
  const [tenant] = await readTenants(db, { id });
  if (!tenant) throw new CommandError(`there is no tenant ${id}`);
  return tenant;
}

/** A division with the divisions below it. */
export interface DivisionNode {
  readonly id: string;
  readonly name: string;
  readonly costCenter: string | null;
  readonly employees: number;
  readonly divisions: readonly DivisionNode[];
}

/** Reads the divisions of a tenant as a tree, siblings in their order. `employees` are those placed in the division itself. */
export async function readDivisionTree(
  db: Queryable,
  organizationId: string,
  tenantId: string,
): Promise<DivisionNode[]> {
  const rows = await db.rows<Omit<DivisionNode, 'divisions'> & { parentId: string | null }>(sql`
    SELECT d.id, d.name, d.cost_center AS "costCenter", d.parent_id AS "parentId", coalesce(c.n, 0)::int AS employees
    FROM division d LEFT JOIN counter c
      ON c.organization_id = ${organizationId} AND c.resource_type = 'employee' AND c.scope = d.id
    WHERE d.organization_id = ${organizationId} AND d.tenant_id = ${tenantId} ORDER BY d.sort_order, d.id`);
  const below = Map.groupBy(rows, row => row.parentId);
  const nodesBelow = (id: string | null): DivisionNode[] =>
    (below.get(id) ?? []).map(({ parentId: _parent, ...row }) => ({ ...row, divisions: nodesBelow(row.id) }));
  return nodesBelow(null);
}

/** Returns the organization and the document of a resource by its identifier alone. @throws CommandError */
export async function findDocument(
  db: Queryable,
  { table, noun }: { table: string; noun: string },
  id: string,
): Promise<{ organizationId: string; document: Readonly<Record<string, unknown>> }> {
  const [row] = await db.rows<{ organization_id: string; doc: string }>(sql`
    SELECT r.organization_id, r.doc FROM organization o JOIN ${raw(table)} r ON r.organization_id = o.id AND r.id = ${id}`);
  if (!row) throw new CommandError(`there is no ${noun} ${id}`);
  return { organizationId: row.organization_id, document: JSON.parse(row.doc) as Record<string, unknown> };
}

/** Returns the organization of an employee. @throws CommandError where there is no such employee. */
export async function findOrganizationOfEmployee(db: Queryable, id: string): Promise<string> {
  return (await findDocument(db, { table: 'employee', noun: 'employee' }, id)).organizationId;
}
