import {
  ApiError,
  type Identity,
  portalSessionFields,
  type SignInWays,
  unprocessable,
} from '@kontor/contract';
import { checkFreshness } from '../../auth/caller.ts';
import { defineRows, pageOfRows } from '../../query/rows.ts';
import type { Queryable } from '../../db/session.ts';
import type { CallOf, HandlersOf } from '../../http/handlers.ts';
import { type Call, type OkAnswer, ok } from '../../http/route.ts';
import { networkOf } from '../../http/request/client-address.ts';
import { requestOf } from '../../write/writes.ts';
import { endedCookie, sessionCookie } from './cookie.ts';
import { findCredentials, lockCredentials } from './credentials-store.ts';
import { deviceCookie, deviceCookieName } from './device-cookie.ts';
import type { Browser } from './login-throttle.ts';
import { checkPassword } from './new-password.ts';
import { hashPassword } from './passwords.ts';
import {
  deleteSession,
  findOwnSession,
  otherSessionIds,
  readIdentity,
  type SessionOfUser,
  sessionRows,
  shownSession,
} from './session-store.ts';
import { sessionEnded } from './sessions.ts';
import {
  acceptInvitation,
  changePassword,
  checkPresentPassword,
  renewSession,
  signIn,
  type SignedIn,
  type SignInParts,
} from './sign-in.ts';

const sessionList = defineRows({
  fields: portalSessionFields,
  columns: {
    id: 'folded_id',
    createdAt: 'created_at',
    lastSeenAt: 'last_seen_at',
    expiresAt: 'expires_at',
    address: 'address',
    userAgent: 'folded_user_agent',
    current: 'current',
  },
  item: shownSession,
});

/** The operations of sessions, which are the portal's. */
export function sessionHandlers(parts: SignInParts): HandlersOf<'portal', 'Sessions'> {
  const { reads } = parts;
  return {
    getSignInWays: async () => ok(JSON.stringify(waysOf(parts))),
    signIn: async call => signedIn(parts, call, await signIn(parts, call.body, call)),
    acceptInvitation: async call => signedIn(parts, call, await acceptInvitation(parts, call.body, call)),
    getSession: async call => ok(JSON.stringify(await identity(reads, whoseOf(call)))),
    signOut: async call => ({
      ...(await end(parts, call, whoseOf(call).sessionId)),
      headers: { 'Set-Cookie': endedCookie },
    }),
    confirmPassword: call => confirm(parts, call),
    changePassword: call => change(parts, call),
    async listSessions(call) {
      const { organizationId, userId, sessionId } = whoseOf(call);
      const rows = sessionRows(organizationId, userId, sessionId);
      return ok(
        await pageOfRows(sessionList, rows, call.list, statement => reads.rows(statement, { shared: false })),
      );
    },
    endSession: call => end(parts, call, call.parameters.id),
    endOtherSessions: call => endOthers(parts, call),
  };
}

function waysOf({ relyingParty, openId, byMail }: SignInParts): SignInWays {
  return {
    passkeyOrigin: relyingParty()?.origin ?? null,
    openIdName: openId?.name ?? null,
    passwordReset: byMail,
  };
}

/** The answer to a sign-in, whichever way: from then on the browser is known for this user. */
export function signedIn(
  { pepper }: Pick<SignInParts, 'pepper'>,
  { cookieOf }: Browser,
  { identity, secret }: SignedIn,
): OkAnswer {
  const device = deviceCookie(pepper, cookieOf(deviceCookieName), identity.user.email);
  return { ...ok(JSON.stringify(identity)), headers: { 'Set-Cookie': [sessionCookie(secret), device] } };
}

/** Who calls, with which session. */
export function whoseOf({ caller, scope }: Pick<Call, 'caller' | 'scope'>): SessionOfUser {
  return {
    organizationId: scope.organizationId,
    userId: caller.actor.id,
    sessionId: caller.session!.id,
  };
}

/** Who is signed in. @throws ApiError INVALID_SESSION where the session has ended meanwhile. */
async function identity(db: Queryable, whose: SessionOfUser): Promise<Identity> {
  return (await readIdentity(db, whose)) ?? sessionEnded();
}

/** Ends a session of the caller. @throws ApiError NOT_FOUND. */
async function end({ reads, writes }: SignInParts, call: Call, id: string): Promise<OkAnswer> {
  const session = await findOwnSession(reads, whoseOf(call), id);
  if (!session) throw new ApiError('NOT_FOUND', 'No session with this id is one of yours');
  await writes.runUnordered(requestOf(call), turn => deleteSession(turn, id));
  return ok(JSON.stringify(session));
}

/** Ends all sessions of the caller except the present one. @throws ApiError INVALID_SESSION where that has ended meanwhile. */
async function endOthers({ writes }: SignInParts, call: Call): Promise<OkAnswer> {
  const whose = whoseOf(call);
  const { organizationId, userId, sessionId } = whose;
  const present = await writes.runUnordered(requestOf(call), async (turn, session) => {
    // A sign-in takes the same lock, so every session has begun before or begins after.
    await lockCredentials(session, organizationId, userId);
    for (const id of await otherSessionIds(session, whose)) deleteSession(turn, id);
    return findOwnSession(session, whose, sessionId);
  });
  return ok(JSON.stringify(present ?? sessionEnded()));
}

async function confirm(parts: SignInParts, call: CallOf<'confirmPassword'>): Promise<OkAnswer> {
  const whose = whoseOf(call);
  await checkPresentPassword(parts, { ...whose, ...call.body }, call);
  const confirmed = await parts.writes.runUnordered(requestOf(call), (turn, session) =>
    renewSession(turn, session, parts.pepper, whose),
  );
  return signedIn(parts, call, confirmed ?? sessionEnded());
}

async function change(parts: SignInParts, call: CallOf<'changePassword'>): Promise<OkAnswer> {
  const { reads, writes } = parts;
  const whose = whoseOf(call);
  const { password, currentPassword } = call.body;
  const found = (await findCredentials(reads, whose.organizationId, whose.userId)) ?? sessionEnded();
  checkPassword(password, found);
  if (found.passwordHash === null) checkFreshness(call.caller);
  else if (currentPassword === undefined)
    throw unprocessable(
      'currentPassword is missing; the user has a password, which must be sent with the new one',
    );
  else await checkPresentPassword(parts, { ...whose, password: currentPassword }, call);
  const hash = await hashPassword(password, networkOf(call.address));
  const changed = await writes.runUnordered(requestOf(call), async (turn, session) => {
    await changePassword(turn, session, { ...whose, hash });
    return identity(session, whose);
  });
  return ok(JSON.stringify(changed));
}
