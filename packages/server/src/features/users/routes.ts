import {
  ApiError,
  createPortalUser,
  createUser,
  deactivatePortalUser,
  deactivateUser,
  deletePortalUser,
  deleteUser,
  exportPortalUsers,
  fieldsOf,
  getPortalUser,
  getUser,
  invitePortalUser,
  inviteUser,
  listPortalUsers,
  listUsers,
  reactivatePortalUser,
  reactivateUser,
  updatePortalUser,
  updateUser,
  User,
} from '@kontor/contract';
import type { Queryable } from '../../db/session.ts';
import { implement, type AnswerOf, type CallOf } from '../../http/implement.ts';
import { type Call, companyOf, type OkAnswer, ok, type Route, type RouteParts } from '../../http/route.ts';
import { changedFields } from '../../lib/changed-fields.ts';
import { checkName } from '../../lib/names.ts';
import { exportList } from '../../http/response/list-file.ts';
import { fileFields } from '../../query/file-fields.ts';
import { pageOfRows } from '../../query/rows.ts';
import type { Write } from '../../write/writes.ts';
import {
  checkTenants,
  storeNewUser,
  storeInvitation,
  type Linking,
  type TenantsAmong,
} from './invitations.ts';
import { allowedAfter, checkOther, checkOwnPermissions } from './rules.ts';
import { deleteSessions } from './sessions/store.ts';
import * as store from './store.ts';

export interface UserParts extends RouteParts, Linking {
  readonly tenantsAmong: TenantsAmong;
  /** For `Location`. */
  readonly addressOf: (organizationId: string, id: string) => string;
}

export type UserCall = Call & { readonly parameters: { readonly id: string } };
type Change = (write: Write, user: User, session: Queryable) => Promise<User> | User;

/** The platform API has the users of any organization. */
export function userRoutes(parts: UserParts): Route[] {
  return [
    implement(listUsers, call => list(parts, call)),
    implement(createUser, call => create(parts, call)),
    implement(getUser, async call => ok(JSON.stringify(await readUser(parts.reads, call)))),
    implement(updateUser, call => update(parts, call)),
    implement(deleteUser, call => remove(parts, call)),
    implement(inviteUser, call => invite(parts, call)),
    implement(deactivateUser, call => deactivate(parts, call)),
    implement(reactivateUser, call => reactivate(parts, call)),
  ];
}

/** The portal has the users of the organization of its user. */
export function portalUserRoutes(parts: UserParts): Route[] {
  return [
    implement(listPortalUsers, call => list(parts, call)),
    implement(exportPortalUsers, call =>
      exportList(parts, call, {
        list: store.userList,
        rows: store.userRows(call.scope.organizationId, companyOf(call)),
        fields: exportedFields,
        fileName: 'users.csv',
        action: 'user.export',
      }),
    ),
    implement(createPortalUser, call => create(parts, call)),
    implement(getPortalUser, async call => ok(JSON.stringify(await readUser(parts.reads, call)))),
    implement(updatePortalUser, call => update(parts, call)),
    implement(deletePortalUser, call => remove(parts, call)),
    implement(invitePortalUser, call => invite(parts, call)),
    implement(deactivatePortalUser, call => deactivate(parts, call)),
    implement(reactivatePortalUser, call => reactivate(parts, call)),
  ];
}

async function list(
  { reads }: UserParts,
  call: CallOf<typeof listUsers | typeof listPortalUsers>,
): Promise<OkAnswer> {
  const rows = store.userRows(call.scope.organizationId, companyOf(call));
  return ok(await pageOfRows(store.userList, rows, call, reads));
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
  const created = await parts.writes.runWithoutClock(call, (write, session) =>
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
    if (fields.length > 0) store.updateUser(write, before, after, fields);
    return readUser(session, call);
  });
}

async function remove(parts: UserParts, call: UserCall): Promise<OkAnswer> {
  checkOther(call.caller.actor.id, call.parameters.id, 'delete');
  return change(parts, call, (write, user) => {
    deleteSessions(write, user.id);
    store.deleteUser(write, user);
    return user;
  });
}

function invite(parts: UserParts, call: UserCall): Promise<OkAnswer> {
  return change(parts, call, (write, user, session) => storeInvitation(write, session, parts, user));
}

async function deactivate(parts: UserParts, call: UserCall): Promise<OkAnswer> {
  checkOther(call.caller.actor.id, call.parameters.id, 'deactivate');
  return change(parts, call, (write, { id, status }, session) => {
    if (status !== 'inactive') {
      deleteSessions(write, id);
      store.deactivateUser(write, id);
    }
    return readUser(session, call);
  });
}

function reactivate(parts: UserParts, call: UserCall): Promise<OkAnswer> {
  return change(parts, call, (write, { id, status }, session) => {
    if (status === 'inactive') store.reactivateUser(write, id);
    return readUser(session, call);
  });
}

/** Locks and changes a user, and responds with the user that `work` returns. @throws ApiError NOT_FOUND */
async function change({ reads, writes }: UserParts, call: UserCall, work: Change): Promise<OkAnswer> {
  await readUser(reads, call);
  const write = async (write: Write, session: Queryable) =>
    work(write, await readUser(session, call), session);
  const user = await writes.runWithoutClock(call, write, [call.parameters.id]);
  return ok(JSON.stringify(user));
}

const exportedFields = fileFields<User>(fieldsOf(User), {
  permissions: { type: 'string', read: ({ permissions }) => permissions },
  hrTenants: { type: 'string', read: ({ hrTenants }) => hrTenants },
});
