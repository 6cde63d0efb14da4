import type { Scope } from '../../auth/scope.ts';
import { scopePredicate, scopePredicateOfOne } from '../../auth/scope-predicate.ts';
import type { Queryable } from '../../db/session.ts';
import { insertRows } from '../../db/insert-rows.ts';
import { type Fragment, join, raw, sql } from '../../db/sql.ts';
import { displayName, type Searched } from '../../query/search-all.ts';
import { type Write, type WriteAtClock, countEach, placesOf } from '../../write/writes.ts';
import {
  type EmployeeData,
  type EmployeeRow,
  employeeColumns,
  employeeResource,
  employeeRow,
  stampedDocument,
} from './mapping.ts';
import { recordChanges, valuesOf } from './history.ts';
import type { TreeFacts } from './rules.ts';
import { ApiError, type Employee } from '@kontor/contract';
import { violatedConstraint } from '../../db/failure.ts';
import { emailKey } from '../../lib/email-key.ts';

const columns = Object.keys(employeeColumns) as (keyof EmployeeRow)[];

/** Whether there is an employee in scope. */
export async function hasEmployees(db: Queryable, scope: Scope, tenant: string | null): Promise<boolean> {
  const [row] = await db.rows<{ exists: boolean }>(sql`
    SELECT EXISTS (SELECT FROM employee WHERE ${scopePredicate(scope, tenant)}) AS exists`);
  return row!.exists;
}

export function searchedEmployees(scope: Scope): Searched {
  const { organizationId } = scope;
  return {
    rows: sql`
      SELECT id, ${displayName(sql`doc::jsonb`)} AS name, folded_first_name, folded_last_name, folded_email,
        folded_employee_number, folded_city, search, tenant_id AS tenant,
        concat_ws(' · ', employee_number, (SELECT t.name FROM tenant t
          WHERE t.organization_id = ${organizationId} AND t.id = employee.tenant_id)) AS detail
      FROM employee WHERE ${scopePredicate(scope, null)}`,
    columns: ['folded_last_name', 'folded_first_name', 'folded_email', 'folded_employee_number'],
    isIndexed: true,
    withoutAccents: employeeResource.withoutAccents!,
  };
}

export interface Insertion {
  readonly write: WriteAtClock;
  readonly row: EmployeeRow;
}

/** Stores new employees of one transaction in one statement, and returns their documents in order. */
export function insertEmployees(insertions: readonly Insertion[]): string[] {
  if (insertions.length === 0) return [];
  const { write } = insertions[0]!;
  const { at, instant, organizationId } = write;
  const docs = insertions.map(({ row }) => stampedDocument(row.head, instant, instant));
  const rows = insertions.map(({ row }) => row);
  const stored = [
    { name: 'organization_id', type: 'text', value: organizationId },
    ...writtenColumns(rows, docs),
    ...['created_at', 'updated_at'].map(name => ({ name, type: 'timestamptz', value: at })),
  ];
  write.send(insertRows('employee', stored));
  for (const { write: own, row } of insertions) {
    own.count('employee', placesOf(row.tenant_id, row.division_id));
    own.audit({ id: row.id, action: 'employee.create' });
  }
  return docs;
}

/** An employee moves from no tenant to one, never between tenants. */
export interface Update {
  readonly write: WriteAtClock;
  readonly before: Employee;
  readonly after: EmployeeData;
  /** The changed ones. */
  readonly fields: readonly string[];
  readonly reason?: string | null;
}

/** Stores changed employees of one transaction with the history of their values, and returns their documents in order. */
export function updateEmployees(planned: readonly Update[]): string[] {
  if (planned.length === 0) return [];
  const { write } = planned[0]!;
  const updates = planned.map(update => ({ ...update, row: employeeRow(update.before.id, update.after) }));
  const docs = updates.map(({ row, before }) => stampedDocument(row.head, before.createdAt, write.instant));
  recordChanges(
    planned.map(({ write, before, after, fields, reason = null }) => ({
      write,
      id: before.id,
      changes: valuesOf(before, after, fields),
      reason,
    })),
  );
  const changed = [...columns.filter(name => name !== 'id'), 'doc'].map(name => `${name} = i.${name}`);
  write.send(sql`
    UPDATE employee e SET ${raw(changed.join(', '))}, updated_at = ${write.at}
    FROM ${writtenRows(
      updates.map(({ row }) => row),
      docs,
    )}
    WHERE e.organization_id = ${write.organizationId} AND e.id = i.id`);
  for (const { write: own, before, after, fields } of updates) {
    own.audit({ id: before.id, action: 'employee.update', fields });
    own.count('employee', placesOf(before.tenant, before.divisionId), -1);
    own.count('employee', placesOf(after.tenant, after.divisionId));
  }
  moveFollowers(
    write,
    updates.filter(
      ({ before, after }) => after.tenant !== before.tenant || after.divisionId !== before.divisionId,
    ),
  );
  return docs;
}

/** The resources that share tenant and division with their employee, and their tables. */
const followers = { order: 'employee_order', incident: 'incident' } as const;

