import { createEmployee, getEmployee, listEmployees, updateEmployee } from '@kontor/contract';
import type { Pool } from '../../db/connect.ts';
import { newId } from '../../db/ids.ts';
import { type AnswerOf, type CallOf, implement } from '../../http/implement.ts';
import { readResource } from '../../http/read-resource.ts';
import { ok, type Route } from '../../http/route.ts';
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

export function employeeRoutes(parts: Parts): Route[] {
  const { reads, collection } = parts;
  return [
    implement(listEmployees, async call => ok(await collection.page(call))),
    implement(getEmployee, call => readResource(reads, employeeResource, call)),
    implement(createEmployee, call => create(parts, call, '/v1')),
    implement(updateEmployee, async call => ok(await update(parts, call))),
  ];
}

/** Not checked before the write, in which one query serves all creates of a transaction. An earlier check costs a third more. */
export async function create(
  { writes }: Parts,
  call: CallOf<typeof createEmployee>,
  prefix: string,
): Promise<AnswerOf<typeof createEmployee>> {
  const id = newId();
  const doc = await writes
    .runOrdered(requestOf(call), { kind: employeeCreate, input: { call, id } })
    .catch(throwDuplicate);
  return call.dryRun
    ? ok(doc)
    : { status: 201, body: doc, headers: { Location: `${prefix}/employees/${id}` } };
}

/** Also checked before the write, so a rejected or empty update does not wait for it. */
export async function update(
  { reads, writes }: Parts,
  call: CallOf<typeof updateEmployee> & Pick<Updating, 'unchangedSince'>,
): Promise<string> {
  const [found] = await employeeUpdate.read(reads, [call]);
  const first = planUpdate(call, found!);
  if (first.fields.length === 0) return first.doc;
  return writes.runOrdered(requestOf(call), { kind: employeeUpdate, input: call }).catch(throwDuplicate);
}
