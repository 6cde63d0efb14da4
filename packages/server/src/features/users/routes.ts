import { ApiError, apis, type User, userFields } from '@kontor/contract';
import { defineRows, pageOfRows } from '../../collection/rows.ts';
import type { Pool } from '../../database/connect.ts';
import type { Queryable } from '../../database/session.ts';
import type { AnswerOf, CallOf, HandlersOf } from '../../http/handlers.ts';
import { type Call, ok } from '../../http/route.ts';
import { checkName } from '../../names.ts';
import { requestOf, type Turn, type Writes } from '../../writes/writes.ts';
import { checkTenants, createUser, inviteUser, type Linking, type TenantsAmong } from './invite.ts';
import { deleteSessions } from './session-store.ts';
import { allowedAfter, changedFields } from './rules.ts';
import * as store from './store.ts';

/** What the operations of users stand on. */
interface Parts extends Linking {
  readonly reads: Pool;
  readonly writes: Writes;
  readonly tenantsAmong: TenantsAmong;
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

/** The operations of the users of the portal, which are the platform's. */
export function userHandlers(parts: Parts): HandlersOf<'platform', 'Portal users'> {
  const { reads } = parts;
  return {
    async listUsers({ scope, list }) {
      const rows = store.userRows(scope.organizationId);
      return ok(
        await pageOfRows(userList, rows, list, statement => reads.rows(statement, { shared: false })),
      );
    },
    createUser: call => create(parts, call),
    getUser: async call => ok(JSON.stringify(await found(reads, call))),
    updateUser: call => update(parts, call),
    deleteUser: call =>
      change(parts, call, (turn, user) => {
        deleteSessions(turn, user.id);
        store.deleteUser(turn, user);
        return user;
      }),
    inviteUser: call => change(parts, call, (turn, user, session) => inviteUser(turn, session, parts, user)),
    deactivateUser: call =>
      change(parts, call, (turn, { id, status }, session) => {
        if (status !== 'inactive') {
          deleteSessions(turn, id);
          store.deactivateUser(turn, id);
        }
        return found(session, call);
      }),
    reactivateUser: call =>
      change(parts, call, (turn, { id, status }, session) => {
        if (status === 'inactive') store.reactivateUser(turn, id);
        return found(session, call);
      }),
  };
}

type OfUser = Pick<Call, 'scope'> & { readonly parameters: { readonly id: string } };

/** The user that a call is about. @throws ApiError NOT_FOUND. */
async function found(db: Queryable, { scope, parameters: { id } }: OfUser): Promise<User> {
  return (await store.findUser(db, scope.organizationId, id)) ?? notFound();
}

async function create(
  { writes, tenantsAmong, ...linking }: Parts,
  call: CallOf<'createUser'>,
): Promise<AnswerOf<'createUser'>> {
  const { organizationId } = call.scope;
  await checkTenants(allowedAfter(null, call.body), organizationId, tenantsAmong);
  const created = await writes.beside(requestOf(call), (turn, session) =>
    createUser(turn, session, linking, call.body),
  );
  const body = JSON.stringify(created);
  if (call.dryRun) return ok(body);
  const Location = `${apis.platform.prefix}/organizations/${organizationId}/users/${created.id}`;
  return { status: 201, body, headers: { Location } };
}

async function update(
  { reads, writes, tenantsAmong }: Parts,
  call: CallOf<'updateUser'>,
): Promise<AnswerOf<'updateUser'>> {
  const { body, scope } = call;
  if (body.name !== undefined) checkName('name', body.name);
  const changed = (user: User) => ({ ...user, ...body, ...mutable(allowedAfter(user, body)) });
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

/** Has a user locked and changed, and answers what the change returns. @throws ApiError NOT_FOUND. */
async function change(
  { reads, writes }: Pick<Parts, 'reads' | 'writes'>,
  call: Call & OfUser,
  work: (turn: Turn, user: User, session: Queryable) => Promise<User> | User,
) {
  await found(reads, call);
  const { organizationId } = call.scope;
  const user = await writes.beside(requestOf(call), async (turn, session) => {
    const locked = await store.lockUser(session, organizationId, call.parameters.id);
    return work(turn, locked ?? notFound(), session);
  });
  return ok(JSON.stringify(user));
}

function notFound(): never {
  throw new ApiError('NOT_FOUND', 'No user with this id is visible to the token');
}
