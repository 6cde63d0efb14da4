import { employeeResource } from './mapping.ts';
import {
  activateEmployee,
  activateEmployeeBatch,
  ApiError,
  assignEmployee,
  type Employee,
  type EmployeeAssignment,
  fold,
  getEmployeeActivation,
  listOrganizationEmployees,
} from '@kontor/contract';
import type { Pool } from '../../db/connect.ts';
import type { Queryable } from '../../db/session.ts';
import { sql } from '../../db/sql.ts';
import { type CallOf, implement } from '../../http/implement.ts';
import { batchOutcome, type LineOutcome } from '../../http/request/batch.ts';
import { notFound } from '../../http/read-resource.ts';
import { type OkAnswer, ok, type Route } from '../../http/route.ts';
import type { Collection } from '../../query/page.ts';
import { requestOf, type Writes } from '../../write/writes.ts';
import { activate, readActivation } from './activation.ts';
import * as store from './store.ts';

interface Parts {
  readonly reads: Pool;
  readonly writes: Writes;
  readonly collection: Collection;
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
