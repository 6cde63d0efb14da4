import type { UserCreate } from '@kontor/contract';
import { newId } from '../../packages/server/src/db/ids.ts';
import { insertPasskey } from '../../packages/server/src/features/users/passkeys/store.ts';
import { callOf, operator, Writes } from '../../packages/server/src/write/writes.ts';
import { hashPassword } from '../../packages/server/src/features/users/passwords/hash.ts';
import type { Sql } from '../../packages/server/test/support/database/sql.ts';
import {
  invitedUser,
  secretOf,
  sessionOfUser,
  signedInUser,
} from '../../packages/server/test/support/data/users.ts';

/** Users of each kind of use: a link works once, and attempts to sign in are limited. */
const each = 60;

const password = 'correct horse battery staple';

/** Identifiers of users, by the segment of the path or the operation that they are for: what ends them has some of its own. */
export async function fillUsers(
  sql: Sql,
  organizationId: string,
  names: readonly string[],
): Promise<Record<string, string[]>> {
  const known: Record<string, string[]> = {};
  for (const name of names) {
    const ids: string[] = [];
    for (let n = 0; n < each; n++) ids.push((await invitedUser(sql, organizationId)).id);
    known[name] = ids;
  }
  return known;
}

/** Identifiers of passkeys of a user: to rename, and to delete. */
export async function fillPasskeys(
  sql: Sql,
  organizationId: string,
  userId: string,
): Promise<Record<string, string[]>> {
  const make = async () => {
    const ids = Array.from({ length: each }, newId);
    await new Writes(sql).runWithoutClock(callOf(organizationId, operator), async (write, session) => {
      for (const id of ids)
        await insertPasskey(write, session, userId, {
          id,
          credentialId: id,
          publicKey: Buffer.alloc(1),
          uses: 0,
          transports: [],
          synced: false,
          name: 'Phone',
        });
    });
    return ids;
  };
  return { passkeys: await make(), deletePasskey: await make() };
}

/** Users who can sign in, by email with the password of all, and secrets of unused links. */
export async function fillSignIns(sql: Sql, organizationId: string): Promise<object> {
  const signIns: string[] = [];
  const links: string[] = [];
  const hash = await hashPassword(password, 'fuzz');
  for (let n = 0; n < each; n++) {
    const user = await invitedUser(sql, organizationId);
    signIns.push(user.email);
    await sql`
      UPDATE portal_user SET password_hash = ${hash} WHERE organization_id = ${organizationId} AND id = ${user.id}`;
    links.push(secretOf(await invitedUser(sql, organizationId)));
  }
  return { signIns, links, password };
}

/** Secrets of sessions of a user, by the operation that replaces or ends its own. */
export async function fillSessions(
  sql: Sql,
  organizationId: string,
  userId: string,
): Promise<Record<string, string[]>> {
  const secrets: Record<string, string[]> = {};
  for (const operation of ['signIn', 'acceptInvitation', 'confirmPassword']) {
    secrets[operation] = [];
    for (let n = 0; n < each; n++)
      secrets[operation].push((await sessionOfUser(sql, organizationId, userId)).secret);
  }
  return secrets;
}

/** The secret of the session of a user who may do all that the portal offers, and has the password of all. */
export async function signIn(sql: Sql, organizationId: string): Promise<{ userId: string; secret: string }> {
  const permissions: UserCreate['permissions'] = ['COMPANY_ADMIN', 'IT', 'HR'];
  const { user, secret } = await signedInUser(sql, organizationId, { permissions, hrTenants: null });
  const hash = await hashPassword(password, 'fuzz');
  await sql`
    UPDATE portal_user SET password_hash = ${hash} WHERE organization_id = ${organizationId} AND id = ${user.id}`;
  return { userId: user.id, secret };
}
