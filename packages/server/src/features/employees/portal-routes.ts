import {
  activatePortalEmployee,
  apis,
  createPortalEmployee,
  Employee,
  type EmployeeDetails,
  exportPortalEmployees,
  getPortalEmployee,
  listPortalEmployeeChanges,
  listPortalEmployees,
  updatePortalEmployee,
} from '@kontor/contract';
import { findInScope } from '../../auth/find-in-scope.ts';
import { scopePredicate } from '../../auth/scope-predicate.ts';
import { sql } from '../../db/sql.ts';
import { type AnswerOf, type CallOf, implement } from '../../http/implement.ts';
import { notFound, type ResourceCall } from '../../http/read-resource.ts';
import { ok, type Route } from '../../http/route.ts';
import { csvFile } from '../../lib/row-file.ts';
import { pageOfRows, type RowList, slicesOfRows } from '../../query/rows.ts';
import { recordExport } from '../../write/writes.ts';
import { activate } from './activation.ts';
import { changeList, changeRows } from './history.ts';
import { employeeResource } from './mapping.ts';
import { create, type Parts, update } from './public-routes.ts';

/** Employees as HR works with them, by the rules of the public API, in the scope of the user's permission HR. */
export function portalEmployeeRoutes(parts: Parts): Route[] {
  const { reads, writes, collection } = parts;
  return [
    implement(listPortalEmployees, async call => ok(await collection.page(call))),
    implement(exportPortalEmployees, call => exportEmployees(parts, call)),
    implement(createPortalEmployee, call => create(parts, call, apis.portal.prefix)),
    implement(getPortalEmployee, async call => ok(JSON.stringify(await readDetails(parts, call)))),
    implement(updatePortalEmployee, async call => {
      const { unchangedSince, ...body } = call.body;
      return ok(await update(parts, { ...call, body, unchangedSince }));
    }),
    implement(listPortalEmployeeChanges, async call => {
      const { scope, tenant, parameters } = call;
      const { id } = parameters;
      const found = await findInScope(reads, { table: 'employee', scope, tenant, id }, sql`id`);
      if (found === null) notFound('employee', call);
      return ok(await pageOfRows(changeList, changeRows(scope, tenant, id), call, reads));
    }),
    implement(activatePortalEmployee, async call => ok(await activate({ reads, writes }, call))),
  ];
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
  call: CallOf<typeof exportPortalEmployees>,
): Promise<AnswerOf<typeof exportPortalEmployees>> {
  const { scope, tenant, list } = call;
  const rows = sql`SELECT * FROM employee WHERE ${scopePredicate(scope, tenant)}`;
  const stream = await csvFile(slicesOfRows(exported, rows, list, reads), columns, 'spreadsheet');
  await recordExport(writes, call, 'employee.export_list');
  return { status: 200, file: { stream, fileName: 'employees.csv', mediaType: 'text/csv', size: null } };
}
