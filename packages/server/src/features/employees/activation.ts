import type { Activation } from '@kontor/contract';
import { findInScope } from '../../auth/find-in-scope.ts';
import type { Queryable } from '../../db/session.ts';
import { sql } from '../../db/sql.ts';
import { notFound, type ResourceCall } from '../../http/read-resource.ts';
import * as store from './store.ts';
import type { RouteParts } from '../../http/route.ts';

/** Activates an employee. A repeated activation keeps its time. @throws ApiError NOT_FOUND */
export async function activate({ reads, writes }: RouteParts, call: ResourceCall): Promise<string> {
  await readActivation(reads, call);
  const activation = await writes.runWithoutClock(call, async (write, session) => {
    await store.activateEmployees(write, session, [call.parameters.id]);
    return readActivation(session, call);
  });
  return JSON.stringify(activation);
}

/** @throws ApiError NOT_FOUND */
export async function readActivation(db: Queryable, call: ResourceCall): Promise<Activation> {
  const { scope, tenant, parameters } = call;
  const { id } = parameters;
  const wanted = { table: 'employee', scope, tenant, id };
  const row = await findInScope<{ activatedAt: Date | null }>(db, wanted, sql`activated_at AS "activatedAt"`);
  const { activatedAt: at } = row ?? notFound('employee', call);
  return { employeeId: id, activated: at !== null, activatedAt: at?.toISOString() ?? null };
}
