import { ApiError, fold } from '@kontor/contract';
import { violatedConstraint } from '../../db/failure.ts';
import { findInScope } from '../../auth/find-in-scope.ts';
import { newId } from '../../db/ids.ts';
import { scopePredicate } from '../../auth/scope-predicate.ts';
import type { Queryable } from '../../db/session.ts';
import { assignments, type Fragment, insertion, sql } from '../../db/sql.ts';
import { checkName } from '../../lib/names.ts';
import type { Scope } from '../../auth/scope.ts';
import { divisionPath, type Searched } from '../../query/search-all.ts';
import type { WriteAtClock } from '../../write/writes.ts';
import { type DivisionRow, divisionRow } from './mapping.ts';
import { checkDepth, type Move, nameTaken, newDivision, type Placement } from './rules.ts';

export function findDivision(
  db: Queryable,
  scope: Scope,
  tenant: string | null,
  id: string,
): Promise<{ doc: string; tenantId: string } | null> {
  return findInScope(db, { table: 'division', scope, tenant, id }, sql`doc, tenant_id AS "tenantId"`);
}

export function searchedDivisions(scope: Scope): Searched {
  const { organizationId } = scope;
  return {
    rows: sql`
      SELECT id, name, folded_name, folded_cost_center, tenant_id AS tenant, (SELECT t.name FROM tenant t
        WHERE t.organization_id = ${organizationId} AND t.id = division.tenant_id) AS detail
      FROM division WHERE ${scopePredicate(scope, null)}`,
    columns: ['folded_name', 'folded_cost_center', 'id'],
    path: divisionPath(organizationId, sql`found.id`),
  };
}

/** Finds up to two tenants of an organization: enough to recognize a single one. */
export async function findTenants(db: Queryable, organizationId: string): Promise<string[]> {
  const rows = await db.rows<{ id: string }>(
    sql`SELECT id FROM tenant WHERE organization_id = ${organizationId} LIMIT 2`,
  );
  return rows.map(row => row.id);
}

export async function readMove(
  db: Queryable,
  scope: Scope,
  division: { id: string; tenant: string },
  parentId: string,
): Promise<Move> {
  const { organizationId } = scope;
  const visible = scopePredicate(scope, division.tenant);
  const [row] = await db.rows<Move>(sql`
    SELECT
      CASE WHEN EXISTS (SELECT FROM division WHERE ${visible} AND id = ${parentId})
        THEN ${depthOf(organizationId, parentId)} END AS "parentDepth",
      EXISTS (SELECT FROM division_ancestor WHERE organization_id = ${organizationId}
        AND ancestor_id = ${division.id} AND division_id = ${parentId}) AS cycle,
      (SELECT max(depth) FROM (
        SELECT count(*)::int AS depth FROM division_ancestor below
        JOIN division_ancestor line USING (organization_id, division_id)
        WHERE below.organization_id = ${organizationId} AND below.ancestor_id = ${division.id}
        GROUP BY division_id) AS depths) - ${depthOf(organizationId, division.id)} + 1 AS height`);
  return row!;
}

/** Selects the level of a division, 1 for a root. It is the number of its ancestors, itself included. */
function depthOf(organizationId: string, id: string | null): Fragment {
  return sql`(SELECT count(*)::int FROM division_ancestor
    WHERE organization_id = ${organizationId} AND division_id = ${id})`;
}

/** Max siblings that a move numbers anew. */
export const renumberedMaximum = 1000;

/** The identifiers of a division and of those above it; none for null. */
export async function readAncestors(
  db: Queryable,
  organizationId: string,
  id: string | null,
): Promise<string[]> {
  if (id === null) return [];
  const rows = await db.rows<{ id: string }>(sql`
    SELECT ancestor_id AS id FROM division_ancestor
    WHERE organization_id = ${organizationId} AND division_id = ${id}`);
  return rows.map(row => row.id);
}

