import { ApiError } from '@kontor/contract';
import { findInScope, readDocument } from '../auth/find-in-scope.ts';
import type { Pool } from '../db/connect.ts';
import { sql } from '../db/sql.ts';
import type { Repeat } from '../write/writes.ts';
import type { Call, OkAnswer } from './route.ts';

/** A call about one resource. */
export type ResourceCall = Omit<Call, 'parameters'> & { readonly parameters: { readonly id: string } };

/** Answers with the stored document of a resource. @throws ApiError NOT_FOUND */
export async function readResource(
  db: Pool,
  { table, resourceType }: { readonly table: string; readonly resourceType: string },
  call: ResourceCall,
): Promise<OkAnswer & { readonly body: string }> {
  const { scope, tenant, parameters } = call;
  const doc = await readDocument(db, { table, scope, tenant, id: parameters.id });
  return { status: 200, body: doc ?? notFound(resourceType, call) };
}

/** A decision about a resource is repeated with its stored document. `id` is that of the resource. */
export function repeatWith<Input extends Pick<Call, 'scope' | 'tenant'>>(
  { table }: { readonly table: string },
  id: (input: Input) => string,
): Repeat<Input, string> {
  return {
    id,
    async read(db, { scope, tenant }, stored) {
      const found = await findInScope<{ doc: string }>(db, { table, scope, tenant, id: stored }, sql`doc`);
      return found?.doc ?? null;
    },
  };
}

/** The same for a resource that does not exist and for one outside of the scope. @throws ApiError NOT_FOUND */
export function notFound(resourceType: string, { caller }: { readonly caller: Credential }): never {
  const noun = resourceType.replaceAll('_', ' ');
  throw new ApiError('NOT_FOUND', `No ${noun} with this id is visible to the ${credentialOf(caller)}`);
}

type Credential = Pick<Call['caller'], 'actor'> & Partial<Pick<Call['caller'], 'session'>>;

/** The word for a caller in a message. */
export function credentialOf({ session, actor }: Credential): 'user' | 'key' | 'token' {
  if (session) return 'user';
  return actor.type === 'api_key' ? 'key' : 'token';
}
