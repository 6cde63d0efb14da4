import type { Queryable } from '../../db/session.ts';
import { raw, sql } from '../../db/sql.ts';

/** An organization as an operator sees it, with exact numbers of what it has. */
export interface ListedOrganization {
  readonly id: string;
  readonly name: string;
  readonly tenants: number;
  readonly employees: number;
  readonly orders: number;
  readonly incidents: number;
  readonly keys: number;
  readonly createdAt: string;
}

/** All organizations, or the one of this id, the oldest first. */
export async function readOrganizations(db: Queryable, id: string | null): Promise<ListedOrganization[]> {
  const counted = (family: string) => sql`
    coalesce((SELECT n FROM counter c WHERE c.organization_id = o.id AND family = ${family} AND scope = ''), 0)::int`;
  const rows = await db.rows<Omit<ListedOrganization, 'createdAt'> & { createdAt: Date }>(sql`
    SELECT o.id, o.name, (SELECT count(*)::int FROM tenant t WHERE t.organization_id = o.id) AS tenants,
      ${counted('employee')} AS employees, ${counted('order')} AS orders, ${counted('incident')} AS incidents,
      (SELECT count(*)::int FROM api_key k WHERE k.organization_id = o.id AND k.status <> 'deleted') AS keys,
      o.created_at AS "createdAt"
    FROM organization o WHERE ${id}::text IS NULL OR o.id = ${id} ORDER BY o.id`);
  return rows.map(row => ({ ...row, createdAt: row.createdAt.toISOString() }));
}

/** A tenant as an operator sees it. */
export interface ListedTenant {
  readonly id: string;
  readonly name: string;
  readonly organizationId: string;
  readonly organizationName: string;
  readonly divisions: number;
  readonly employees: number;
  /** Days in which its orders are decided; null: they wait for ever. */
  readonly decisionDays: number | null;
  readonly createdAt: string;
}

/** The tenants of all organizations, of one, or the one of this id. */
export async function readTenants(
  db: Queryable,
  { organizationId = null, id = null }: { organizationId?: string | null; id?: string | null },
): Promise<ListedTenant[]> {
  const counted = (family: string) => sql`
    coalesce((SELECT n FROM counter c
      WHERE c.organization_id = o.id AND family = ${family} AND scope = t.id), 0)::int`;
  const rows = await db.rows<Omit<ListedTenant, 'createdAt'> & { createdAt: Date }>(sql`
    SELECT t.id, t.name, o.id AS "organizationId", o.name AS "organizationName", ${counted('division')} AS divisions,
      ${counted('employee')} AS employees, t.decision_days AS "decisionDays", t.created_at AS "createdAt"
    FROM organization o JOIN tenant t ON t.organization_id = o.id
    WHERE (${organizationId}::text IS NULL OR o.id = ${organizationId}) AND (${id}::text IS NULL OR t.id = ${id})
    ORDER BY o.id, t.id`);
  return rows.map(row => ({ ...row, createdAt: row.createdAt.toISOString() }));
}

/** A division with what hangs below it. */
export interface DivisionNode {
  readonly id: string;
  readonly name: string;
  readonly costCenter: string | null;
  readonly employees: number;
  readonly divisions: readonly DivisionNode[];
}

/** The divisions of a tenant as a tree, siblings in their order. `employees` are those placed in the division itself. */
export async function readDivisionTree(
  db: Queryable,
  organizationId: string,
  tenantId: string,
): Promise<DivisionNode[]> {
  const rows = await db.rows<Omit<DivisionNode, 'divisions'> & { parentId: string | null }>(sql`
    SELECT d.id, d.name, d.cost_center AS "costCenter", d.parent_id AS "parentId", coalesce(c.n, 0)::int AS employees
    FROM division d LEFT JOIN counter c
      ON c.organization_id = ${organizationId} AND c.family = 'employee' AND c.scope = d.id
    WHERE d.organization_id = ${organizationId} AND d.tenant_id = ${tenantId} ORDER BY d.sort_order, d.id`);
  const below = Map.groupBy(rows, row => row.parentId);
  const nodesBelow = (id: string | null): DivisionNode[] =>
    (below.get(id) ?? []).map(({ parentId: _parent, ...row }) => ({ ...row, divisions: nodesBelow(row.id) }));
  return nodesBelow(null);
}

/** A stored document with its organization, whosever it is. */
export interface AnyDocument {
  readonly organizationId: string;
  readonly document: Readonly<Record<string, unknown>>;
}

/** The document of a table by its identifier alone; null when there is none. */
export async function readAnyDocument(db: Queryable, name: string, id: string): Promise<AnyDocument | null> {
  const [row] = await db.rows<{ organization_id: string; doc: string }>(sql`
    SELECT f.organization_id, f.doc FROM organization o JOIN ${raw(name)} f ON f.organization_id = o.id AND f.id = ${id}`);
  return row
    ? { organizationId: row.organization_id, document: JSON.parse(row.doc) as Record<string, unknown> }
    : null;
}
