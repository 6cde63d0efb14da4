import { employeeResource } from '../features/employees/resource.ts';
import { incidentResource } from '../features/incidents/resource.ts';
import { orderResource } from '../features/orders/resource.ts';
import type { Employee, Incident, Order } from '@kontor/contract';
import type { Queryable } from '../db/session.ts';
import { sql } from '../db/sql.ts';
import { type Retention, usualRetention } from './retention.ts';

/** A person with all that is stored as documents of them. */
export interface Person {
  readonly employee: Employee;
  readonly erasedAt: Date | null;
  readonly orders: readonly Order[];
  readonly incidents: readonly Incident[];
}

/** Reads a person; null when there is none. */
export async function readPerson(db: Queryable, organizationId: string, id: string): Promise<Person | null> {
  const [[employee], orders, incidents] = await Promise.all([
    db.rows<{ doc: string; erasedAt: Date | null }>(sql`
      SELECT doc, erased_at AS "erasedAt" FROM employee WHERE organization_id = ${organizationId} AND id = ${id}`),
    db.rows<{ doc: string }>(sql`
      SELECT doc FROM employee_order WHERE organization_id = ${organizationId} AND employee_id = ${id} ORDER BY id`),
    db.rows<{ doc: string }>(sql`
      SELECT doc FROM incident WHERE organization_id = ${organizationId} AND employee_id = ${id} ORDER BY id`),
  ]);
  if (!employee) return null;
  return {
    employee: employeeResource.parse(employee.doc),
    erasedAt: employee.erasedAt,
    orders: orders.map(({ doc }) => orderResource.parse(doc)),
    incidents: incidents.map(({ doc }) => incidentResource.parse(doc)),
  };
}

/** How long data of people of a tenant (null: of those in none) are kept. */
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
