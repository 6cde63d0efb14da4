import {
  activateEmployee,
  activateEmployeeBatch,
  activatePortalEmployee,
  ApiError,
  apis,
  assignEmployee,
  blockEmployee,
  blockPortalEmployee,
  changeEmployeeEmail,
  changePortalEmployeeEmail,
  createEmployee,
  createPortalEmployee,
  type Employee,
  type EmployeeDetails,
  employeeFields,
  exportPortalEmployees,
  getEmployee,
  getEmployeeActivation,
  getPortalEmployee,
  listEmployees,
  listOrganizationEmployees,
  listPortalEmployeeChanges,
  listPortalEmployees,
  updateEmployee,
  updatePortalEmployee,
} from '@kontor/contract';
import { findInScope } from '../../auth/find-in-scope.ts';
import { newId } from '../../db/ids.ts';
import { sql } from '../../db/sql.ts';
import { type AnswerOf, type CallOf, implement } from '../../http/implement.ts';
import { readResource, notFound, type ResourceCall } from '../../http/read-resource.ts';
import { batchOutcome, type LineOutcome } from '../../http/request/batch.ts';
import { created, ok, type Route, type OkAnswer, type RouteParts } from '../../http/route.ts';
import { showInstants } from '../../lib/render-row.ts';
import type { Collection } from '../../query/page.ts';
import { exportList } from '../../http/response/list-file.ts';
import { fileFields } from '../../query/file-fields.ts';
import { type Placed, placedList, placedRows, placeFields } from '../../query/placed-rows.ts';
import { pageOfRows } from '../../query/rows.ts';
import { versionOf, type Writes } from '../../write/writes.ts';
import { activate, readActivation } from './activation.ts';
import { employeeAssignment } from './assignment.ts';
import { employeeCreate } from './create.ts';
import { changeList, changeRows } from './history.ts';
import { employeeResource } from './mapping.ts';
import * as store from './store.ts';
import { employeeUpdate, type Updating } from './update.ts';

export interface Parts extends RouteParts {
  readonly collection: Collection;
}

export function employeeRoutes(parts: Parts): Route[] {
  const { reads, collection } = parts;
  return [
    implement(listEmployees, async call => ok(await collection.page(call))),
    implement(getEmployee, call => readResource(reads, employeeResource, call)),
    implement(createEmployee, call => create(parts, call, '/v1')),
    implement(updateEmployee, async call => ok(await update(parts, call))),
  ];
}

export function platformEmployeeRoutes(parts: Parts): Route[] {
  const { reads, writes } = parts;
  return [
    implement(listOrganizationEmployees, async call => ok(await parts.collection.page(call))),
    implement(assignEmployee, call => storeAssignment(parts, call)),
    implement(changeEmployeeEmail, async call => ok(await update(parts, call))),
    implement(blockEmployee, async call => ok(await block(parts, call))),
    implement(getEmployeeActivation, async call => ok(JSON.stringify(await readActivation(reads, call)))),
    implement(activateEmployee, async call => ok(await activate({ reads, writes }, call))),
    implement(activateEmployeeBatch, call => activateBatch(writes, call)),
  ];
}

/** Employees as HR works with them, by the rules of the public API, in the scope of the user's permission HR. */
export function portalEmployeeRoutes(parts: Parts): Route[] {
  const { reads, writes, collection } = parts;
  return [
    implement(listPortalEmployees, async call => ok(await collection.page(call))),
    implement(exportPortalEmployees, call =>
      exportList(parts, call, {
        list: placedList(employeeResource),
        rows: placedRows('employee', call.scope, call.tenant),
        fields: exportedFields,
        fileName: 'employees.csv',
        action: 'employee.export_list',
      }),
    ),
    implement(createPortalEmployee, call => create(parts, call, apis.portal.prefix)),
    implement(getPortalEmployee, async call => ok(JSON.stringify(await readDetails(parts, call)))),
    implement(updatePortalEmployee, async call => {
      const { unchangedSince, ...body } = call.body;
      return ok(await update(parts, { ...call, body, expectedVersion: versionOf(unchangedSince) }));
    }),
    implement(changePortalEmployeeEmail, async call => ok(await update(parts, call))),
    implement(blockPortalEmployee, async call => ok(await block(parts, call))),
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

async function create(
  { writes }: Parts,
  call: CallOf<typeof createEmployee>,
  prefix: string,
): Promise<AnswerOf<typeof createEmployee>> {
  const doc = await writes.decide({ ...call, id: newId() }, employeeCreate).catch(store.throwDuplicate);
  return call.dryRun ? ok(doc) : created(`${prefix}/employees`, doc);
}

function update({ writes }: Parts, call: Omit<ResourceCall, 'body'> & Updating): Promise<string> {
  return writes.decide(call, employeeUpdate).catch(store.throwDuplicate);
}

function block(
  parts: Parts,
  call: CallOf<typeof blockEmployee> | CallOf<typeof blockPortalEmployee>,
): Promise<string> {
  const { blocked, reason = null } = call.body;
  return update(parts, { ...call, body: { blocked }, reason: reason?.trim() || null });
}

async function storeAssignment({ writes }: Parts, call: CallOf<typeof assignEmployee>): Promise<OkAnswer> {
  return ok(await writes.decide(call, employeeAssignment).catch(store.throwDuplicate));
}

/** All in one transaction. A line with an unknown employee does not affect the rest. */
async function activateBatch(writes: Writes, call: CallOf<typeof activateEmployeeBatch>): Promise<OkAnswer> {
  const { items } = call.body;
  const ids = [...new Set(items.flatMap(line => ('rejection' in line ? [] : [line.value.employeeId])))];
  const known = await writes.runWithoutClock(call, async (write, session) => {
    await store.activateEmployees(write, session, ids);
    const rows = await session.rows<{ id: string }>(sql`
      SELECT id FROM employee WHERE organization_id = ${write.organizationId} AND id = ANY(${ids}::text[])`);
    return new Set(rows.map(({ id }) => id));
  });
  const outcomes = items.map((line): LineOutcome => {
    if ('rejection' in line) return line.rejection;
    const id = line.value.employeeId;
    if (known.has(id)) return { status: 200, id };
    return new ApiError('INVALID_REFERENCE', 'employeeId must name an employee of the organization');
  });
  return ok(batchOutcome(call.requestId, outcomes));
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
  const { doc, ...instants } = found ?? notFound('employee', call);
  return { employee: employeeResource.parse(doc), ...showInstants(instants) };
}

const exportedFields = fileFields<Employee & Placed>(employeeFields, placeFields);
