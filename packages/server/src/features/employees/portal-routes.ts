import { apis, Employee, type EmployeeDetails } from '@kontor/contract';
import { findInScope } from '../../auth/find-in-scope.ts';
import { scopePredicate } from '../../auth/scope-predicate.ts';
import { sql } from '../../db/sql.ts';
import type { AnswerOf, CallOf, HandlersOf } from '../../http/handlers.ts';
import { notFound, type ResourceCall } from '../../http/read-resource.ts';
import { ok } from '../../http/route.ts';
import { csvFile } from '../../lib/row-file.ts';
import { pageOfRows, type RowList, slicesOfRows } from '../../query/rows.ts';
import { recordExport } from '../../write/writes.ts';
import { activateEmployee } from './activation.ts';
import { changeList, changeRows } from './history.ts';
import { employeeResource } from './mapping.ts';
import { createEmployee, type Parts, updateEmployee } from './public-routes.ts';

/** Employees as HR works with them, by the rules of the public API, in the scope of the user's permission HR. */
export function portalEmployeeHandlers(parts: Parts): HandlersOf<'portal', 'Employees'> {
  const { reads, writes, collection } = parts;
  return {
    listPortalEmployees: async call => ok(await collection.page(call)),
    exportPortalEmployees: call => exportEmployees(parts, call),
    createPortalEmployee: call => createEmployee(parts, call, apis.portal.prefix),
    getPortalEmployee: async call => ok(JSON.stringify(await readDetails(parts, call))),
    async updatePortalEmployee(call) {
      const { unchangedSince, ...body } = call.body;
      return ok(await updateEmployee(parts, { ...call, body, unchangedSince }));
    },
    async listPortalEmployeeChanges(call) {
      const { scope, tenant, parameters } = call;
      const { id } = parameters;
      const found = await findInScope(reads, { table: 'employee', scope, tenant, id }, sql`id`);
      if (found === null) notFound('employee', call);
      return ok(await pageOfRows(changeList, changeRows(scope, tenant, id), call, reads));
    },
    activatePortalEmployee: async call => ok(await activateEmployee({ reads, writes }, call)),
  };
}

/** @throws ApiError NOT_FOUND */
async function readDetails({ reads }: Parts, call: ResourceCall): Promise<EmployeeDetails> {
  const { scope, tenant, parameters } = call;
  const wanted = { table: 'employee', scope, tenant, id: parameters.id };
  const found = await findInScope<{ doc: string; activatedAt: Date | null; erasedAt: Date | null }>(
    reads,
    wanted,
    sql`doc, activated_at AS "activatedAt", erased_at AS "erasedAt"`,
  );
  const { doc, activatedAt, erasedAt } = found ?? notFound('employee', call);
  return {
    employee: employeeResource.parse(doc),
    activatedAt: activatedAt?.toISOString() ?? null,
    erasedAt: erasedAt?.toISOString() ?? null,
  };
}

const exported: RowList<Employee> = {
  table: employeeResource,
  item: row => employeeResource.parse(row['doc'] as string),
};

const columns = Object.keys(Employee.properties) as (keyof Employee)[];

async function exportEmployees(
  { reads, writes }: Parts,
  call: CallOf<'exportPortalEmployees'>,
): Promise<AnswerOf<'exportPortalEmployees'>> {
  const { scope, tenant, list } = call;
  const rows = sql`SELECT * FROM employee WHERE ${scopePredicate(scope, tenant)}`;
  const stream = await csvFile(slicesOfRows(exported, rows, list, reads), columns, 'spreadsheet');
  await recordExport(writes, call, 'employee.export_list');
  return { status: 200, file: { stream, fileName: 'employees.csv', mediaType: 'text/csv', size: null } };
}
