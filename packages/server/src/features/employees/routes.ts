import {
  activateEmployee,
  activateEmployeeBatch,
  activatePortalEmployee,
  ApiError,
  apis,
  assignEmployee,
  createEmployee,
  createPortalEmployee,
  Employee,
  type EmployeeAssignment,
  type EmployeeDetails,
  exportPortalEmployees,
  fold,
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
import { scopePredicate } from '../../auth/scope-predicate.ts';
import type { Pool } from '../../db/connect.ts';
import { newId } from '../../db/ids.ts';
import type { Queryable } from '../../db/session.ts';
import { sql } from '../../db/sql.ts';
import { type AnswerOf, type CallOf, implement } from '../../http/implement.ts';
import { readResource, notFound, type ResourceCall } from '../../http/read-resource.ts';
import { batchOutcome, type LineOutcome } from '../../http/request/batch.ts';
import { ok, type Route, type OkAnswer } from '../../http/route.ts';
import { csvFile } from '../../lib/row-file.ts';
import type { Collection } from '../../query/page.ts';
import { pageOfRows, type RowList, slicesOfRows } from '../../query/rows.ts';
import { requestOf, type Writes, recordExport } from '../../write/writes.ts';
import { activate, readActivation } from './activation.ts';
import { employeeCreate } from './create.ts';
import { changeList, changeRows } from './history.ts';
import { employeeResource } from './mapping.ts';
import * as store from './store.ts';
import { employeeUpdate, planUpdate, type Updating } from './update.ts';

export interface Parts {
  readonly reads: Pool;
  readonly writes: Writes;
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

/** Not checked before the write, in which one query serves all creates of a transaction. An earlier check costs a third more. */
async function create(
  { writes }: Parts,
  call: CallOf<typeof createEmployee>,
  prefix: string,
): Promise<AnswerOf<typeof createEmployee>> {
  const id = newId();
  const doc = await writes
    .runOrdered(requestOf(call), { kind: employeeCreate, input: { call, id } })
    .catch(store.throwDuplicate);
  return call.dryRun
    ? ok(doc)
    : { status: 201, body: doc, headers: { Location: `${prefix}/employees/${id}` } };
}

/** Also checked before the write, so a rejected or empty update does not wait for it. */
async function update(
  { reads, writes }: Parts,
  call: CallOf<typeof updateEmployee> & Pick<Updating, 'unchangedSince'>,
): Promise<string> {
  const [found] = await employeeUpdate.read(reads, [call]);
  const first = planUpdate(call, found!);
  if (first.fields.length === 0) return first.doc;
  return writes
    .runOrdered(requestOf(call), { kind: employeeUpdate, input: call })
    .catch(store.throwDuplicate);
}

interface Found {
  readonly doc: string;
  readonly employee: Employee;
  /** Whether the tenant exists, with the division. */
  readonly isPlace: boolean;
  readonly holders: readonly store.Holder[];
}

/** Also checked before the write, so a rejected assignment does not wait for it. */
async function storeAssignment(
  { reads, writes }: Parts,
  call: CallOf<typeof assignEmployee>,
): Promise<OkAnswer> {
  const { body, parameters } = call;
  const read = (db: Queryable) => findForAssignment(db, call);
  const first = await read(reads);
  if (assign(first, body) === null) return ok(first.doc);
  const write = writes.runOrdered(requestOf(call), {
    targets: [parameters.id],
    read,
    change(write, found) {
      const after = assign(found, body);
      if (after === null) return found.doc;
      const { id: _id, createdAt: _created, updatedAt: _updated, ...data } = after;
      const fields = after.divisionId === null ? ['tenant'] : ['tenant', 'divisionId'];
      return store.updateEmployees([{ write, before: found.employee, after: data, fields }])[0]!;
    },
  });
  return ok(await write.catch(store.throwDuplicate));
}

async function findForAssignment(db: Queryable, call: CallOf<typeof assignEmployee>): Promise<Found> {
  const { scope, parameters, body } = call;
  const { id } = parameters;
  const { tenant, divisionId = null } = body;
  const { organizationId } = scope;
  const doc = (await store.readEmployees(db, scope, null, [id])).get(id) ?? notFound('employee', call);
  const employee = employeeResource.parse(doc);
  const { employeeNumber: number } = employee;
  const [places, holders] = await Promise.all([
    db.run(sql`
      SELECT FROM tenant t WHERE organization_id = ${organizationId} AND id = ${tenant}
        AND (${divisionId}::text IS NULL OR EXISTS (SELECT FROM division d
          WHERE d.organization_id = ${organizationId} AND d.tenant_id = t.id AND d.id = ${divisionId}))`),
    number === null ? [] : store.readHolders(db, organizationId, [], [fold(number)]),
  ]);
  return { doc, employee, isPlace: places > 0, holders };
}

/** The employee in the new tenant; null without a change. @throws ApiError for an assignment that is rejected */
function assign(
  { employee, isPlace, holders }: Found,
  { tenant, divisionId = null }: EmployeeAssignment,
): Employee | null {
  if (!isPlace)
    throw new ApiError(
      'INVALID_REFERENCE',
      'tenant must name a tenant of the organization, and divisionId a division of that tenant',
    );
  if (employee.tenant === tenant && employee.divisionId === divisionId) return null;
  if (employee.tenant !== null)
    throw new ApiError(
      'INVALID_STATE_TRANSITION',
      'The employee has a tenant, which cannot change; change the division with the public API',
    );
  const after = { ...employee, tenant, divisionId };
  store.checkUnique(employee.id, after, holders);
  return after;
}

/** All in one transaction. A line with an unknown employee does not affect the rest. */
async function activateBatch(writes: Writes, call: CallOf<typeof activateEmployeeBatch>): Promise<OkAnswer> {
  const { items } = call.body;
  const ids = [...new Set(items.flatMap(line => ('rejection' in line ? [] : [line.value.employeeId])))];
  const known = await writes.runUnordered(requestOf(call), async (write, session) => {
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
