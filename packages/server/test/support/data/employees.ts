import { randomBytes } from 'node:crypto';
import type { Employee } from '@kontor/contract';
import type { Pool } from '../../../src/db/connect.ts';
import type { Session } from '../../../src/db/transaction.ts';
import type { Sql, TestSession } from '../database/sql.ts';
import { raw } from '../../../src/db/sql.ts';
import { newId } from '../../../src/db/ids.ts';
import { type EmployeeData, employeeRow } from '../../../src/features/employees/mapping.ts';
import { newEmployee } from '../../../src/features/employees/rules.ts';
import { insertEmployees } from '../../../src/features/employees/store.ts';
import { runAtClock } from '../../../src/write/run-at-clock.ts';
import { type Author, type WriteAtClock } from '../../../src/write/writes.ts';

/** Data of an employee: what is not given is null, and the email is another one each time. */
export function employeeData(more: Partial<EmployeeData> = {}): EmployeeData {
  const anonymous = { email: `${randomBytes(8).toString('hex')}@example.com`, firstName: '', lastName: '' };
  const data = newEmployee(anonymous, { tenant: null, divisionId: null });
  return { ...data, firstName: null, lastName: null, ...more };
}

const tester: Author = {
  actor: { type: 'operator', id: 'test', name: 'test' },
  requestId: null,
  address: null,
};

/**
 * Stores employees in one transaction, or in that of the session, also ones that the API would not make; answers their
 * documents in order.
 */
export async function storeEmployees(
  db: Pool | Session,
  organizationId: string,
  employees: readonly (Partial<EmployeeData> & { id?: string })[],
): Promise<Employee[]> {
  const rows = employees.map(({ id = newId(), ...data }) => employeeRow(id, employeeData(data)));
  const insert = (write: WriteAtClock) => insertEmployees(rows.map(row => ({ write, row })));
  const docs = await runAtClock(db, organizationId, tester, insert);
  return docs.map(doc => JSON.parse(doc) as Employee);
}

/** Moves an employee into another division, and orders and incidents along, as an update does. The counters stay. */
export async function moveEmployee(
  session: TestSession,
  organizationId: string,
  { id, to }: { id: string; to: string },
): Promise<void> {
  await session`
    UPDATE employee SET division_id = ${to}, doc = replace(doc, division_id, ${to})
    WHERE organization_id = ${organizationId} AND id = ${id}`;
  for (const resourceType of ['employee_order', 'incident'])
    await session`
      UPDATE ${raw(resourceType)} SET division_id = ${to} WHERE organization_id = ${organizationId} AND employee_id = ${id}`;
}

/** Removes an employee, which the API cannot, and keeps the counters exact. */
export async function removeEmployee(sql: Sql, organizationId: string, id: string): Promise<void> {
  await sql`
    WITH clock AS (UPDATE organization SET clock = (clock AT TIME ZONE 'UTC' + interval '1 millisecond') AT TIME ZONE 'UTC' WHERE id = ${organizationId}),
    gone AS (DELETE FROM employee WHERE organization_id = ${organizationId} AND id = ${id}
      RETURNING tenant_id, division_id)
    UPDATE counter SET n = n - 1 FROM gone
    WHERE organization_id = ${organizationId} AND resource_type = 'employee'
      AND scope IN ('', coalesce(tenant_id, 'none'), division_id)`;
}

/** The counters of a resource type and, as they should be, counted again: two equal objects unless a counter is wrong. */
export async function countersOf(
  sql: Sql,
  organizationId: string,
  resourceType: 'employee' | 'order' | 'incident' = 'employee',
): Promise<{ kept: Record<string, number>; real: Record<string, number> }> {
  const table = raw(resourceType === 'order' ? 'employee_order' : resourceType);
  const kept = await sql<{ scope: string; n: number }[]>`
    SELECT scope, n::int FROM counter
    WHERE organization_id = ${organizationId} AND resource_type = ${resourceType} AND n <> 0`;
  const real = await sql<{ scope: string; n: number }[]>`
    SELECT scope, count(*)::int AS n FROM ${table}, unnest(ARRAY['', coalesce(tenant_id, 'none'), division_id]) AS scope
    WHERE organization_id = ${organizationId} AND scope IS NOT NULL GROUP BY scope`;
  const byScope = (rows: readonly { scope: string; n: number }[]) =>
    Object.fromEntries(rows.map(row => [row.scope, row.n]));
  return { kept: byScope(kept), real: byScope(real) };
}
