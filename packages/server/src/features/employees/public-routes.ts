import type { Pool } from '../../db/connect.ts';
import { newId } from '../../db/ids.ts';
import type { AnswerOf, CallOf, Handlers } from '../../http/handlers.ts';
import { readResource } from '../../http/read-resource.ts';
import { ok } from '../../http/route.ts';
import type { Collection } from '../../query/page.ts';
import { requestOf, type Writes } from '../../write/writes.ts';
import { employeeCreate } from './create.ts';
import { employeeResource } from './mapping.ts';
import { throwDuplicate } from './store.ts';
import { employeeUpdate, planUpdate, type Updating } from './update.ts';

export interface Parts {
  readonly reads: Pool;
  readonly writes: Writes;
  readonly collection: Collection;
}

export function employeeHandlers(parts: Parts): Handlers<'Employees'> {
  const { reads, collection } = parts;
  return {
    listEmployees: async call => ok(await collection.page(call)),
    getEmployee: call => readResource(reads, employeeResource, call),
    createEmployee: call => createEmployee(parts, call, '/v1'),
    updateEmployee: async call => ok(await updateEmployee(parts, call)),
  };
}

/** Not checked before the write, in which one query serves all creates of a transaction. An earlier check costs a third more. */
export async function createEmployee(
  { writes }: Parts,
  call: CallOf<'createEmployee'>,
  prefix: string,
): Promise<AnswerOf<'createEmployee'>> {
  const id = newId();
  const doc = await writes
    .runOrdered(requestOf(call), { kind: employeeCreate, input: { call, id } })
    .catch(throwDuplicate);
  return call.dryRun
    ? ok(doc)
    : { status: 201, body: doc, headers: { Location: `${prefix}/employees/${id}` } };
}

/** Also checked before the write, so a rejected or empty update does not wait for it. */
export async function updateEmployee(
  { reads, writes }: Parts,
  call: CallOf<'updateEmployee'> & Pick<Updating, 'unchangedSince'>,
): Promise<string> {
  const [found] = await employeeUpdate.read(reads, [call]);
  const first = planUpdate(call, found!);
  if (first.fields.length === 0) return first.doc;
  return writes.runOrdered(requestOf(call), { kind: employeeUpdate, input: call }).catch(throwDuplicate);
}
