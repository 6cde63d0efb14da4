import { type Activation, ApiError } from '@kontor/contract';
import { batchOutcome, type LineOutcome } from '../../http/request/batch.ts';
import type { Pool } from '../../db/connect.ts';
import { findInScope } from '../../db/find-in-scope.ts';
import type { Queryable } from '../../db/session.ts';
import { sql } from '../../db/sql.ts';
import type { AnswerOf, CallOf, HandlersOf } from '../../http/handlers.ts';
import { type Call, ok } from '../../http/route.ts';
import { requestOf, type Turn, type Writes } from '../../write/writes.ts';

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
      const activation = await writes.runUnordered(requestOf(call), async (turn, session) => {
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
  const known = await writes.runUnordered(requestOf(call), async (turn, session) => {
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
