import { documentEnd } from '../../../query/resource.ts';
import { raw, sql } from '../../../db/sql.ts';
import type { Session } from '../../../db/transaction.ts';
import type { Rejection } from '../../../imports/rejected-rows.ts';
import { reject, staged, type StagedRow, stageRows, type Staging, usable } from '../../../imports/staging.ts';
import { auditEach, countEach, type Write } from '../../../write/writes.ts';
import { employeeColumns, type EmployeeRow } from '../mapping.ts';

export interface StagedEmployee extends StagedRow {
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
  columns: { division_name: 'text', division_key: 'text', head: 'text', ...employeeColumns },
  values: ({ division, employee }) => [
    division?.name ?? null,
    division?.key ?? null,
    employee && headWithoutDivision(employee.head),
    ...columns.map(name => employee && employee[name]),
  ],
  analyzed: ['email_key', 'employee_number', 'division_id', 'division_key'],
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

/** Rejects rows with an unknown division, a unique value in use, or a unique value of an earlier row. */
export async function rejectUnusable(session: Session, target: Target): Promise<void> {
  const { organizationId } = target;
  await reject(
    session,
    sql`SELECT line, 'divisionId: there is no such division in the tenant' FROM ${staged} s
      WHERE division_id IS NOT NULL AND NOT EXISTS (SELECT FROM division d
        WHERE d.organization_id = ${organizationId} AND d.tenant_id = ${tenantOf(target)} AND d.id = s.division_id)`,
  );
  await rejectTaken(session, target);
  await rejectRepeated(session);
}

const emailTaken = 'email is used by another employee of the organization already';

/** The numbers of employees without a tenant are unique among themselves. */
function numberTaken({ tenantId }: Target): string {
  const others = tenantId === null ? 'in no tenant' : 'of the tenant';
  return `employeeNumber is used by another employee ${others} already`;
}

async function rejectTaken(session: Session, target: Target): Promise<void> {
  const { organizationId, tenantId } = target;
  const ofTheTenant = tenantId === null ? sql`e.tenant_id IS NULL` : sql`e.tenant_id = ${tenantId}`;
  await reject(
    session,
    sql`SELECT s.line, ${emailTaken} FROM ${staged} s
      JOIN employee e ON e.organization_id = ${organizationId} AND e.email_key = s.email_key`,
  );
  await reject(
    session,
    sql`SELECT s.line, ${numberTaken(target)} FROM ${staged} s
      JOIN employee e ON e.organization_id = ${organizationId} AND ${ofTheTenant}
        AND e.employee_number = s.employee_number`,
  );
}

/** Keeps the first row of each value, by inserting in file order into a table that is unique in both. */
async function rejectRepeated(session: Session): Promise<void> {
  await session.run(sql`
    CREATE TEMPORARY TABLE import_repeated (
      line integer, email_key text COLLATE "C" UNIQUE, employee_number text COLLATE "C" UNIQUE) ON COMMIT DROP`);
  await session.run(sql`
    INSERT INTO import_repeated
    SELECT line, email_key, employee_number FROM (
      SELECT line, email_key, employee_number, count(*) OVER (PARTITION BY email_key) AS same_email,
        count(employee_number) OVER (PARTITION BY employee_number) AS same_number
      FROM ${usable} s
    ) AS usable
    WHERE same_email > 1 OR same_number > 1
    ORDER BY line ON CONFLICT DO NOTHING`);
  await reject(
    session,
    sql`SELECT s.line, coalesce('email is the same as in line ' || e.line, 'employeeNumber is the same as in line ' || n.line)
      FROM import_stage s
      LEFT JOIN import_repeated e ON e.email_key = s.email_key AND e.line < s.line
      LEFT JOIN import_repeated n ON n.employee_number = s.employee_number AND n.line < s.line
      WHERE e.line IS NOT NULL OR n.line IS NOT NULL`,
  );
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
export async function insertStaged(write: Write, session: Session, target: Target): Promise<number> {
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
export function readOvertaken(session: Session, target: Target): Promise<Rejection[]> {
  const { organizationId } = target;
  return session.rows<Rejection>(sql`
    SELECT line, original, CASE WHEN EXISTS (
        SELECT FROM employee e WHERE e.organization_id = ${organizationId} AND e.email_key = s.email_key)
      THEN ${emailTaken} ELSE ${numberTaken(target)} END AS reason
    FROM ${usable} s
    WHERE NOT EXISTS (SELECT FROM employee e WHERE e.organization_id = ${organizationId} AND e.id = s.id)
    ORDER BY line`);
}
