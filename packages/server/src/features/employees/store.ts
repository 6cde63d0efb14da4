import type { Scope } from '../../auth/scope.ts';
import { scopePredicate, scopePredicateOfOne } from '../../auth/scope-predicate.ts';
import type { Queryable } from '../../db/session.ts';
import { insertRows } from '../../db/insert-rows.ts';
import { type Fragment, join, raw, sql } from '../../db/sql.ts';
import { type Turn, countEach, placesOf } from '../../write/writes.ts';
import { type EmployeeData, type EmployeeRow, employeeColumns, stampedDocument } from './mapping.ts';
import type { TreeFacts } from './rules.ts';
import { ApiError } from '@kontor/contract';
import { violatedConstraint } from '../../db/failure.ts';
import { emailKey } from '../../lib/email-key.ts';

const columns = Object.keys(employeeColumns) as (keyof EmployeeRow)[];

/** An employee to be stored, and the turn of the write that does it. */
export interface Insertion {
  readonly turn: Turn;
  readonly row: EmployeeRow;
}

/** Stores new employees of one transaction in one statement, and returns their documents in order. */
export function insertEmployees(insertions: readonly Insertion[]): string[] {
  if (insertions.length === 0) return [];
  const { turn } = insertions[0]!;
  const { at, instant, organizationId } = turn;
  const docs = insertions.map(({ row }) => stampedDocument(row.head, instant, instant));
  const rows = insertions.map(({ row }) => row);
  const stored = [
    { name: 'organization_id', type: 'text', value: organizationId },
    ...writtenColumns(rows, docs),
    ...['created_at', 'updated_at'].map(name => ({ name, type: 'timestamptz', value: at })),
  ];
  turn.write(insertRows('employee', stored, rows.length));
  for (const { turn: own, row } of insertions) {
    own.count('employee', placesOf(row.tenant_id, row.division_id));
    own.audit({ id: row.id, action: 'employee.create' });
  }
  return docs;
}

/** An employee to be changed. */
export interface Update extends Insertion {
  /** `createdAt` of the stored document. */
  readonly createdAt: string;
  readonly divisionBefore: string | null;
  /** The tenant; only from none to one does an employee change it. */
  readonly tenantBefore: string | null;
  /** Names of the changed public fields. */
  readonly fields: readonly string[];
}

/** Stores changed employees of one transaction in one statement, and returns their documents in order. */
export function updateEmployees(updates: readonly Update[]): string[] {
  if (updates.length === 0) return [];
  const { turn } = updates[0]!;
  const docs = updates.map(({ row, createdAt }) => stampedDocument(row.head, createdAt, turn.instant));
  const changed = [...columns.filter(name => name !== 'id'), 'doc'].map(name => `${name} = i.${name}`);
  turn.write(sql`
    UPDATE employee e SET ${raw(changed.join(', '))}, updated_at = ${turn.at}
    FROM ${writtenRows(
      updates.map(({ row }) => row),
      docs,
    )}
    WHERE e.organization_id = ${turn.organizationId} AND e.id = i.id`);
  for (const { turn: own, row, tenantBefore, divisionBefore, fields } of updates) {
    own.audit({ id: row.id, action: 'employee.update', fields });
    if (row.tenant_id !== tenantBefore) {
      own.count('employee', ['none'], -1);
      own.count('employee', [row.tenant_id]);
    }
    if (row.division_id === divisionBefore) continue;
    own.count('employee', [divisionBefore], -1);
    own.count('employee', [row.division_id]);
  }
  moveFollowers(
    turn,
    updates.filter(({ row, divisionBefore }) => row.division_id !== divisionBefore),
  );
  settleFollowers(
    turn,
    updates.filter(({ row, tenantBefore }) => row.tenant_id !== tenantBefore),
  );
  return docs;
}

/** The rows that stand where their employee does: what is counted, and in which table it is. */
const followers = { order: 'employee_order', incident: 'incident' } as const;

/**
 * Moves orders and incidents with their employees into another division, without a change of their own: they are seen exactly
 * when their employee is.
 */
function moveFollowers(turn: Turn, moves: readonly Update[]): void {
  if (moves.length === 0 || turn.dryRun) return;
  for (const family of ['order', 'incident'] as const)
    turn.write(sql`
      WITH followed AS (
        UPDATE ${raw(followers[family])} f SET division_id = m.destination
        FROM unnest(${moves.map(({ row }) => row.id)}::text[], ${moves.map(move => move.divisionBefore)}::text[],
          ${moves.map(({ row }) => row.division_id)}::text[]) AS m (id, origin, destination)
        WHERE f.organization_id = ${turn.organizationId} AND f.employee_id = m.id
          AND f.division_id IS DISTINCT FROM m.destination
        RETURNING m.origin, m.destination)
      ${countEach(turn, family, sql`SELECT destination AS scope, 1 AS n FROM followed UNION ALL SELECT origin, -1 FROM followed`)}`);
}