/** The children of a division, or the roots of a tenant, in their order. */
export function readChildren(
  db: Queryable,
  organizationId: string,
  { tenantId, parentId }: Placement,
): Promise<{ id: string; order: number }[]> {
  return db.rows(sql`
    SELECT id, sort_order AS "order" FROM division
    WHERE organization_id = ${organizationId} AND tenant_id = ${tenantId} AND ${childOf(parentId)}
    ORDER BY sort_order, id`);
}

export async function readDivisions(
  db: Queryable,
  organizationId: string,
  ids: readonly string[],
): Promise<string[]> {
  const rows = await db.rows<{ doc: string }>(sql`
    SELECT doc FROM division WHERE organization_id = ${organizationId} AND id = ANY(${[...ids]}::text[])`);
  return rows.map(({ doc }) => doc);
}

export async function isNameTaken(
  db: Queryable,
  organizationId: string,
  row: Pick<DivisionRow, 'id' | 'tenant_id' | 'parent_id' | 'folded_name'>,
): Promise<boolean> {
  const taken = await db.run(sql`
    SELECT FROM division
    WHERE organization_id = ${organizationId} AND tenant_id = ${row.tenant_id} AND ${childOf(row.parent_id)}
      AND folded_name = ${row.folded_name} AND id <> ${row.id}`);
  return taken > 0;
}

/** Two conditions, because no index supports `IS NOT DISTINCT FROM`. */
function childOf(parentId: string | null): Fragment {
  return parentId === null ? sql`parent_id IS NULL` : sql`parent_id = ${parentId}`;
}

/** The siblings and the parent of a new division. */
export interface Level {
  /** The level of the parent, 1 for a root; 0 without one. */
  readonly parentDepth: number;
  /** The `order` of the last sibling; null without siblings, and when it was not read. */
  readonly last: number | null;
  readonly nameTaken: boolean;
}

/** Reads the level for a folded name; the tenant may be an expression. With an `order` the last sibling is not read, which takes long with many siblings. */
export async function readLevel(
  db: Queryable,
  organizationId: string,
  { tenantId, parentId }: { readonly tenantId: string | Fragment; readonly parentId: string | null },
  { foldedName, ordered }: { foldedName: string; ordered: boolean },
): Promise<Level> {
  const sibling = sql`
    organization_id = ${organizationId} AND tenant_id = ${tenantId} AND ${childOf(parentId)}`;
  const last = ordered ? sql`NULL::float8` : sql`(SELECT max(sort_order) FROM division WHERE ${sibling})`;
  const [row] = await db.rows<Level>(sql`
    SELECT ${depthOf(organizationId, parentId)} AS "parentDepth", ${last} AS last,
      EXISTS (SELECT FROM division WHERE ${sibling} AND folded_name = ${foldedName}) AS "nameTaken"`);
  return row!;
}

/** Stores a new division with its part of the closure table. See {@link throwNameTaken} for the error. */
export function insertDivision(write: WriteAtClock, row: DivisionRow): void {
  const { organizationId } = write;
  write.send(sql`INSERT INTO division ${insertion({ organization_id: organizationId, ...row })}`);
  write.send(sql`
    INSERT INTO division_ancestor (organization_id, ancestor_id, division_id)
    SELECT ${organizationId}::text, ancestor_id, ${row.id}::text FROM division_ancestor
    WHERE organization_id = ${organizationId} AND division_id = ${row.parent_id}
    UNION ALL SELECT ${organizationId}::text, ${row.id}::text, ${row.id}::text`);
  // A division counts for itself, too: the total of a key is the sum over its divisions.
  write.count('division', ['', row.tenant_id, row.id]);
  write.audit({ id: row.id, action: 'division.create' });
}

