import { ApiError, fold } from '@kontor/contract';
import type { Sql, TransactionSql } from 'postgres';
import { nextInstant } from '../../database/clock.ts';
import { newId } from '../../database/ids.ts';
import { checkDepth, checkName, orderAfter } from './rules.ts';

/** Creates an organization and answers its identifier. Errors: 400 VALIDATION_ERROR. */
export async function createOrganization(sql: Sql, name: string): Promise<string> {
  checkName('name', name);
  const id = newId();
  await sql.begin(async transaction => {
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
  await sql.begin(async transaction => {
    const at = await advanceTree(transaction, organizationId);
    await transaction`
      INSERT INTO tenant (organization_id, id, name, created_at) VALUES (${organizationId}, ${id}, ${name}, ${at})`;
    await audit(transaction, { organizationId, at, targetId: id, action: 'tenant.create' });
  });
  return id;
}

/**
 * Takes the next instant of the organization clock for a change of tenants or divisions. It locks the organization until
 * the commit, so it comes first in the transaction. Errors: 422 INVALID_REFERENCE.
 */
export async function advanceTree(sql: TransactionSql, organizationId: string): Promise<Date> {
  const [row] = await sql<{ clock: Date }[]>`
    UPDATE organization SET clock = ${sql.unsafe(nextInstant)}, tree_version = tree_version + 1
    WHERE id = ${organizationId} RETURNING clock`;
  if (!row)
    throw new ApiError('INVALID_REFERENCE', `organization: there is no organization ${organizationId}`);
  return row.clock;
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

export interface NewDivision {
  readonly organizationId: string;
  readonly tenantId: string;
  readonly parentId: string | null;
  readonly name: string;
  /** The instant that {@link advanceTree} gave in the same transaction. */
  readonly at: Date;
}

/**
 * Creates a division behind its last sibling and answers its identifier. It runs in the transaction of the caller, who has
 * called {@link advanceTree} first: the lock of the organization makes what is checked here hold until the commit.
 * Errors: 400 VALIDATION_ERROR (name), 409 DIVISION_NAME_NOT_UNIQUE_ON_SAME_LEVEL, 422 INVALID_REFERENCE (tenant, parent),
 * 422 VALIDATION_ERROR (depth).
 */
export async function createDivision(sql: TransactionSql, division: NewDivision): Promise<string> {
  checkName('name', division.name);
  await checkParent(sql, division);
  const id = newId();
  const { organizationId, tenantId, parentId, name, at } = division;
  const foldedName = fold(name);
  const place = await siblings(sql, division, foldedName);
  if (place.taken)
    throw new ApiError(
      'DIVISION_NAME_NOT_UNIQUE_ON_SAME_LEVEL',
      'name: a division of this name exists on the same level; choose another name',
    );
  const order = orderAfter(place.last);
  const [createdAt, updatedAt] = [at.toISOString(), at.toISOString()];
  const document = { id, tenant: tenantId, name, parentId, order, costCenter: null, createdAt, updatedAt };
  await sql`
    INSERT INTO division (organization_id, id, tenant_id, parent_id, name, folded_name, sort_order, created_at, updated_at,
      doc)
    VALUES (${organizationId}, ${id}, ${tenantId}, ${parentId}, ${name}, ${foldedName}, ${order}, ${at}, ${at},
      ${JSON.stringify(document)})`;
  await sql`
    INSERT INTO counter (organization_id, family, scope, n)
    SELECT ${organizationId}, 'division', scope, 1 FROM unnest(${['', tenantId, id]}::text[]) AS scope
    ON CONFLICT (organization_id, family, scope) DO UPDATE SET n = counter.n + 1`;
  await sql`
    INSERT INTO division_ancestor (organization_id, ancestor_id, division_id)
    SELECT ${organizationId}::text, ancestor_id, ${id}::text FROM division_ancestor
    WHERE organization_id = ${organizationId} AND division_id = ${parentId}
    UNION ALL SELECT ${organizationId}::text, ${id}::text, ${id}::text`;
  await audit(sql, { organizationId, at, targetId: id, action: 'division.create' });
  return id;
}

async function checkParent(sql: TransactionSql, division: NewDivision): Promise<void> {
  const { organizationId, tenantId, parentId } = division;
  const [row] = await sql<{ tenant: boolean; parent: boolean; depth: number }[]>`
    SELECT
      EXISTS (SELECT FROM tenant WHERE organization_id = ${organizationId} AND id = ${tenantId}) AS tenant,
      EXISTS (SELECT FROM division WHERE organization_id = ${organizationId} AND tenant_id = ${tenantId}
        AND id = ${parentId}) AS parent,
      (SELECT count(*)::int FROM division_ancestor
        WHERE organization_id = ${organizationId} AND division_id = ${parentId}) AS depth`;
  if (!row!.tenant)
    throw new ApiError('INVALID_REFERENCE', 'tenant: there is no such tenant in the organization');
  if (parentId !== null && !row!.parent)
    throw new ApiError('INVALID_REFERENCE', 'parentId: there is no such division in the tenant');
  checkDepth(row!.depth);
}

async function siblings(
  sql: TransactionSql,
  division: NewDivision,
  foldedName: string,
): Promise<{ last: number | null; taken: boolean }> {
  const [row] = await sql<{ last: number | null; taken: boolean | null }[]>`
    SELECT max(sort_order) AS last, bool_or(folded_name = ${foldedName}) AS taken FROM division
    WHERE organization_id = ${division.organizationId} AND tenant_id = ${division.tenantId}
      AND parent_id IS NOT DISTINCT FROM ${division.parentId}`;
  return { last: row!.last, taken: row!.taken ?? false };
}

async function audit(
  sql: TransactionSql,
  entry: { organizationId: string; at: Date; targetId: string; action: string },
): Promise<void> {
  await sql`
    INSERT INTO audit (organization_id, at, target_id, action, actor, fields)
    VALUES (${entry.organizationId}, ${entry.at}, ${entry.targetId}, ${entry.action}, 'operator', '{}')`;
}
