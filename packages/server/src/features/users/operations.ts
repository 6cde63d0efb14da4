import {
  ApiError,
  type createPortalUser,
  type createUser,
  type listPortalUsers,
  type listUsers,
  type updatePortalUser,
  type updateUser,
  type User,
} from '@kontor/contract';
import type { Pool } from '../../db/connect.ts';
import type { Queryable } from '../../db/session.ts';
import type { AnswerOf, CallOf } from '../../http/implement.ts';
import { type Call, companyOf, type OkAnswer, ok } from '../../http/route.ts';
import { checkName } from '../../lib/names.ts';
import { pageOfRows } from '../../query/rows.ts';
import { requestOf, type Write, type Writes } from '../../write/writes.ts';
import {
  checkTenants,
  storeNewUser,
  storeInvitation,
  type Linking,
  type TenantsAmong,
} from './invitations.ts';
import { allowedAfter, changedFields, checkOther, checkOwnPermissions } from './rules.ts';
import { deleteSessions } from './sessions/store.ts';
import * as store from './store.ts';

export interface UserParts extends Linking {
  readonly reads: Pool;
  readonly writes: Writes;
  readonly tenantsAmong: TenantsAmong;
  /** For `Location`. */
  readonly addressOf: (organizationId: string, id: string) => string;
}

export type UserCall = Call & { readonly parameters: { readonly id: string } };
type Change = (write: Write, user: User, session: Queryable) => Promise<User> | User;

/** The operations on users. The platform and the portal serve them under different names. */
export function userOperations(parts: UserParts) {
  const { reads } = parts;
  return {
    async list(call: CallOf<typeof listUsers | typeof listPortalUsers>): Promise<OkAnswer> {
      const rows = store.userRows(call.scope.organizationId, companyOf(call));
      return ok(await pageOfRows(store.userList, rows, call, reads));
    },
    get: async (call: UserCall) => ok(JSON.stringify(await readUser(reads, call))),
    create: (call: CallOf<typeof createUser | typeof createPortalUser>) => create(parts, call),
    update: (call: CallOf<typeof updateUser | typeof updatePortalUser>) => update(parts, call),
    async remove(call: UserCall) {
      checkOther(call.caller.actor.id, call.parameters.id, 'delete');
      return change(parts, call, (write, user) => {
        deleteSessions(write, user.id);
        store.deleteUser(write, user);
        return user;
      });
    },
    invite: (call: UserCall) =>
      change(parts, call, (write, user, session) => storeInvitation(write, session, parts, user)),
    async deactivate(call: UserCall) {
      checkOther(call.caller.actor.id, call.parameters.id, 'deactivate');
      return change(parts, call, (write, { id, status }, session) => {
        if (status !== 'inactive') {
          deleteSessions(write, id);
          store.deactivateUser(write, id);
        }
        return readUser(session, call);
      });
    },
    reactivate: (call: UserCall) =>
      change(parts, call, (write, { id, status }, session) => {
        if (status === 'inactive') store.reactivateUser(write, id);
        return readUser(session, call);
      }),
  };
}

/** @throws ApiError NOT_FOUND */
export async function readUser(
  db: Queryable,
  { scope, parameters }: Pick<UserCall, 'scope' | 'parameters'>,
): Promise<User> {
  const user = await store.findUser(db, scope.organizationId, parameters.id);
  if (user) return user;
  throw new ApiError('NOT_FOUND', 'No user with this id is visible to the caller');
}

async function create(
  parts: UserParts,
  call: CallOf<typeof createUser | typeof createPortalUser>,
): Promise<AnswerOf<typeof createUser>> {
  const { organizationId } = call.scope;
  await checkTenants(allowedAfter(null, call.body), organizationId, parts.tenantsAmong);
  const created = await parts.writes.runUnordered(requestOf(call), (write, session) =>
    storeNewUser(write, session, parts, call.body),
  );
  const body = JSON.stringify(created);
  if (call.dryRun) return ok(body);
  return { status: 201, body, headers: { Location: parts.addressOf(organizationId, created.id) } };
}

async function update(
  parts: UserParts,
  call: CallOf<typeof updateUser | typeof updatePortalUser>,
): Promise<OkAnswer> {
  const { body, scope } = call;
  if (body.name !== undefined) checkName('name', body.name);
  const updated = (user: User): User => ({ ...user, ...body, ...allowedAfter(user, body) });
  checkOwnPermissions(call.caller.actor.id, call.parameters.id, body);
  if (body.hrTenants)
    await checkTenants(updated(await readUser(parts.reads, call)), scope.organizationId, parts.tenantsAmong);
  return change(parts, call, (write, before, session) => {
    const after = updated(before);
    const fields = changedFields(before, after);
    if (fields.length > 0) store.updateUser(write, before.id, after, fields);
    return readUser(session, call);
  });
}

/** Locks and changes a user, and responds with the user that `work` returns. @throws ApiError NOT_FOUND */
async function change({ reads, writes }: UserParts, call: UserCall, work: Change): Promise<OkAnswer> {
  await readUser(reads, call);
  const write = async (write: Write, session: Queryable) =>
    work(write, await readUser(session, call), session);
  const user = await writes.runUnordered(requestOf(call), write, [call.parameters.id]);
  return ok(JSON.stringify(user));
}
