import type { Scope } from '../../scope.ts';
import { lockPatience, nextInstant, stampedDocument } from '../../database/clock.ts';
import type { Pool } from '../../database/connect.ts';
import { findInScope } from '../../database/find-in-scope.ts';
import { scopePredicate } from '../../database/scope-predicate.ts';
import type { Queryable } from '../../database/session.ts';
import { type Fragment, join, raw, sql } from '../../database/sql.ts';
import { inTransaction, RollBack } from '../../database/transaction.ts';
import { emailKey } from '../../email-key.ts';
import { type EmployeeColumn, type EmployeeRow, employeeColumns } from './record.ts';
import type { TreeFacts } from './rules.ts';

/** Who writes, for the audit. `requestId` is null for an operator's command. */
export interface Author {
  readonly actor: string;
  readonly requestId: string | null;
}

/** What a write was checked against: it happens only if the tree is still that; null when no division mattered. */
export interface Insertion {
  readonly row: EmployeeRow;
  readonly author: Author;
  readonly treeVersion: string | null;
}

export interface Update extends Insertion {
  /** `updatedAt` of the document that the new one was made from. */
  readonly seen: string;
  readonly divisionBefore: string | null;
  /** Names of the changed public fields. */
  readonly fields: readonly string[];
}

/** The stored document, or null when the write did not happen: another row has a unique value, or what it stood on changed. */
export type Written = string | null;

export interface DryRun {
  /** The instant of the request, which a dry run stamps instead of the organization clock. */
  readonly now: Date;
  /** Longest wait for a lock in milliseconds. */
  readonly patience: number;
}

const columns = Object.keys(employeeColumns) as EmployeeColumn[];
const columnList = raw(columns.join(', '));

/** Inserts the rows in one statement and commits it, taking the clock of the organization once. */
export async function insertEmployees(
  db: Queryable,
  organizationId: string,
  insertions: readonly Insertion[],
  patience: number,
): Promise<Written[]> {
  const written = await db.rows<{ id: string; doc: string }>(sql`
    WITH ${inputRows(insertions)},
    fresh AS (SELECT * FROM input WHERE ${isFresh(organizationId)}),
    ${clock(organizationId, 'fresh', patience)},
    inserted AS (${insertion(organizationId, 'fresh')}),
    counted AS (${counting(
      organizationId,
      sql`SELECT '' AS scope, 1 AS n FROM inserted
       UNION ALL SELECT coalesce(tenant_id, 'none'), 1 FROM inserted
       UNION ALL SELECT division_id, 1 FROM inserted WHERE division_id IS NOT NULL`,
    )}),
    audited AS (${auditing(organizationId, 'employee.create', sql`inserted JOIN input USING (id)`, sql`'{}'::text[]`)})
    SELECT id, doc FROM inserted`);
  return byId(insertions, written);
}

/** Runs the insertion with all constraints, without clock, counters and audit, and rolls it back. */
export function tryInsertion(
  db: Pool,
  organizationId: string,
  insertion_: Insertion,
  dryRun: DryRun,
): Promise<Written> {
  const statement = sql`
    WITH ${inputRows([insertion_])},
    ${stillClock(organizationId, dryRun)},
    inserted AS (${insertion(organizationId, 'input')})
    SELECT id, doc FROM inserted`;
  return rolledBack(db, statement);
}

/** Updates the rows in one statement and commits it. A row whose document is no longer the one seen is left alone. */
export async function updateEmployees(
  db: Queryable,
  organizationId: string,
  updates: readonly Update[],
  patience: number,
): Promise<Written[]> {
  const written = await db.rows<{ id: string; doc: string }>(sql`
    WITH ${inputRows(updates, updateColumns(updates))},
    ${clock(organizationId, 'input', patience)},
    updated AS (${update(organizationId)}),
    counted AS (${counting(
      organizationId,
      sql`SELECT division_id AS scope, 1 AS n FROM updated
         WHERE division_id IS DISTINCT FROM division_before AND division_id IS NOT NULL
       UNION ALL SELECT division_before, -1 FROM updated
         WHERE division_id IS DISTINCT FROM division_before AND division_before IS NOT NULL`,
    )}),
    audited AS (${auditing(organizationId, 'employee.update', sql`updated`, sql`string_to_array(fields, ',')`)})
    SELECT id, seen, doc FROM updated`);
  return byId(updates, written);
}

/** Runs the update with all constraints, without clock, counters and audit, and rolls it back. */
export function tryUpdate(
  db: Pool,
  organizationId: string,
  change: Update,
  dryRun: DryRun,
): Promise<Written> {
  const statement = sql`
    WITH ${inputRows([change], updateColumns([change]))},
    ${stillClock(organizationId, dryRun)},
    updated AS (${update(organizationId)})
    SELECT id, doc FROM updated`;
  return rolledBack(db, statement);
}

