import type { InvitedUser, UserCreate } from '@kontor/contract';
import { storeNewUser } from '../../../src/features/users/invitations.ts';
import { insertSession } from '../../../src/features/users/sessions/store.ts';
import { newSessionSecret } from '../../../src/features/users/sessions/authenticator.ts';
import { hashSecret } from '../../../src/auth/secrets.ts';
import { callOf, operator, Writes } from '../../../src/write/writes.ts';
import type { Sql } from '../database/sql.ts';
import { testPepper } from './test-data.ts';

/** Where the links of users lead in tests. */
export const testLinking = { pepper: testPepper, publicUrl: 'https://kontor.example.com', byMail: false };

let users = 0;

/** Makes a user of the organization with the permission IT, or as in `more`, who is invited. */
export function invitedUser(
  sql: Sql,
  organizationId: string,
  more: Partial<UserCreate> = {},
): Promise<InvitedUser> {
  const user: UserCreate = {
    email: `user${++users}@example.com`,
    name: 'Petra Lang',
    language: 'de',
    permissions: ['IT'],
    ...more,
  };
  return new Writes(sql).runWithoutClock(callOf(organizationId, operator), (write, session) =>
    storeNewUser(write, session, testLinking, user),
  );
}

/** Makes a user as {@link invitedUser} does, who has a random password: hashing a real one takes long. */
export async function activeUser(
  sql: Sql,
  organizationId: string,
  more: Partial<UserCreate> = {},
): Promise<InvitedUser> {
  const user = await invitedUser(sql, organizationId, more);
  await sql`UPDATE portal_user SET password_hash = 'x' WHERE organization_id = ${organizationId} AND id = ${user.id}`;
  return user;
}

/** The secret of a link. */
export function secretOf({ link }: Pick<InvitedUser, 'link'>): string {
  return link!.split('#')[1]!;
}

/** A user who is signed in. */
export interface SignedInUser {
  readonly user: InvitedUser;
  /** Of the session, which is the value of its cookie. */
  readonly secret: string;
  readonly sessionId: string;
}

/** Instants of a session. */
export type SessionInstants = Record<'last_seen_at' | 'authenticated_at' | 'expires_at', number>;

/** Makes instants of a session earlier by so many minutes: as if that time had gone by. */
export async function backdateSession(
  sql: Sql,
  id: string,
  minutes: Partial<SessionInstants>,
): Promise<void> {
  const [row] = await sql<Record<keyof SessionInstants, Date>[]>`
    SELECT last_seen_at, authenticated_at, expires_at FROM portal_session WHERE id = ${id}`;
  const earlier = (name: keyof SessionInstants) =>
    new Date(row![name].getTime() - (minutes[name] ?? 0) * 60_000);
  await sql`
    UPDATE portal_session SET last_seen_at = ${earlier('last_seen_at')},
      authenticated_at = ${earlier('authenticated_at')}, expires_at = ${earlier('expires_at')} WHERE id = ${id}`;
}

/** Makes a user as {@link invitedUser} does, who has signed in just now; without a password, which takes long. */
export async function signedInUser(
  sql: Sql,
  organizationId: string,
  more: Partial<UserCreate> = {},
): Promise<SignedInUser> {
  const user = await invitedUser(sql, organizationId, more);
  return { user, ...(await sessionOfUser(sql, organizationId, user.id)) };
}

/** Begins a session of a user, without a password. */
export async function sessionOfUser(
  sql: Sql,
  organizationId: string,
  userId: string,
): Promise<Pick<SignedInUser, 'secret' | 'sessionId'>> {
  const made = newSessionSecret(organizationId);
  const session = {
    id: made.id,
    userId,
    secretHash: hashSecret(made, testPepper),
    address: '192.0.2.1',
    userAgent: 'Test/1.0',
  };
  await new Writes(sql).runWithoutClock(callOf(organizationId, operator), write =>
    insertSession(write, session),
  );
  return { secret: made.text, sessionId: made.id };
}