/** Gives orders and incidents of employees who had no tenant the one of their employee, in the same way. */
function settleFollowers(turn: Turn, moves: readonly Update[]): void {
  if (moves.length === 0 || turn.dryRun) return;
  for (const family of ['order', 'incident'] as const)
    turn.write(sql`
      WITH followed AS (
        UPDATE ${raw(followers[family])} f SET tenant_id = m.destination
        FROM unnest(${moves.map(({ row }) => row.id)}::text[], ${moves.map(({ row }) => row.tenant_id)}::text[]) AS m (id, destination)
        WHERE f.organization_id = ${turn.organizationId} AND f.employee_id = m.id AND f.tenant_id IS NULL
        RETURNING m.destination)
      ${countEach(turn, family, sql`SELECT destination AS scope, 1 AS n FROM followed UNION ALL SELECT 'none', -1 FROM followed`)}`);
}

function writtenColumns(rows: readonly EmployeeRow[], docs: readonly string[]) {
  const own = columns.map(name => ({
    name,
    type: employeeColumns[name]!,
    values: rows.map(row => row[name]) as unknown[],
  }));
  return [...own, { name: 'doc', type: 'text', values: docs as unknown[] }];
}

/** One row `i` a write, from an array for each column, so that the text of the statement does not depend on their number. */
function writtenRows(rows: readonly EmployeeRow[], docs: readonly string[]): Fragment {
  const written = writtenColumns(rows, docs);
  const arrays = written.map(({ values, type }) => sql`${values}::${raw(type)}[]`);
  return sql`unnest(${join(arrays)}) AS i (${raw(written.map(({ name }) => name).join(', '))})`;
}

/** The documents of those of the employees that are in scope. */
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

/** Reads what the placement of an employee depends on. */
export async function readTree(db: Queryable, scope: Scope, divisionId: string | null): Promise<TreeFacts> {
  const { organizationId } = scope;
  const [row] = await db.rows<TreeFacts>(sql`
    SELECT ${divisionId === null ? sql`NULL` : divisionTenant(scope, divisionId)} AS "divisionTenant",
      ${grantedRoots(scope)} AS roots,
      ARRAY(SELECT id FROM tenant WHERE organization_id = ${organizationId} LIMIT 2) AS tenants`);
  return row!;
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

/** An employee who has a value that must be unique. */
export interface Holder {
  readonly id: string;
  readonly tenant: string | null;
  readonly email: string;
  readonly number: string | null;
}

/** The employees who have one of the e-mails (as they are compared) or of the numbers (folded), in any tenant. */
export function readHolders(
  db: Queryable,
  organizationId: string,
  emailKeys: readonly string[],
  foldedNumbers: readonly string[],
): Promise<Holder[]> {
  const who = sql`SELECT id, tenant_id AS tenant, email_key AS email, employee_number AS number
    FROM employee WHERE organization_id = ${organizationId}`;
  return db.rows<Holder>(sql`
    ${who} AND email_key = ANY(${[...emailKeys]}::text[])
    UNION ALL ${who} AND folded_employee_number = ANY(${[...foldedNumbers]}::text[])`);
}

/** Refuses an employee of whom another one has a unique value. @throws DUPLICATE_RESOURCE. */
export function checkUnique(id: string, data: EmployeeData, holders: readonly Holder[]): void {
  const others = holders.filter(holder => holder.id !== id);
  const email = emailKey(data.email);
  if (others.some(other => other.email === email)) throw emailTaken();
  const { employeeNumber, tenant } = data;
  if (employeeNumber === null) return;
  if (others.some(other => other.number === employeeNumber && other.tenant === tenant)) throw numberTaken();
}

/**
 * Names the error of the constraints on unique values, which have the last word only in a dry run, since every other write
 * has its turn.
 * @throws ApiError DUPLICATE_RESOURCE for these errors, and any other as it is.
 */
export function namingDuplicates(error: unknown): never {
  const constraint = violatedConstraint(error);
  if (constraint === 'employee_email') throw emailTaken();
  throw constraint === 'employee_number' ? numberTaken() : error;
}

function emailTaken(): ApiError {
  return new ApiError('DUPLICATE_RESOURCE', 'email is used by another employee of the organization already');
}

function numberTaken(): ApiError {
  return new ApiError(
    'DUPLICATE_RESOURCE',
    'employeeNumber is used by another employee of the tenant already',
  );
}