interface InputColumn {
  readonly name: string;
  readonly type: string;
  readonly values: unknown[];
}

/** `input AS (…)`: one row a write, from one array a column, so that the text does not depend on their number. */
function inputRows(writes: readonly Insertion[], more: InputColumn[] = []): Fragment {
  const input: InputColumn[] = [
    ...columns.map(name => ({
      name,
      type: employeeColumns[name],
      values: writes.map(write => write.row[name]),
    })),
    { name: 'head', type: 'text', values: writes.map(write => write.row.head) },
    { name: 'actor', type: 'text', values: writes.map(write => write.author.actor) },
    { name: 'request_id', type: 'text', values: writes.map(write => write.author.requestId) },
    { name: 'tree_version', type: 'bigint', values: writes.map(write => write.treeVersion) },
    ...more,
  ];
  const arrays = input.map(column => sql`${column.values}::${raw(column.type)}[]`);
  const names = raw(input.map(column => column.name).join(', '));
  return sql`input AS (SELECT * FROM unnest(${join(arrays)}) AS i(${names}))`;
}

function updateColumns(updates: readonly Update[]): InputColumn[] {
  return [
    { name: 'seen', type: 'timestamptz', values: updates.map(change => change.seen) },
    { name: 'division_before', type: 'text', values: updates.map(change => change.divisionBefore) },
    { name: 'fields', type: 'text', values: updates.map(change => change.fields.join(',')) },
  ];
}

/**
 * No employee has the unique values yet, and the tree is still the one that was checked, as the statement sees it: spares the
 * clock. Constraints and clock decide.
 */
function isFresh(organizationId: string): Fragment {
  return sql`NOT EXISTS (SELECT FROM employee e WHERE e.organization_id = ${organizationId} AND e.email_key = input.email_key)
      AND (tree_version IS NULL OR tree_version = (SELECT o.tree_version FROM organization o WHERE o.id = ${organizationId}))`;
}

/**
 * `clock AS (…)`: takes the organization's next instant, and with it its turn. The lock time is set in the same statement,
 * before the row is locked, since a statement of its own would be another round trip.
 */
function clock(organizationId: string, source: 'fresh' | 'input', patience: number): Fragment {
  return sql`clock AS (
      UPDATE organization SET clock = ${nextInstant}
      WHERE id = ${organizationId} AND EXISTS (SELECT FROM ${raw(source)}) AND ${lockPatience(patience)} IS NOT NULL
      RETURNING clock AS at, tree_version)`;
}

/** The stand-in for the clock in a dry run: the instant of the request, and no lock on the organization. */
function stillClock(organizationId: string, dryRun: DryRun): Fragment {
  return sql`clock AS (
      SELECT ${dryRun.now.toISOString()}::timestamptz AS at, tree_version
      FROM organization WHERE id = ${organizationId} AND ${lockPatience(dryRun.patience)} IS NOT NULL)`;
}

function insertion(organizationId: string, source: 'fresh' | 'input'): Fragment {
  const values = raw(columns.map(name => `i.${name}`).join(', '));
  return sql`
      INSERT INTO employee (organization_id, ${columnList}, created_at, updated_at, doc)
      SELECT ${organizationId}, ${values}, at, at, ${stampedDocument(sql`i.head`, sql`at`, sql`at`)}
      FROM clock, ${raw(source)} i
      WHERE i.tree_version IS NULL OR i.tree_version = clock.tree_version
      ON CONFLICT DO NOTHING
      RETURNING id, tenant_id, division_id, doc`;
}

function update(organizationId: string): Fragment {
  const changed = raw(
    columns
      .filter(name => name !== 'id')
      .map(name => `${name} = i.${name}`)
      .join(', '),
  );
  return sql`
      UPDATE employee e
      SET ${changed}, updated_at = at, doc = ${stampedDocument(sql`i.head`, sql`e.created_at`, sql`at`)}
      FROM clock, input i
      WHERE e.organization_id = ${organizationId} AND e.id = i.id AND e.updated_at = i.seen
        AND (i.tree_version IS NULL OR i.tree_version = clock.tree_version)
      RETURNING e.id, e.division_id, e.doc, i.division_before, i.seen, i.actor, i.request_id, i.fields`;
}

/** Adds `n` to the counters of `scope`; counters are locked in one order, and only under the organization clock. */
function counting(organizationId: string, changes: Fragment): Fragment {
  return sql`
      INSERT INTO counter (organization_id, family, scope, n)
      SELECT ${organizationId}, 'employee', scope, sum(n) FROM (${changes}) AS change
      GROUP BY scope HAVING sum(n) <> 0
      ON CONFLICT (organization_id, family, scope) DO UPDATE SET n = counter.n + excluded.n`;
}

