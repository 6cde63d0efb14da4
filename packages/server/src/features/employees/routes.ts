import type { Collection } from '../../query/page.ts';
import type { Pool } from '../../db/connect.ts';
import { readDocument } from '../../db/find-in-scope.ts';
import { newId } from '../../db/ids.ts';
import type { AnswerOf, CallOf, Handlers } from '../../http/handlers.ts';
import { ok } from '../../http/route.ts';
import { requestOf, type Writes } from '../../write/writes.ts';
import { employeeCreate } from './create.ts';
import { namingDuplicates } from './duplicates.ts';
import { employeeUpdate, notFound, planUpdate } from './update.ts';

/** What the operations of employees stand on. */
interface Parts {
  readonly reads: Pool;
  readonly writes: Writes;
  readonly collection: Collection;
}

/** The operations of employees on a database and its collection of employees. */
export function employeeHandlers(parts: Parts): Handlers<'Employees'> {
  const { reads, collection } = parts;
  return {
    listEmployees: async call => ok(await collection.page(call)),
    async getEmployee({ scope, tenant, parameters: { id } }) {
      const doc = await readDocument(reads, { table: 'employee', scope, tenant, id });
      if (doc === null) throw notFound();
      return ok(doc);
    },
    createEmployee: call => createEmployee(parts, call),
    updateEmployee: call => updateEmployee(parts, call),
  };
}

/** Checked in its turn only, where one question serves all creates of a transaction: to check each before costs a third more. */
async function createEmployee(
  { writes }: Parts,
  call: CallOf<'createEmployee'>,
): Promise<AnswerOf<'createEmployee'>> {
  const id = newId();
  const doc = await writes
    .runOrdered(requestOf(call), { kind: employeeCreate, input: { call, id } })
    .catch(namingDuplicates);
  return call.dryRun ? ok(doc) : { status: 201, body: doc, headers: { Location: `/v1/employees/${id}` } };
}

/** Checked first without the turn, so that a refused or unchanged update waits for nobody, and again in it. */
async function updateEmployee(
  { reads, writes }: Parts,
  call: CallOf<'updateEmployee'>,
): Promise<AnswerOf<'updateEmployee'>> {
  const [found] = await employeeUpdate.read(reads, [call]);
  const first = planUpdate(call, found!);
  if (first.fields.length === 0) return ok(first.doc);
  return ok(
    await writes.runOrdered(requestOf(call), { kind: employeeUpdate, input: call }).catch(namingDuplicates),
  );
}
