import type { Queryable } from '../db/session.ts';
import { sql } from '../db/sql.ts';
import { type Author, writeUnordered } from '../write/writes.ts';
import type { Pool } from '../db/connect.ts';
import { type KeptIncident, type KeptOrder, holdsOf, possibleFrom, type Retention } from './retention.ts';

/** Employees that are looked at in one statement. */
const sliceSize = 1000;

/** Somebody who has left, and when their data may be erased: null while nobody can tell. */
export interface Leaver {
  readonly id: string;
  readonly from: string | null;
}

interface EmployeeRow {
  readonly id: string;
  readonly hasLeft: boolean;
  /** Null of those who have not. */
  readonly orders: readonly KeptOrder[] | null;
  readonly incidents: readonly KeptIncident[] | null;
}

/** Employees that were looked at, and those of them who have left. */
export interface LeaverSlice {
  readonly employees: number;
  readonly leavers: readonly Leaver[];
}

/** Those who have left a tenant: who may be erased, how many are kept, and the first day on which one of them may be, where known. */
export interface Leavers {
  readonly due: { readonly count: number; readonly employees: readonly string[] };
  readonly later: number;
  readonly next: string | null;
}

/** Looks at all employees of a tenant, and names so many at most; `advance` is told of employees. */
export async function summedLeavers(
  slices: AsyncIterable<LeaverSlice>,
  { today, named, advance }: { today: string; named: number; advance: (employees: number) => void },
): Promise<Leavers> {
  const due: string[] = [];
  let count = 0;
  let later = 0;
  let next: string | null = null;
  for await (const { employees, leavers } of slices) {
    for (const { id, from } of leavers) {
      if (from === today) {
        if (count++ < named) due.push(id);
        continue;
      }
      later++;
      if (from !== null && (next === null || from < next)) next = from;
    }
    advance(employees);
  }
  return { due: { count, employees: due }, later, next };
}

/** Those of a tenant whose account is blocked and whose data are there, as a look at all of its employees finds them. */
export async function* leaversOf(
  db: Queryable,
  { organizationId, tenantId }: { organizationId: string; tenantId: string },
  retention: Retention,
  today: string,
): AsyncGenerator<LeaverSlice> {
  for (let last = ''; ;) {
    const rows = await readSlice(db, organizationId, tenantId, last);
    const leavers = rows
      .filter(({ hasLeft }) => hasLeft)
      .map(({ id, orders, incidents }) => {
        const holds = holdsOf({ orders: orders!, incidents: incidents! }, retention, today);
        return { id, from: possibleFrom(holds, today) };
      });
    yield { employees: rows.length, leavers };
    if (rows.length < sliceSize) return;
    last = rows.at(-1)!.id;
  }
}

function readSlice(
  db: Queryable,
  organizationId: string,
  tenantId: string,
  last: string,
): Promise<EmployeeRow[]> {
  return db.rows<EmployeeRow>(sql`
    SELECT e.id, has_left AS "hasLeft",
      CASE WHEN has_left THEN ARRAY(SELECT jsonb_build_object('orderNumber', o.order_number, 'status', o.status,
          'contract', o.doc::jsonb -> 'contract', 'updatedAt', o.doc::jsonb ->> 'updatedAt')
        FROM employee_order o WHERE o.organization_id = ${organizationId} AND o.employee_id = e.id) END AS orders,
      CASE WHEN has_left THEN ARRAY(SELECT jsonb_build_object('incidentNumber', i.doc::jsonb ->> 'incidentNumber',
          'status', i.status, 'updatedAt', i.doc::jsonb ->> 'updatedAt')
        FROM incident i WHERE i.organization_id = ${organizationId} AND i.employee_id = e.id) END AS incidents
    FROM (
      SELECT id, blocked AND (erased_at IS NULL OR updated_at > erased_at) AS has_left FROM employee
      WHERE organization_id = ${organizationId} AND tenant_id = ${tenantId} AND id > ${last}
      ORDER BY id LIMIT ${sliceSize}) AS e
    ORDER BY e.id`);
}

/** Payroll export documents of a tenant whose vouchers need no longer be kept: how many, and of which periods. */
export interface DueDocuments {
  readonly count: number;
  readonly first: string | null;
  readonly last: string | null;
}

export async function dueDocuments(
  db: Queryable,
  { organizationId, tenantId }: { organizationId: string; tenantId: string },
  { voucherYears }: Retention,
  today: string,
): Promise<DueDocuments> {
  const firstKept = String(Number(today.slice(0, 4)) - voucherYears).padStart(4, '0');
  const [row] = await db.rows<DueDocuments>(sql`
    SELECT count(*)::int AS count, min(period) AS first, max(period) AS last FROM payroll_export_document
    WHERE organization_id = ${organizationId} AND tenant_id = ${tenantId} AND period < ${firstKept}`);
  return row!;
}

/** Notes how long a tenant keeps data of people. No client sees it, so it takes no turn. */
export function setRetention(
  db: Pool,
  { organizationId, tenantId }: { organizationId: string; tenantId: string },
  { voucherYears, otherDays }: Retention,
  author: Author,
): Promise<void> {
  return writeUnordered(db, organizationId, author, turn => {
    turn.write(sql`
      INSERT INTO tenant_retention (organization_id, tenant_id, voucher_years, other_days)
      VALUES (${organizationId}, ${tenantId}, ${voucherYears}, ${otherDays})
      ON CONFLICT (organization_id, tenant_id) DO UPDATE
      SET voucher_years = excluded.voucher_years, other_days = excluded.other_days`);
    turn.audit({ id: tenantId, action: 'tenant.retention', fields: ['voucherYears', 'otherDays'] });
  });
}