/** Stores a changed division and moves its subtree. See {@link throwNameTaken} for the error. */
export function updateDivision(write: WriteAtClock, row: DivisionRow, fields: readonly string[]): void {
  const { id, ...values } = row;
  write.send(sql`
    UPDATE division SET ${assignments(values)} WHERE organization_id = ${write.organizationId} AND id = ${id}`);
  if (fields.includes('parentId')) {
    write.send(moveSubtree(write.organizationId, { id, parentId: row.parent_id }));
  }
  write.audit({ id, action: 'division.update', fields });
}

/**
 * Converts a violation of the name constraint. Only dry runs cause it, because they do not take the organization clock.
 * @throws ApiError DIVISION_NAME_NOT_UNIQUE_ON_SAME_LEVEL for a violation, else the error
 */
export function throwNameTaken(error: unknown): never {
  throw violatedConstraint(error) === 'division_sibling_name' ? nameTaken() : error;
}

function moveSubtree(organizationId: string, move: { id: string; parentId: string | null }): Fragment {
  const organization = sql`organization_id = ${organizationId}`;
  return sql`
    WITH subtree AS (
      SELECT division_id FROM division_ancestor WHERE ${organization} AND ancestor_id = ${move.id}
    ), before AS (
      SELECT ancestor_id FROM division_ancestor
      WHERE ${organization} AND division_id = ${move.id} AND ancestor_id <> ${move.id}
    ), later AS (
      SELECT ancestor_id FROM division_ancestor WHERE ${organization} AND division_id = ${move.parentId}
    ), taken AS (
      DELETE FROM division_ancestor line
      USING subtree, (SELECT ancestor_id FROM before EXCEPT SELECT ancestor_id FROM later) AS above
      WHERE line.organization_id = ${organizationId} AND line.ancestor_id = above.ancestor_id
        AND line.division_id = subtree.division_id
    )
    INSERT INTO division_ancestor (organization_id, ancestor_id, division_id)
    SELECT ${organizationId}::text, above.ancestor_id, subtree.division_id
    FROM subtree, (SELECT ancestor_id FROM later EXCEPT SELECT ancestor_id FROM before) AS above`;
}

export interface NewDivision extends Placement {
  readonly name: string;
}

/**
 * Creates a division after its last sibling for an operator, and returns its identifier.
 * @throws ApiError 400 VALIDATION_ERROR (name), DIVISION_NAME_NOT_UNIQUE_ON_SAME_LEVEL, INVALID_REFERENCE (tenant, parent), 422
 * VALIDATION_ERROR (depth)
 */
export async function createDivision(
  write: WriteAtClock,
  db: Queryable,
  division: NewDivision,
): Promise<string> {
  const { organizationId, instant } = write;
  const { name } = division;
  checkName('name', name);
  await checkPlace(db, organizationId, division);
  const foldedName = fold(name);
  const level = await readLevel(db, organizationId, division, { foldedName, ordered: false });
  checkDepth(level.parentDepth);
  // Checked here because a violated constraint would abort the caller's transaction.
  if (level.nameTaken) throw nameTaken();
  const data = newDivision({ name }, division, level.last);
  const row = divisionRow(newId(), data, { createdAt: instant, updatedAt: instant });
  insertDivision(write, row);
  return row.id;
}

async function checkPlace(
  db: Queryable,
  organizationId: string,
  { tenantId, parentId }: Placement,
): Promise<void> {
  const [found] = await db.rows<{ tenant: boolean; parent: boolean }>(sql`
    SELECT
      EXISTS (SELECT FROM tenant WHERE organization_id = ${organizationId} AND id = ${tenantId}) AS tenant,
      EXISTS (SELECT FROM division WHERE organization_id = ${organizationId} AND tenant_id = ${tenantId}
        AND id = ${parentId}) AS parent`);
  if (!found!.tenant)
    throw new ApiError('INVALID_REFERENCE', 'tenant: there is no such tenant in the organization');
  if (parentId !== null && !found!.parent)
    throw new ApiError('INVALID_REFERENCE', 'parentId: there is no such division in the tenant');
}