/** Moves orders and incidents with their employees. They count as unchanged: they are visible exactly when their employee is. */
function moveFollowers(write: WriteAtClock, moves: readonly Update[]): void {
  if (moves.length === 0 || write.dryRun) return;
  const moved = sql`unnest(${moves.map(({ before }) => before.id)}::text[],
    ${moves.map(({ before }) => before.tenant)}::text[], ${moves.map(({ after }) => after.tenant)}::text[],
    ${moves.map(({ before }) => before.divisionId)}::text[], ${moves.map(({ after }) => after.divisionId)}::text[])
    AS m (id, tenant_before, tenant_id, division_before, division_id)`;
  for (const resourceType of ['order', 'incident'] as const)
    write.send(sql`
      WITH moved AS (
        UPDATE ${raw(followers[resourceType])} f SET tenant_id = m.tenant_id, division_id = m.division_id FROM ${moved}
        WHERE f.organization_id = ${write.organizationId} AND f.employee_id = m.id
        RETURNING m.tenant_before, m.tenant_id, m.division_before, m.division_id)
      ${countEach(
        write,
        resourceType,
        sql`SELECT tenant_id AS scope, 1 AS n FROM moved UNION ALL SELECT coalesce(tenant_before, 'none'), -1 FROM moved
          UNION ALL SELECT division_id, 1 FROM moved UNION ALL SELECT division_before, -1 FROM moved`,
      )}`);
}

function writtenColumns(rows: readonly EmployeeRow[], docs: readonly string[]) {
  const own = columns.map(name => ({
    name,
    type: employeeColumns[name]!,
    values: rows.map(row => row[name]) as unknown[],
  }));
  return [...own, { name: 'doc', type: 'text', values: docs as unknown[] }];
}

/** Rows `i` from one array per column, so the statement does not depend on their number. */
function writtenRows(rows: readonly EmployeeRow[], docs: readonly string[]): Fragment {
  const written = writtenColumns(rows, docs);
  const arrays = written.map(({ values, type }) => sql`${values}::${raw(type)}[]`);
  return sql`unnest(${join(arrays)}) AS i (${raw(written.map(({ name }) => name).join(', '))})`;
}

/** Returns how many were inactive. Not public: document, `updatedAt` and organization clock stay (specification.md 3.7 and 5.2). */
export async function activateEmployees(
  write: Write,
  session: Queryable,
  ids: readonly string[],
): Promise<number> {
  const { organizationId } = write;
  // Locked in one order, so two activations cannot deadlock.
  const activated = await session.rows<{ id: string }>(sql`
    WITH locked AS (
      SELECT id FROM employee
      WHERE organization_id = ${organizationId} AND id = ANY(${[...ids]}::text[]) AND activated_at IS NULL
      ORDER BY id FOR NO KEY UPDATE)
    UPDATE employee e SET activated_at = ${write.at} FROM locked
    WHERE e.organization_id = ${organizationId} AND e.id = locked.id RETURNING e.id`);
  for (const { id } of activated) write.audit({ id, action: 'employee.activate', fields: ['activatedAt'] });
  recordChanges(activated.map(({ id }) => ({ write, id, changes: { activatedAt: [null, write.instant] } })));
  return activated.length;
}

export async function readEmployees(
  db: Queryable,
  scope: Scope,
  tenant: string | null,
  ids: readonly string[],
): Promise<Map<string, string>> {
  const rows = await db.rows<{ id: string; doc: string }>(sql`
    SELECT id, doc FROM employee WHERE ${scopePredicateOfOne(scope, tenant)} AND id = ANY(${[...ids]}::text[])`);
  return new Map(rows.map(({ id, doc }) => [id, doc]));
}

export async function readTree(db: Queryable, scope: Scope, divisionId: string | null): Promise<TreeFacts> {
  const { organizationId } = scope;
  const [row] = await db.rows<TreeFacts>(sql`
    SELECT ${divisionId === null ? sql`NULL` : divisionTenant(scope, divisionId)} AS "divisionTenant",
      ${grantedRoots(scope)} AS roots,
      ARRAY(SELECT id FROM tenant WHERE organization_id = ${organizationId} LIMIT 2) AS tenants`);
  return row!;
}

/** A division is granted by its tenant or by an ancestor, like the rows of a division. */
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

export interface Holder {
  readonly id: string;
  readonly tenant: string | null;
  readonly email: string;
  readonly number: string | null;
}

/** Finds the employees with one of the emails or folded numbers, in any tenant. */
export function readHolders(
  db: Queryable,
  organizationId: string,
  emailKeys: readonly string[],
  foldedNumbers: readonly string[],
): Promise<Holder[]> {
  const holders = sql`SELECT id, tenant_id AS tenant, email_key AS email, employee_number AS number
    FROM employee WHERE organization_id = ${organizationId}`;
  return db.rows<Holder>(sql`
    ${holders} AND email_key = ANY(${[...emailKeys]}::text[])
    UNION ALL ${holders} AND folded_employee_number = ANY(${[...foldedNumbers]}::text[])`);
}

/** @throws ApiError DUPLICATE_RESOURCE when another employee has a unique value */
export function checkUnique(id: string, data: EmployeeData, holders: readonly Holder[]): void {
  const others = holders.filter(holder => holder.id !== id);
  const email = emailKey(data.email);
  if (others.some(other => other.email === email)) throw emailTaken();
  const { employeeNumber, tenant } = data;
  if (employeeNumber === null) return;
  if (others.some(other => other.number === employeeNumber && other.tenant === tenant)) throw numberTaken();
}

/**
 * Converts a violation of a unique constraint. Only dry runs cause it, because they are not ordered with other writes.
 * @throws ApiError DUPLICATE_RESOURCE for a violation, else the error
 */
export function throwDuplicate(error: unknown): never {
  const constraint = violatedConstraint(error);
  if (constraint === 'employee_email') throw emailTaken();
  throw constraint === 'employee_number' ? numberTaken() : error;
}

function emailTaken(): ApiError {
  return new ApiError('DUPLICATE_RESOURCE', 'email: another employee of this organization already has it');
}

function numberTaken(): ApiError {
  return new ApiError('DUPLICATE_RESOURCE', 'employeeNumber: another employee of this tenant already has it');
}
