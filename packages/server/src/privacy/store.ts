import { employeeResource } from '../features/employees/mapping.ts';
import { incidentResource } from '../features/incidents/mapping.ts';
import { orderResource } from '../features/orders/mapping.ts';
import type { Employee, Incident, Order } from '@kontor/contract';
import type { Queryable } from '../db/session.ts';
import { sql } from '../db/sql.ts';
import { changedValues } from '../lib/changed-values.ts';
import type { Write } from '../write/writes.ts';
import { type KeptPayroll, type Retention, usualRetention } from './retention.ts';

export interface DataSubject {
  readonly employee: Employee;
  readonly erasedAt: Date | null;
  readonly orders: readonly Order[];
  /** The orders with a record of their contract. */
  readonly recorded: ReadonlySet<string>;
  readonly incidents: readonly Incident[];
  readonly payroll: KeptPayroll;
  /** Changes in the history. */
  readonly changes: number;
}

/** The month that {@link KeptPayroll} has, of entries `p` of the payroll ledger. */
export const lastPayrollMonth = sql`max(greatest(p.month, to_char(p.created_at AT TIME ZONE 'UTC', 'YYYY-MM') COLLATE "C"))`;

export async function readDataSubject(
  db: Queryable,
  organizationId: string,
  id: string,
): Promise<DataSubject | null> {
  const [[employee], orders, incidents, [payroll], [history]] = await Promise.all([
    db.rows<{ doc: string; erasedAt: Date | null }>(sql`
      SELECT doc, erased_at AS "erasedAt" FROM employee WHERE organization_id = ${organizationId} AND id = ${id}`),
    db.rows<{ id: string; doc: string; isRecorded: boolean }>(sql`
      SELECT id, doc, contract_record IS NOT NULL AS "isRecorded" FROM employee_order WHERE organization_id = ${organizationId} AND employee_id = ${id} ORDER BY id`),
    db.rows<{ doc: string }>(sql`
      SELECT doc FROM incident WHERE organization_id = ${organizationId} AND employee_id = ${id} ORDER BY id`),
    db.rows<KeptPayroll>(sql`
      SELECT count(*)::int AS entries, ${lastPayrollMonth} AS "lastMonth" FROM payroll_entry p
      WHERE organization_id = ${organizationId} AND employee_id = ${id}`),
    db.rows<{ changes: number }>(sql`
      SELECT count(*)::int AS changes FROM employee_change WHERE organization_id = ${organizationId} AND employee_id = ${id}`),
  ]);
  if (!employee) return null;
  return {
    employee: employeeResource.parse(employee.doc),
    erasedAt: employee.erasedAt,
    orders: orders.map(({ doc }) => orderResource.parse(doc)),
    recorded: new Set(orders.flatMap(({ id, isRecorded }) => (isRecorded ? id : []))),
    incidents: incidents.map(({ doc }) => incidentResource.parse(doc)),
    payroll: payroll!,
    ...history!,
  };
}

/** Reads the retention of a tenant; null stands for employees without a tenant. */
export async function readRetention(
  db: Queryable,
  organizationId: string,
  tenantId: string | null,
): Promise<Retention> {
  const [row] = await db.rows<Retention>(sql`
    SELECT voucher_years AS "voucherYears", other_days AS "otherDays" FROM tenant_retention
    WHERE organization_id = ${organizationId} AND tenant_id = ${tenantId}`);
  return row ?? usualRetention;
}

export interface TenantPlace {
  readonly organizationId: string;
  readonly tenantId: string;
}

/** Stores the retention of a tenant. It does not advance the organization clock, because no client of `/v1` sees it. */
export function storeRetention(write: Write, tenantId: string, before: Retention, after: Retention): void {
  const changes = changedValues(before, after);
  const fields = Object.keys(changes);
  if (fields.length === 0) return;
  write.send(sql`
    INSERT INTO tenant_retention (organization_id, tenant_id, voucher_years, other_days)
    VALUES (${write.organizationId}, ${tenantId}, ${after.voucherYears}, ${after.otherDays})
    ON CONFLICT (organization_id, tenant_id) DO UPDATE
    SET voucher_years = excluded.voucher_years, other_days = excluded.other_days`);
  write.audit({ id: tenantId, action: 'tenant.retention', fields, changes });
}
