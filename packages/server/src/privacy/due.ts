import type { Queryable } from '../db/session.ts';
import { sql } from '../db/sql.ts';
import { type KeptIncident, type KeptOrder, holdsOf, possibleFrom, type Retention } from './retention.ts';
import { lastPayrollMonth, type TenantPlace } from './store.ts';

/** Employees per statement. */
const sliceSize = 1000;

/**
 * The employees who have left a tenant: those with a blocked account. `due` can be erased, `later` must be kept for now.
 * `next` is the first day on which one of the latter can be erased, if known.
 */
export interface Leavers {
  readonly due: { readonly count: number; readonly employees: readonly string[] };
  readonly later: number;
  readonly next: string | null;
}

/** Reads all employees of a tenant, and returns at most `maxIds` ids. `advance` is called with numbers of employees. */
export async function readLeavers(
  db: Queryable,
  place: TenantPlace,
  retention: Retention,
  { today, maxIds, advance }: { today: string; maxIds: number; advance: (employees: number) => void },
): Promise<Leavers> {
  const due: string[] = [];
  let count = 0;
  let later = 0;
  let next: string | null = null;
  for (let last = ''; ;) {
    const rows = await readSlice(db, place, last);
    for (const { id, hasLeft, orders, incidents, lastMonth } of rows) {
      if (!hasLeft) continue;
      const holds = holdsOf(
        { orders: orders!, incidents: incidents!, payroll: { lastMonth } },
        retention,
        today,
      );
      const from = possibleFrom(holds, today);
      if (from === today) {
        if (count++ < maxIds) due.push(id);
        continue;
      }
      later++;
      if (from !== null && (next === null || from < next)) next = from;
    }
    advance(rows.length);
    if (rows.length < sliceSize) return { due: { count, employees: due }, later, next };
    last = rows.at(-1)!.id;
  }
}

interface EmployeeRow {
  readonly id: string;
  readonly hasLeft: boolean;
  /** Null for employees who have not left. */
  readonly orders: readonly KeptOrder[] | null;
  readonly incidents: readonly KeptIncident[] | null;
  readonly lastMonth: string | null;
}

function readSlice(
  db: Queryable,
  { organizationId, tenantId }: TenantPlace,
  last: string,
): Promise<EmployeeRow[]> {
  return db.rows<EmployeeRow>(sql`
    SELECT e.id, has_left AS "hasLeft",
      CASE WHEN has_left THEN ARRAY(SELECT jsonb_build_object('orderNumber', o.order_number, 'status', o.status,
          'contract', o.doc::jsonb -> 'contract', 'updatedAt', o.doc::jsonb ->> 'updatedAt')
        FROM employee_order o WHERE o.organization_id = ${organizationId} AND o.employee_id = e.id) END AS orders,
      CASE WHEN has_left THEN ARRAY(SELECT jsonb_build_object('incidentNumber', i.doc::jsonb ->> 'incidentNumber',
          'status', i.status, 'updatedAt', i.doc::jsonb ->> 'updatedAt')
        FROM incident i WHERE i.organization_id = ${organizationId} AND i.employee_id = e.id) END AS incidents,
      CASE WHEN has_left THEN (SELECT ${lastPayrollMonth} FROM payroll_entry p
        WHERE p.organization_id = ${organizationId} AND p.employee_id = e.id
          AND p.created_at > coalesce(e.erased_at, '-infinity')) END AS "lastMonth"
    FROM (
      SELECT id, erased_at, blocked AND (erased_at IS NULL OR updated_at > erased_at) AS has_left FROM employee
      WHERE organization_id = ${organizationId} AND tenant_id = ${tenantId} AND id > ${last}
      ORDER BY id LIMIT ${sliceSize}) AS e
    ORDER BY e.id`);
}

/** The payroll export documents that are older than the retention of vouchers: their number, first and last period. */
export interface DueDocuments {
  readonly count: number;
  readonly first: string | null;
  readonly last: string | null;
}

export async function findDueDocuments(
  db: Queryable,
  { organizationId, tenantId }: TenantPlace,
  { voucherYears }: Retention,
  today: string,
): Promise<DueDocuments> {
  const firstKept = String(Number(today.slice(0, 4)) - voucherYears).padStart(4, '0');
  const [row] = await db.rows<DueDocuments>(sql`
    SELECT count(*)::int AS count, min(period) AS first, max(period) AS last FROM payroll_export_document
    WHERE organization_id = ${organizationId} AND tenant_id = ${tenantId} AND period < ${firstKept}`);
  return row!;
}