function auditing(organizationId: string, action: string, source: Fragment, fields: Fragment): Fragment {
  return sql`
      INSERT INTO audit (organization_id, at, target_id, action, actor, request_id, fields)
      SELECT ${organizationId}, clock.at, id, ${action}, actor, request_id, ${fields} FROM ${source}, clock`;
}

/** Runs the statement and rolls it back. */
function rolledBack(db: Pool, statement: Fragment): Promise<Written> {
  return inTransaction(db, async session => {
    const [row] = await session.rows<{ doc: string }>(statement);
    throw new RollBack(row?.doc ?? null);
  });
}

function byId(writes: readonly Insertion[], written: readonly { id: string; doc: string }[]): Written[] {
  const docs = new Map(written.map(row => [row.id, row.doc]));
  return writes.map(write => docs.get(write.row.id) ?? null);
}

/** The document of an employee in scope, with what an update of it must be checked against. */
export interface Found {
  readonly doc: string;
  readonly treeVersion: string;
}

/** An employee in scope, as an update starts from it. */
export function findEmployee(
  db: Queryable,
  scope: Scope,
  tenant: string | null,
  id: string,
): Promise<Found | null> {
  return findInScope<Found>(
    db,
    { table: 'employee', scope, tenant, id },
    sql`doc, (SELECT tree_version FROM organization o WHERE o.id = organization_id) AS "treeVersion"`,
  );
}

/** What the rules need to know of the tree, read in one statement, and the version of the tree that this is true of. */
export interface Tree extends TreeFacts {
  readonly treeVersion: string;
}

/** Reads what the placement of an employee depends on. */
export async function readTree(db: Queryable, scope: Scope, divisionId: string | null): Promise<Tree> {
  const { organizationId } = scope;
  const [row] = await db.rows<Tree>(sql`
    SELECT tree_version AS "treeVersion",
      ${divisionId === null ? sql`NULL` : divisionTenant(scope, divisionId)} AS "divisionTenant",
      ${grantedRoots(scope)} AS roots,
      ARRAY(SELECT id FROM tenant WHERE organization_id = ${organizationId} LIMIT 2) AS tenants
    FROM organization WHERE id = ${organizationId}`);
  if (!row) throw new Error(`organization ${organizationId} of a key does not exist`);
  return row;
}

/** A division is granted by its tenant or by an ancestor; the predicate of rows that stand in a division serves here. */
function divisionTenant(scope: Scope, divisionId: string): Fragment {
  return sql`(SELECT tenant_id FROM (SELECT organization_id, tenant_id, id AS division_id FROM division) AS d
    WHERE ${scopePredicate(scope, null)} AND division_id = ${divisionId})`;
}

function grantedRoots(scope: Scope): Fragment {
  const divisions = grantedDivisions(scope);
  if (divisions.length === 0) return sql`'[]'::jsonb`;
  const { organizationId } = scope;
  const granted = sql`${divisions}::text[]`;
  return sql`(SELECT coalesce(jsonb_agg(jsonb_build_object('id', d.id, 'tenant', d.tenant_id)), '[]')
    FROM division d WHERE d.organization_id = ${organizationId} AND d.id = ANY(${granted})
      AND NOT EXISTS (SELECT FROM division_ancestor a WHERE a.organization_id = ${organizationId}
        AND a.division_id = d.id AND a.ancestor_id <> d.id AND a.ancestor_id = ANY(${granted})))`;
}

function grantedDivisions(scope: Scope): string[] {
  if (scope.grants === 'all') return [];
  return scope.grants.flatMap(grant => (grant.divisions === 'all' ? [] : grant.divisions));
}

/** Which unique value of the row another employee has already. */
export async function findDuplicate(
  db: Queryable,
  organizationId: string,
  row: { id: string; tenant: string | null; email: string; employeeNumber: string | null },
): Promise<'email' | 'employeeNumber' | null> {
  const others = sql`FROM employee WHERE organization_id = ${organizationId} AND id <> ${row.id}`;
  const tenant = row.tenant === null ? sql`tenant_id IS NULL` : sql`tenant_id = ${row.tenant}`;
  const [found] = await db.rows<{ email: boolean; number: boolean }>(sql`
    SELECT EXISTS (SELECT ${others} AND email_key = ${emailKey(row.email)}) AS email,
      EXISTS (SELECT ${others} AND ${tenant} AND employee_number = ${row.employeeNumber}) AS number`);
  if (found?.email) return 'email';
  return found?.number ? 'employeeNumber' : null;
}
