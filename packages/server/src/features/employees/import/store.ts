import { documentEnd } from '../../../query/resource.ts';
import { type Fragment, raw, sql } from '../../../db/sql.ts';
import type { Session } from '../../../db/transaction.ts';
import type { Rejection } from '../../../imports/rejected-rows.ts';
import { describeProblem, type ProblemCode, problemOf } from '../../../imports/problems.ts';
import {
  rejectAlso,
  type StagedRow,
  stageRows,
  staged,
  type Staging,
  usable,
} from '../../../imports/staging.ts';
import { auditEach, countEach, type WriteAtClock } from '../../../write/writes.ts';
import { employeeColumns, type EmployeeRow } from '../mapping.ts';
import { placeOf } from './check-row.ts';
import type { Table } from './read-cells.ts';

export interface StagedEmployee extends StagedRow {
  /** The email and number of the file, also of a row that is rejected for something else. */
  readonly fileEmail: string | null;
  readonly fileNumber: string | null;
  readonly employee: EmployeeRow | null;
  readonly division: { readonly name: string; readonly key: string } | null;
}

/** The tenant of the employees; null for none, without divisions. */
export interface Target {
  readonly organizationId: string;
  readonly tenantId: string | null;
}

const columns = Object.keys(employeeColumns) as (keyof EmployeeRow)[];

const noDivision = '"divisionId":null,';

const staging: Staging<StagedEmployee> = {
  columns: {
    file_email: 'text',
    file_number: 'text',
    division_name: 'text',
    division_key: 'text',
    head: 'text',
    ...employeeColumns,
  },
  values: ({ fileEmail, fileNumber, division, employee }) => [
    fileEmail,
    fileNumber,
    division?.name ?? null,
    division?.key ?? null,
    employee && headWithoutDivision(employee.head),
    ...columns.map(name => employee && employee[name]),
  ],
  analyzed: ['file_email', 'file_number', 'division_id', 'division_key'],
};

/** Copies the rows into temporary tables. The other functions of this file use them in the same transaction. */
export async function stage(
  session: Session,
  rows: AsyncIterable<StagedEmployee>,
  signal: AbortSignal,
): Promise<void> {
  // PostgreSQL sorts pending entries of the search index before it inserts them, so larger batches are faster.
  await session.run(sql`SET LOCAL gin_pending_list_limit = '64MB'`);
  await session.run(sql`SET LOCAL work_mem = '256MB'`);
  await stageRows(session, staging, rows, signal);
}

/** The head of the document up to its division. A head with a division is unchanged. */
function headWithoutDivision(head: string): string {
  return head.endsWith(noDivision) ? head.slice(0, -noDivision.length) : head;
}

/** The tenant of the divisions. '' matches no division; null would match no shard on Citus. */
function tenantOf({ tenantId }: Target): string {
  return tenantId ?? '';
}

/** The condition that an employee `e` is in the tenant, or in none. */
const isOf = ({ tenantId }: Target): Fragment =>
  tenantId === null ? sql`e.tenant_id IS NULL` : sql`e.tenant_id = ${tenantId}`;

const describe = (code: ProblemCode, field: 'email' | 'employeeNumber', table: Table) =>
  describeProblem(problemOf(code, placeOf(field, table)), 'en');

/** Rejects rows with an email or number that another row or employee has: nobody can know which row is right. */
export async function rejectUnusable(session: Session, target: Target, table: Table): Promise<void> {
  const { organizationId } = target;
  for (const [field, column, holds, advice] of [
    ['email', sql`file_email`, sql`e.email_key = s.value`, sql`''`],
    [
      'employeeNumber',
      sql`file_number`,
      sql`e.employee_number = s.value AND ${isOf(target)}`,
      adviceOnEmail(organizationId),
    ],
  ] as const) {
    const keyed = sql`(
      SELECT line, file_email, ${column} AS value, min(line) OVER same AS first, max(line) OVER same AS last
      FROM import_stage WHERE ${column} IS NOT NULL WINDOW same AS (PARTITION BY ${column}))`;
    await rejectAlso(
      session,
      sql`SELECT line, replace(${describe('repeated', field, table)}, '{limit}',
          (CASE WHEN line = first THEN last ELSE first END)::text) FROM ${keyed} s WHERE first <> last`,
    );
    await rejectAlso(
      session,
      sql`SELECT s.line, ${describe('taken', field, table)} || ${advice} FROM ${keyed} s
        JOIN employee e ON e.organization_id = ${organizationId} AND ${holds} WHERE s.first = s.last`,
    );
  }
}

/** An employee of the tenant whose number is in a row with an email that nobody has. */
export interface NewEmail {
  readonly line: number;
  readonly employeeId: string;
  readonly employeeNumber: string;
  readonly firstName: string | null;
  readonly lastName: string | null;
  readonly before: string;
  readonly email: string;
}

/** The rows that one command asks about. The others are rejected with advice. */
const maxNewEmails = 100;

