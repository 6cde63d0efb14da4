import type { Scope } from '../../scope.ts';
import { nextInstant, stampedDocument } from '../../database/clock.ts';
import type { Sql } from '../../database/connect.ts';
import { findInScope } from '../../database/find-in-scope.ts';
import { Parameters } from '../../database/parameters.ts';
import { scopePredicate } from '../../database/scope-predicate.ts';
import { inTransaction, RollBack } from '../../database/transaction.ts';
import { emailKey } from '../../email-key.ts';
import { type EmployeeColumn, type EmployeeRow, employeeColumns } from './record.ts';

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

/** Inserts the rows in one statement and commits it, taking the clock of the organization once. */
export async function insertEmployees(
  sql: Sql,
  organizationId: string,
  insertions: readonly Insertion[],
  patience: number,
): Promise<Written[]> {
  const parameters = new Parameters();
  const organization = parameters.add(organizationId);
  const text = `
    WITH ${inputRows(parameters, insertions)},
    fresh AS (SELECT * FROM input WHERE ${isFresh(organization)}),
    ${clock(organization, 'fresh', parameters.add(String(patience)))},
    inserted AS (${insertion(organization, 'fresh')}),
    counted AS (${counting(
      organization,
      `SELECT '' AS scope, 1 AS n FROM inserted
       UNION ALL SELECT coalesce(tenant_id, 'none'), 1 FROM inserted
       UNION ALL SELECT division_id, 1 FROM inserted WHERE division_id IS NOT NULL`,
    )}),
    audited AS (${auditing(organization, 'employee.create', `inserted JOIN input USING (id)`, `'{}'`)})
    SELECT id, doc FROM inserted`;
  const written = await sql.unsafe<{ id: string; doc: string }[]>(text, parameters.values as never[], {
    prepare: true,
  });
  return byId(insertions, written);
}

/** Runs the insertion with all constraints, without clock, counters and audit, and rolls it back. */
export function tryInsertion(
  sql: Sql,
  organizationId: string,
  insertion_: Insertion,
  dryRun: DryRun,
): Promise<Written> {
  const parameters = new Parameters();
  const organization = parameters.add(organizationId);
  const text = `
    WITH ${inputRows(parameters, [insertion_])},
    ${stillClock(organization, parameters, dryRun)},
    inserted AS (${insertion(organization, 'input')})
    SELECT id, doc FROM inserted`;
  return rolledBack(sql, text, parameters);
}

/** Updates the rows in one statement and commits it. A row whose document is no longer the one seen is left alone. */
export async function updateEmployees(
  sql: Sql,
  organizationId: string,
  updates: readonly Update[],
  patience: number,
): Promise<Written[]> {
  const parameters = new Parameters();
  const organization = parameters.add(organizationId);
  const text = `
    WITH ${inputRows(parameters, updates, updateColumns(updates))},
    ${clock(organization, 'input', parameters.add(String(patience)))},
    updated AS (${update(organization)}),
    counted AS (${counting(
      organization,
      `SELECT division_id AS scope, 1 AS n FROM updated
         WHERE division_id IS DISTINCT FROM division_before AND division_id IS NOT NULL
       UNION ALL SELECT division_before, -1 FROM updated
         WHERE division_id IS DISTINCT FROM division_before AND division_before IS NOT NULL`,
    )}),
    audited AS (${auditing(organization, 'employee.update', 'updated', `string_to_array(fields, ',')`)})
    SELECT id, seen, doc FROM updated`;
  const written = await sql.unsafe<{ id: string; doc: string }[]>(text, parameters.values as never[], {
    prepare: true,
  });
  return byId(updates, written);
}

/** Runs the update with all constraints, without clock, counters and audit, and rolls it back. */
export function tryUpdate(
  sql: Sql,
  organizationId: string,
  change: Update,
  dryRun: DryRun,
): Promise<Written> {
  const parameters = new Parameters();
  const organization = parameters.add(organizationId);
  const text = `
    WITH ${inputRows(parameters, [change], updateColumns([change]))},
    ${stillClock(organization, parameters, dryRun)},
    updated AS (${update(organization)})
    SELECT id, doc FROM updated`;
  return rolledBack(sql, text, parameters);
}

interface InputColumn {
  readonly name: string;
  /** The element type of the array; values that the column stores otherwise are cast where they are stored. */
  readonly type: string;
  readonly values: unknown[];
}

