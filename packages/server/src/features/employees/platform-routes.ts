import { type Activation, ApiError, type Employee, type EmployeeAssignment, fold } from '@kontor/contract';
import type { Collection } from '../../query/page.ts';
import type { Pool } from '../../db/connect.ts';
import type { Queryable } from '../../db/session.ts';
import { sql } from '../../db/sql.ts';
import type { AnswerOf, CallOf, HandlersOf } from '../../http/handlers.ts';
import { type Call, ok } from '../../http/route.ts';
import type { Scope } from '../../auth/scope.ts';
import { type Turn, type Writes, requestOf } from '../../write/writes.ts';
import { checkUnique, namingDuplicates } from './store.ts';
import { employeeRow } from './mapping.ts';
import * as store from './store.ts';
import { type LineOutcome, batchOutcome } from '../../http/request/batch.ts';
import { findInScope } from '../../db/find-in-scope.ts';

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
  const write = writes.run(requestOf(call), {
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
  const employee = JSON.parse(doc) as Employee;
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

/**
 * Activates those that are not, and returns how many. Activation is not public: the document, `updatedAt` and the organization
 * clock stay as they are (specification.md 3.7 and 5.2).
 */
export async function activateEmployees(
  turn: Turn,
  session: Queryable,
  ids: readonly string[],
): Promise<number> {
  const { organizationId } = turn;
  // Locked in one order, so that two of these do not wait for each other.
  const activated = await session.rows<{ id: string }>(sql`
    WITH locked AS (
      SELECT id FROM employee
      WHERE organization_id = ${organizationId} AND id = ANY(${[...ids]}::text[]) AND activated_at IS NULL
      ORDER BY id FOR NO KEY UPDATE)
    UPDATE employee e SET activated_at = ${turn.at} FROM locked
    WHERE e.organization_id = ${organizationId} AND e.id = locked.id RETURNING e.id`);
  for (const { id } of activated) turn.audit({ id, action: 'employee.activate', fields: ['activatedAt'] });
  return activated.length;
}

/** The operations of the activation of employees, which are the platform's. */
export function activationHandlers({
  reads,
  writes,
}: {
  reads: Pool;
  writes: Writes;
}): HandlersOf<'platform', 'Activations'> {
  return {
    getEmployeeActivation: async call => ok(JSON.stringify(await readActivation(reads, call))),
    async activateEmployee(call) {
      await readActivation(reads, call);
      const activation = await writes.beside(requestOf(call), async (turn, session) => {
        await activateEmployees(turn, session, [call.parameters.id]);
        return readActivation(session, call);
      });
      return ok(JSON.stringify(activation));
    },
    activateEmployeeBatch: call => activateBatch(writes, call),
  };
}

/** All in one transaction: a line that names nobody leaves the others alone. */
async function activateBatch(
  writes: Writes,
  call: CallOf<'activateEmployeeBatch'>,
): Promise<AnswerOf<'activateEmployeeBatch'>> {
  const { items } = call.body;
  const ids = [...new Set(items.flatMap(line => ('refusal' in line ? [] : [line.value.employeeId])))];
  const known = await writes.beside(requestOf(call), async (turn, session) => {
    await activateEmployees(turn, session, ids);
    return knownAmong(session, turn.organizationId, ids);
  });
  const outcomes = items.map((line): LineOutcome => {
    if ('refusal' in line) return line.refusal;
    const id = line.value.employeeId;
    return known.has(id) ? { status: 200, id } : unknownEmployee();
  });
  return ok(batchOutcome(call.requestId, outcomes));
}

function unknownEmployee(): ApiError {
  return new ApiError('INVALID_REFERENCE', 'employeeId must name an employee of the organization');
}

/** Those of the identifiers that are employees of the organization. */
async function knownAmong(
  db: Queryable,
  organizationId: string,
  ids: readonly string[],
): Promise<Set<string>> {
  const rows = await db.rows<{ id: string }>(sql`
    SELECT id FROM employee WHERE organization_id = ${organizationId} AND id = ANY(${[...ids]}::text[])`);
  return new Set(rows.map(({ id }) => id));
}

type OfEmployee = Pick<Call, 'scope' | 'tenant'> & { readonly parameters: { readonly id: string } };

/** The activation of the employee that a call is about. @throws ApiError NOT_FOUND. */
async function readActivation(
  db: Queryable,
  { scope, tenant, parameters: { id } }: OfEmployee,
): Promise<Activation> {
  const wanted = { table: 'employee', scope, tenant, id };
  const row = await findInScope<{ activated_at: Date | null }>(db, wanted, sql`activated_at`);
  if (row === null) throw new ApiError('NOT_FOUND', 'No employee with this id is visible to the token');
  const { activated_at: at } = row;
  return { employeeId: id, activated: at !== null, activatedAt: at?.toISOString() ?? null };
}