/** The rows that were rejected only because an employee with the number has another email. */
export function findNewEmails(session: Session, target: Target, table: Table): Promise<NewEmail[]> {
  const { organizationId } = target;
  return session.rows<NewEmail>(sql`
    SELECT s.line, e.id AS "employeeId", e.employee_number AS "employeeNumber", e.doc::jsonb ->> 'firstName' AS "firstName",
      e.doc::jsonb ->> 'lastName' AS "lastName", e.doc::jsonb ->> 'email' AS before, s.file_email AS email
    FROM ${staged} s JOIN import_rejection r ON r.line = s.line
      JOIN employee e ON e.organization_id = ${organizationId} AND e.employee_number = s.file_number AND ${isOf(target)}
    WHERE s.file_email IS NOT NULL
      AND r.reason = ${describe('taken', 'employeeNumber', table)} || ${adviceOnEmail(organizationId)}
      AND ${adviceOnEmail(organizationId)} <> ''
    ORDER BY s.line LIMIT ${maxNewEmails}::int`);
}

/** Neither imports nor rejects these rows. */
export async function leaveOut(session: Session, rows: readonly Pick<NewEmail, 'line'>[]): Promise<void> {
  const lines = rows.map(({ line }) => line);
  await session.run(sql`DELETE FROM import_stage WHERE line = ANY(${lines}::int[])`);
  await session.run(sql`DELETE FROM import_rejection WHERE line = ANY(${lines}::int[])`);
}

/** The employee `e` with the number of a row `s` may have a new email. Where nobody is asked, a user confirms it with another command. */
function adviceOnEmail(organizationId: string): Fragment {
  return sql`CASE WHEN s.file_email IS NULL OR EXISTS (
      SELECT FROM employee o WHERE o.organization_id = ${organizationId} AND o.email_key = s.file_email)
    THEN '' ELSE '; if it is the same person with a new email: kontor employee email ' || e.id || ' ' || s.file_email END`;
}

/** In file order. */
export async function findMissingDivisions(session: Session, target: Target): Promise<string[]> {
  const rows = await session.rows<{ name: string }>(sql`
    SELECT (array_agg(division_name ORDER BY line))[1] AS name FROM ${usable} s
    WHERE division_key IS NOT NULL
      AND NOT EXISTS (SELECT FROM division d WHERE d.organization_id = ${target.organizationId}
        AND d.tenant_id = ${tenantOf(target)} AND d.parent_id IS NULL AND d.folded_name = s.division_key)
    GROUP BY division_key ORDER BY min(line)`);
  return rows.map(row => row.name);
}

/**
 * Inserts the valid rows with audit and counters in one statement, and returns their number. Another write may have taken a unique value
 * since the check. The table is in file order, so identifiers ascend without a sort while other writes wait.
 */
export async function insertStaged(write: WriteAtClock, session: Session, target: Target): Promise<number> {
  const { organizationId, tenantId } = target;
  const values = columns.map(name =>
    name === 'division_id' ? 'coalesce(s.division_id, d.id)' : `s.${name}`,
  );
  const head = sql`(CASE WHEN s.division_id IS NOT NULL THEN s.head
    ELSE s.head || '"divisionId":' || coalesce('"' || d.id || '"', 'null') || ',' END)`;
  const tail = sql`${documentEnd(write.instant, write.instant)}::text`;
  const [row] = await session.rows<{ n: number }>(sql`
    WITH inserted AS (
      INSERT INTO employee (organization_id, ${raw(columns.join(', '))}, created_at, updated_at, doc)
      SELECT ${organizationId}::text, ${raw(values.join(', '))}, ${write.at}::timestamptz, ${write.at}::timestamptz,
        ${head} || ${tail}
      FROM ${usable} s LEFT JOIN division d ON d.organization_id = ${organizationId} AND d.tenant_id = ${tenantOf(target)}
        AND d.parent_id IS NULL AND d.folded_name = s.division_key
      ON CONFLICT DO NOTHING
      RETURNING id, division_id),
    audited AS (${auditEach(write, 'employee.create', sql`inserted`)}),
    placed AS (SELECT division_id AS scope, count(*) AS n FROM inserted GROUP BY division_id),
    total AS (SELECT coalesce(sum(n), 0) AS n FROM placed),
    counted AS (${countEach(
      write,
      'employee',
      sql`SELECT scope, n FROM placed
        UNION ALL SELECT unnest(ARRAY['', ${tenantId ?? 'none'}::text]), n FROM total`,
    )})
    SELECT n::int FROM total`);
  return row!.n;
}

/** The valid rows that {@link insertStaged} skipped. */
export function readOvertaken(session: Session, target: Target, table: Table): Promise<Rejection[]> {
  const { organizationId } = target;
  return session.rows<Rejection>(sql`
    SELECT line, original, CASE WHEN EXISTS (
        SELECT FROM employee e WHERE e.organization_id = ${organizationId} AND e.email_key = s.email_key)
      THEN ${describe('taken', 'email', table)} ELSE ${describe('taken', 'employeeNumber', table)} END AS reason
    FROM ${usable} s
    WHERE NOT EXISTS (SELECT FROM employee e WHERE e.organization_id = ${organizationId} AND e.id = s.id)
    ORDER BY line`);
}