/** `input AS (…)`: one row a write, from one array a column, so that the text does not depend on their number. */
function inputRows(parameters: Parameters, writes: readonly Insertion[], more: InputColumn[] = []): string {
  const input: InputColumn[] = [
    ...columns.map(name => inputColumn(name, writes)),
    { name: 'head', type: 'text', values: writes.map(write => write.row.head) },
    { name: 'actor', type: 'text', values: writes.map(write => write.author.actor) },
    { name: 'request_id', type: 'text', values: writes.map(write => write.author.requestId) },
    { name: 'tree_version', type: 'bigint', values: writes.map(write => write.treeVersion) },
    ...more,
  ];
  const arrays = input.map(column => parameters.add(column.values, `${column.type}[]`));
  return `input AS (SELECT * FROM unnest(${arrays.join(', ')}) AS i(${input.map(column => column.name).join(', ')}))`;
}

/** Booleans go as text: the driver takes an array of them for a single one. */
function inputColumn(name: EmployeeColumn, writes: readonly Insertion[]): InputColumn {
  const values = writes.map(write => write.row[name]);
  if (employeeColumns[name] !== 'boolean') return { name, type: employeeColumns[name], values };
  return { name, type: 'text', values: values.map(String) };
}

function stored(name: EmployeeColumn): string {
  return employeeColumns[name] === 'boolean' ? `i.${name}::boolean` : `i.${name}`;
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
function isFresh(organization: string): string {
  return `NOT EXISTS (SELECT FROM employee e WHERE e.organization_id = ${organization} AND e.email_key = input.email_key)
      AND (tree_version IS NULL OR tree_version = (SELECT o.tree_version FROM organization o WHERE o.id = ${organization}))`;
}

/**
 * `clock AS (…)`: takes the organization's next instant, and with it its turn. The lock time is set in the same statement,
 * before the row is locked, since a statement of its own would be another round trip.
 */
function clock(organization: string, source: string, patience: string): string {
  return `clock AS (
      UPDATE organization SET clock = ${nextInstant}
      WHERE id = ${organization} AND EXISTS (SELECT FROM ${source})
        AND (SELECT set_config('lock_timeout', ${patience}, true)) IS NOT NULL
      RETURNING clock AS at, tree_version)`;
}

/** The stand-in for the clock in a dry run: the instant of the request, and no lock on the organization. */
function stillClock(organization: string, parameters: Parameters, dryRun: DryRun): string {
  return `clock AS (
      SELECT ${parameters.add(dryRun.now.toISOString(), 'timestamptz')} AS at, tree_version
      FROM organization WHERE id = ${organization}
        AND (SELECT set_config('lock_timeout', ${parameters.add(String(dryRun.patience))}, true)) IS NOT NULL)`;
}

function insertion(organization: string, source: string): string {
  return `
      INSERT INTO employee (organization_id, ${columns.join(', ')}, created_at, updated_at, doc)
      SELECT ${organization}, ${columns.map(stored).join(', ')}, at, at, ${stampedDocument('i.head', 'at', 'at')}
      FROM clock, ${source} i
      WHERE i.tree_version IS NULL OR i.tree_version = clock.tree_version
      ON CONFLICT DO NOTHING
      RETURNING id, tenant_id, division_id, doc`;
}

function update(organization: string): string {
  const changed = columns.filter(name => name !== 'id').map(name => `${name} = ${stored(name)}`);
  return `
      UPDATE employee e
      SET ${changed.join(', ')}, updated_at = at, doc = ${stampedDocument('i.head', 'e.created_at', 'at')}
      FROM clock, input i
      WHERE e.organization_id = ${organization} AND e.id = i.id AND e.updated_at = i.seen
        AND (i.tree_version IS NULL OR i.tree_version = clock.tree_version)
      RETURNING e.id, e.division_id, e.doc, i.division_before, i.seen, i.actor, i.request_id, i.fields`;
}

/** Adds `n` to the counters of `scope`; counters are locked in one order, and only under the organization clock. */
function counting(organization: string, changes: string): string {
  return `
      INSERT INTO counter (organization_id, family, scope, n)
      SELECT ${organization}, 'employee', scope, sum(n) FROM (${changes}) AS change
      GROUP BY scope HAVING sum(n) <> 0
      ON CONFLICT (organization_id, family, scope) DO UPDATE SET n = counter.n + excluded.n`;
}

function auditing(organization: string, action: string, source: string, fields: string): string {
  return `
      INSERT INTO audit (organization_id, at, target_id, action, actor, request_id, fields)
      SELECT ${organization}, clock.at, id, '${action}', actor, request_id, ${fields} FROM ${source}, clock`;
}

/** Runs the statement and rolls it back. */
function rolledBack(sql: Sql, text: string, parameters: Parameters): Promise<Written> {
  return inTransaction(sql, async session => {
    const values = parameters.values as never[];
    const [row] = await session.unsafe<{ doc: string }[]>(text, values, { prepare: true });
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
  sql: Sql,
  scope: Scope,
  tenant: string | null,
  id: string,
): Promise<Found | null> {
  return findInScope<Found>(
    sql,
    { table: 'employee', scope, tenant, id },
    () => `doc, (SELECT tree_version FROM organization o WHERE o.id = organization_id) AS "treeVersion"`,
  );
}

/** Where an employee may be placed: what the rules need to know of the tree, read in one statement. */
export interface Placement {
  readonly treeVersion: string;
  /** The tenant of the requested division; null when it does not exist or is outside the scope. */
  readonly divisionTenant: string | null;
  /** The granted divisions that no other granted division contains, with their tenants. */
  readonly roots: readonly { id: string; tenant: string }[];
  /** The tenants of the organization, two at most: enough to tell whether there is a single one. */
  readonly tenants: readonly string[];
}

/** Reads what the placement of an employee depends on. */
export async function readPlacement(sql: Sql, scope: Scope, divisionId: string | null): Promise<Placement> {
  const parameters = new Parameters();
  const organization = parameters.add(scope.organizationId);
  const text = `
    SELECT tree_version AS "treeVersion",
      ${divisionId === null ? 'NULL' : divisionTenant(scope, divisionId, parameters)} AS "divisionTenant",
      ${grantedRoots(scope, parameters)} AS roots,
      ARRAY(SELECT id FROM tenant WHERE organization_id = ${organization} LIMIT 2) AS tenants
    FROM organization WHERE id = ${organization}`;
  const [row] = await sql.unsafe<Placement[]>(text, parameters.values as never[], { prepare: true });
  if (!row) throw new Error(`organization ${scope.organizationId} of a key does not exist`);
  return row;
}

/** A division is granted by its tenant or by an ancestor; the predicate of rows that stand in a division serves here. */
function divisionTenant(scope: Scope, divisionId: string, parameters: Parameters): string {
  const visible = scopePredicate(scope, null, parameters);
  return `(SELECT tenant_id FROM (SELECT organization_id, tenant_id, id AS division_id FROM division) AS d
    WHERE ${visible} AND division_id = ${parameters.add(divisionId)})`;
}

function grantedRoots(scope: Scope, parameters: Parameters): string {
  const divisions = grantedDivisions(scope);
  if (divisions.length === 0) return `'[]'::jsonb`;
  const organization = parameters.add(scope.organizationId);
  const granted = parameters.add(divisions, 'text[]');
  return `(SELECT coalesce(jsonb_agg(jsonb_build_object('id', d.id, 'tenant', d.tenant_id)), '[]')
    FROM division d WHERE d.organization_id = ${organization} AND d.id = ANY(${granted})
      AND NOT EXISTS (SELECT FROM division_ancestor a WHERE a.organization_id = ${organization}
        AND a.division_id = d.id AND a.ancestor_id <> d.id AND a.ancestor_id = ANY(${granted})))`;
}

function grantedDivisions(scope: Scope): string[] {
  if (scope.grants === 'all') return [];
  return scope.grants.flatMap(grant => (grant.divisions === 'all' ? [] : grant.divisions));
}

/** Which unique value of the row another employee has already. */
export async function findDuplicate(
  sql: Sql,
  organizationId: string,
  row: { id: string; tenant: string | null; email: string; employeeNumber: string | null },
): Promise<'email' | 'employeeNumber' | null> {
  const parameters = new Parameters();
  const others = `FROM employee WHERE organization_id = ${parameters.add(organizationId)} AND id <> ${parameters.add(row.id)}`;
  const tenant = row.tenant === null ? 'tenant_id IS NULL' : `tenant_id = ${parameters.add(row.tenant)}`;
  const text = `
    SELECT EXISTS (SELECT ${others} AND email_key = ${parameters.add(emailKey(row.email))}) AS email,
      EXISTS (SELECT ${others} AND ${tenant} AND employee_number = ${parameters.add(row.employeeNumber, 'text')}) AS number`;
  const [found] = await sql.unsafe<{ email: boolean; number: boolean }[]>(
    text,
    parameters.values as never[],
    {
      prepare: true,
    },
  );
  if (found?.email) return 'email';
  return found?.number ? 'employeeNumber' : null;
}

/** Whether the database refused rows for their values (integrity constraints, SQLSTATE class 23) and rolled back. */
export function isConstraintViolation(error: unknown): boolean {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === 'string' && /^23[0-9A-Z]{3}$/.test(code);
}
