import { documentEnd } from '../../../query/resource.ts';
import { raw, sql } from '../../../db/sql.ts';
import type { Session } from '../../../db/transaction.ts';
import type { Rejection } from '../../../imports/rejected-rows.ts';
import { reject, staged, type StagedRow, stageRows, type Staging, usable } from '../../../imports/staging.ts';
import { auditEach, countEach, type WriteAtClock } from '../../../write/writes.ts';
import { orderColumns, type OrderRow } from '../mapping.ts';

export interface StagedRowOfOrder extends StagedRow {
  readonly order: StagedOrder | null;
}

/** The row of an order, the parts of its document, and one of three identifiers of its employee. */
export interface StagedOrder {
  readonly row: OrderRow;
  readonly head: string;
  readonly tail: string;
  readonly employeeId: string | null;
  readonly employeeNumber: string | null;
  readonly emailKey: string | null;
}

export interface Target {
  readonly organizationId: string;
  readonly tenantId: string;
}

const columns = Object.keys(orderColumns) as (keyof OrderRow)[];

const staging: Staging<StagedRowOfOrder> = {
  columns: {
    head: 'text',
    tail: 'text',
    employee_id: 'text',
    employee_number: 'text',
    email_key: 'text',
    ...orderColumns,
  },
  values: ({ order }) => [
    order && order.head,
    order && order.tail,
    order && order.employeeId,
    order && order.employeeNumber,
    order && order.emailKey,
    ...columns.map(name => order && order.row[name]),
  ],
  analyzed: ['order_number', 'employee_id', 'employee_number', 'email_key'],
};

/** Copies the rows into temporary tables. The other functions of this file use them in the same transaction. */
export function stage(
  session: Session,
  rows: AsyncIterable<StagedRowOfOrder>,
  signal: AbortSignal,
): Promise<void> {
  return stageRows(session, staging, rows, signal);
}

const taken = 'orderNumber: another order of this organization already has it';

/** Looks up the employees. Rejects rows with an unknown employee, with a number in use, or with the number of an earlier row. */
export async function rejectUnusable(session: Session, target: Target): Promise<void> {
  const { organizationId } = target;
  await findEmployees(session, target);
  await reject(
    session,
    sql`SELECT line, CASE WHEN employee_id IS NOT NULL THEN 'employeeId' WHEN email_key IS NOT NULL THEN 'email'
        ELSE 'employeeNumber' END || ': there is no such employee in the tenant'
      FROM import_stage s
      WHERE reason IS NULL AND NOT EXISTS (SELECT FROM import_employee e WHERE e.line = s.line)`,
  );
  await reject(
    session,
    sql`SELECT s.line, ${taken} FROM ${staged} s
      JOIN employee_order o ON o.organization_id = ${organizationId} AND o.order_number = s.order_number`,
  );
  await reject(
    session,
    sql`SELECT line, 'orderNumber is the same as in line ' || first FROM (
        SELECT line, min(line) OVER (PARTITION BY order_number) AS first FROM ${usable} s) AS usable
      WHERE line > first`,
  );
}

/** The employee of each row is looked up once, because a personnel number may change before the insert. */
async function findEmployees(session: Session, { organizationId, tenantId }: Target): Promise<void> {
  await session.run(sql`
    CREATE TEMPORARY TABLE import_employee (line integer PRIMARY KEY, id text COLLATE "C" NOT NULL) ON COMMIT DROP`);
  for (const [own, theirs] of [
    ['employee_id', 'id'],
    ['employee_number', 'employee_number'],
    ['email_key', 'email_key'],
  ] as const)
    await session.run(sql`
      INSERT INTO import_employee
      SELECT s.line, e.id FROM ${staged} s
      JOIN employee e ON e.organization_id = ${organizationId} AND e.tenant_id = ${tenantId}
        AND e.${raw(theirs)} = s.${raw(own)}
      WHERE s.reason IS NULL`);
  await session.run(sql`ANALYZE import_employee`);
}

/**
 * Inserts the valid rows with audit and counters in one statement, and returns their number. Another import may have taken a number since the check.
 * OFFSET 0 makes PostgreSQL look up each employee by identifier. Without statistics it expects one employee, and would scan all staged rows for each.
 */
export async function insertStaged(write: WriteAtClock, session: Session, target: Target): Promise<number> {
  const { organizationId } = target;
  const values = columns.map(name => `s.${name}`);
  const instant = sql`${write.at}::timestamptz`;
  const document = sql`s.head || e.id || s.tail || ${documentEnd(write.instant, write.instant)}::text`;
  const [row] = await session.rows<{ n: number }>(sql`
    WITH inserted AS (
      INSERT INTO employee_order
        (organization_id, tenant_id, division_id, employee_id, ${raw(columns.join(', '))}, created_at, updated_at, doc)
      SELECT ${organizationId}::text, e.tenant_id, e.division_id, e.id, ${raw(values.join(', '))},
        ${instant}, ${instant}, ${document}
      FROM (SELECT u.*, m.id AS of_employee FROM ${usable} u JOIN import_employee m USING (line)) s
      CROSS JOIN LATERAL (
        SELECT id, tenant_id, division_id FROM employee
        WHERE organization_id = ${organizationId}::text AND id = s.of_employee OFFSET 0) AS e
      ON CONFLICT DO NOTHING
      RETURNING id, tenant_id, division_id),
    audited AS (${auditEach(write, 'order.create', sql`inserted`)}),
    counted AS (${countEach(
      write,
      'order',
      sql`SELECT scope, count(*) FROM inserted, unnest(ARRAY['', tenant_id, division_id]) AS scope GROUP BY scope`,
    )})
    SELECT count(*)::int AS n FROM inserted`);
  return row!.n;
}

/** The valid rows that {@link insertStaged} skipped. */
export function readOvertaken(session: Session, { organizationId }: Target): Promise<Rejection[]> {
  return session.rows<Rejection>(sql`
    SELECT line, original, ${taken}::text AS reason FROM ${usable} s
    WHERE NOT EXISTS (SELECT FROM employee_order o WHERE o.organization_id = ${organizationId} AND o.id = s.id)
    ORDER BY line`);
}
