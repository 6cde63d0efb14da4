import { ApiError, type User, userFields } from '@kontor/contract';
import { defineRows, pageOfRows } from '../../query/rows.ts';
import type { Pool } from '../../db/connect.ts';
import type { Queryable } from '../../db/session.ts';
import type { Fragment } from '../../db/sql.ts';
import type { AnswerOf, CallOf, HandlersOf } from '../../http/handlers.ts';
import { type Call, ok } from '../../http/route.ts';
import { checkName } from '../../lib/names.ts';
import { requestOf, type Turn, type Writes } from '../../write/writes.ts';
import { checkTenants, createUser, inviteUser, type Linking, type TenantsAmong } from './invite.ts';
import { deleteSessions } from './session-store.ts';
import { allowedAfter, changedFields, checkOther, checkOwnPermissions } from './rules.ts';
import * as store from './store.ts';

/** What the operations of users stand on. */
interface Parts extends Linking {
  readonly reads: Pool;
  readonly writes: Writes;
  readonly tenantsAmong: TenantsAmong;
  /** Where a user is found, for `Location`. */
  readonly addressOf: (organizationId: string, id: string) => string;
}

const userList = defineRows({
  fields: userFields,
  columns: {
    id: 'id',
    organizationId: 'organization_id',
    email: 'folded_email',
    name: 'folded_name',
    language: 'language',
    status: 'status',
    createdAt: 'created_at',
    invitedUntil: 'invited_until',
    lastSignInAt: 'last_sign_in_at',
  },
  item: store.shownUser,
});

/** The operations of the users of the portal that are the platform's. */
export function userHandlers(parts: Parts): HandlersOf<'platform', 'Portal users'> {
  const { reads } = parts;
  return {
    listUsers: call => list(reads, call),
    createUser: call => create(parts, call),
    getUser: async call => ok(JSON.stringify(await found(reads, call))),
    updateUser: call => update(parts, call),
    deleteUser: call => change(parts, call, remove),
    inviteUser: call => change(parts, call, (turn, user, session) => inviteUser(turn, session, parts, user)),
    deactivateUser: call => change(parts, call, deactivate),
    reactivateUser: call => change(parts, call, reactivate),
  };
}

/** Those of the portal: the same, but nobody shuts themselves out. */
export function portalUserHandlers(parts: Parts): HandlersOf<'portal', 'Users'> {
  const { reads } = parts;
  return {
    listPortalUsers: call => list(reads, call),
    createPortalUser: call => create(parts, call),
    getPortalUser: async call => ok(JSON.stringify(await found(reads, call))),
    updatePortalUser: call => update(parts, call),
    deletePortalUser(call) {
      checkOther(call.caller.actor.id, call.parameters.id, 'delete');
      return change(parts, call, remove);
    },
    invitePortalUser: call =>
      change(parts, call, (turn, user, session) => inviteUser(turn, session, parts, user)),
    deactivatePortalUser(call) {
      checkOther(call.caller.actor.id, call.parameters.id, 'deactivate');
      return change(parts, call, deactivate);
    },
    reactivatePortalUser: call => change(parts, call, reactivate),
  };
}

async function list(reads: Pool, { scope, list }: Pick<CallOf<'listPortalUsers'>, 'scope' | 'list'>) {
  const read = <Row extends object>(statement: Fragment) => reads.rows<Row>(statement, { shared: false });
  return ok(await pageOfRows(userList, store.userRows(scope.organizationId), list, read));
}

function remove(turn: Turn, user: User): User {
  deleteSessions(turn, user.id);
  store.deleteUser(turn, user);
  return user;
}

function deactivate(turn: Turn, { id, status }: User, session: Queryable): Promise<User> {
  if (status !== 'inactive') {
    deleteSessions(turn, id);
    store.deactivateUser(turn, id);
  }
  return existing(session, turn.organizationId, id);
}

function reactivate(turn: Turn, { id, status }: User, session: Queryable): Promise<User> {
  if (status === 'inactive') store.reactivateUser(turn, id);
  return existing(session, turn.organizationId, id);
}

type OfUser = Pick<Call, 'scope'> & { readonly parameters: { readonly id: string } };

/** The user that a call is about. @throws ApiError NOT_FOUND. */
function found(db: Queryable, { scope, parameters: { id } }: OfUser): Promise<User> {
  return existing(db, scope.organizationId, id);
}

async function existing(db: Queryable, organizationId: string, id: string): Promise<User> {
  return (await store.findUser(db, organizationId, id)) ?? notFound();
}

async function create(
  { writes, tenantsAmong, addressOf, ...linking }: Parts,
  call: CallOf<'createPortalUser'>,
): Promise<AnswerOf<'createUser'>> {
  const { organizationId } = call.scope;
  await checkTenants(allowedAfter(null, call.body), organizationId, tenantsAmong);
  const created = await writes.runUnordered(requestOf(call), (turn, session) =>
    createUser(turn, session, linking, call.body),
  );
  const body = JSON.stringify(created);
  if (call.dryRun) return ok(body);
  return { status: 201, body, headers: { Location: addressOf(organizationId, created.id) } };
}

async function update(
  { reads, writes, tenantsAmong }: Parts,
  call: CallOf<'updatePortalUser'>,
): Promise<AnswerOf<'updateUser'>> {
  const { body, scope } = call;
  if (body.name !== undefined) checkName('name', body.name);
  const changed = (user: User) => ({ ...user, ...body, ...mutable(allowedAfter(user, body)) });
  checkOwnPermissions(call.caller.actor.id, call.parameters.id, body);
  if (body.hrTenants)
    await checkTenants(changed(await found(reads, call)), scope.organizationId, tenantsAmong);
  return change({ reads, writes }, call, (turn, before, session) => {
    const after = changed(before);
    const fields = changedFields(before, after);
    if (fields.length > 0) store.updateUser(turn, before.id, after, fields);
    return found(session, call);
  });
}

function mutable({ permissions, hrTenants }: ReturnType<typeof allowedAfter>) {
  return { permissions: [...permissions], hrTenants: hrTenants && [...hrTenants] };
}

/** Has a user locked and changed, and answers what the change returns. @throws ApiError NOT_FOUND */
async function change(
  { reads, writes }: Pick<Parts, 'reads' | 'writes'>,
  call: Call & OfUser,
  work: (turn: Turn, user: User, session: Queryable) => Promise<User> | User,
) {
  await found(reads, call);
  const { organizationId } = call.scope;
  const { id } = call.parameters;
  const changed = async (turn: Turn, session: Queryable) =>
    work(turn, await existing(session, organizationId, id), session);
  const user = await writes.runUnordered(requestOf(call), changed, [id]);
  return ok(JSON.stringify(user));
}

function notFound(): never {
  throw new ApiError('NOT_FOUND', 'No user with this id is visible to the caller');
}
