import { ApiError, type Employee, type EmployeeAssignment, fold } from '@kontor/contract';
import { employeeResource } from './resource.ts';
import type { Collection } from '../../query/page.ts';
import type { Pool } from '../../db/connect.ts';
import type { Queryable } from '../../db/session.ts';
import { sql } from '../../db/sql.ts';
import type { AnswerOf, CallOf, HandlersOf } from '../../http/handlers.ts';
import { ok } from '../../http/route.ts';
import type { Scope } from '../../auth/scope.ts';
import { requestOf, type Writes } from '../../write/writes.ts';
import { checkUnique, namingDuplicates } from './duplicates.ts';
import { employeeRow } from './record.ts';
import * as store from './store.ts';

/** What the operations of the platform on employees stand on. */
interface Parts {
  readonly reads: Pool;
  readonly writes: Writes;
  readonly collection: Collection;
}

/** The operations of the platform on employees. */
export function platformEmployeeHandlers(parts: Parts): HandlersOf<'platform', 'Employees'> {
  return {
    listOrganizationEmployees: async call => ok(await parts.collection.page(call)),
    assignEmployee: call => assignEmployee(parts, call),
  };
}

/** What an assignment depends on. */
interface Found {
  readonly doc: string;
  readonly employee: Employee;
  /** Whether there are the tenant, and the division in it. */
  readonly isPlace: boolean;
  readonly holders: readonly store.Holder[];
}

/** Checked first without the turn, so that a refused one waits for nobody, and again in it. */
async function assignEmployee(
  { reads, writes }: Parts,
  call: CallOf<'assignEmployee'>,
): Promise<AnswerOf<'assignEmployee'>> {
  const { body, parameters, scope } = call;
  const read = (db: Queryable) => find(db, scope, parameters.id, body);
  const first = await read(reads);
  if (assigned(first, body) === null) return ok(first.doc);
  const write = writes.runOrdered(requestOf(call), {
    targets: [parameters.id],
    read,
    change(turn, found) {
      const after = assigned(found, body);
      if (after === null) return found.doc;
      const { id, createdAt, updatedAt: _updated, ...data } = after;
      const fields = after.divisionId === null ? ['tenant'] : ['tenant', 'divisionId'];
      const place = { tenantBefore: null, divisionBefore: null };
      const [doc] = store.updateEmployees([
        { turn, row: employeeRow(id, data), createdAt, ...place, fields },
      ]);
      return doc!;
    },
  });
  return ok(await write.catch(namingDuplicates));
}

async function find(
  db: Queryable,
  scope: Scope,
  id: string,
  { tenant, divisionId = null }: EmployeeAssignment,
): Promise<Found> {
  const { organizationId } = scope;
  const docs = await store.readEmployees(db, scope, null, [id]);
  const doc = docs.get(id);
  if (doc === undefined) throw new ApiError('NOT_FOUND', 'No employee with this id is visible to the token');
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

/** The employee in the tenant; null for one who is there. @throws ApiError for every refusal. */
function assigned(
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
      'The employee has a tenant already: nobody is moved to another one, and the public API changes the division',
    );
  const after = { ...employee, tenant, divisionId };
  checkUnique(employee.id, after, holders);
  return after;
}
