import {
  acceptInvitation,
  ApiError,
  changePassword,
  confirmPassword,
  endOtherSessions,
  endSession,
  getSession,
  getSignInMethods,
  listSessions,
  passwordResetMinutes,
  requestPasswordReset,
  signIn,
  type SignInMethods,
  signOut,
  unprocessable,
} from '@kontor/contract';
import { checkFreshness } from '../../../auth/caller.ts';
import { type CallOf, implement } from '../../../http/implement.ts';
import { type Call, type OkAnswer, ok, type Route } from '../../../http/route.ts';
import { networkOf } from '../../../lib/network.ts';
import { pageOfRows } from '../../../query/rows.ts';

import { hashPassword } from '../passwords/hash.ts';
import type { PasswordResets } from '../passwords/resets.ts';
import { checkPassword, checkPasswordLength } from '../passwords/strength.ts';
import { deviceCookie, deviceCookieName, endedCookie, sessionCookie } from './cookies.ts';
import { findCredentials, lockCredentials, updatePassword } from './credentials.ts';
import type { Browser } from './login-throttle.ts';
import {
  useInvitation,
  checkCurrentPassword,
  renewSession,
  signInByPassword,
  type SignedIn,
  type SignInParts,
} from './sign-in.ts';
import {
  deleteSession,
  deleteSessions,
  findOwnSession,
  findOtherSessionIds,
  readIdentity,
  sessionEnded,
  sessionList,
  type SessionRef,
  sessionRows,
} from './store.ts';

export function sessionRoutes(parts: SignInParts): Route[] {
  const { reads } = parts;
  return [
    implement(getSignInMethods, async () => ok(JSON.stringify(signInMethods(parts)))),
    implement(signIn, async call =>
      answerSignIn(parts, call, await signInByPassword(parts, call.body, call)),
    ),
    implement(acceptInvitation, async call =>
      answerSignIn(parts, call, await useInvitation(parts, call.body, call)),
    ),
    implement(getSession, async call => ok(JSON.stringify(await readIdentity(reads, sessionOfCall(call))))),
    implement(signOut, async call => ({
      ...(await end(parts, call, sessionOfCall(call).sessionId)),
      headers: { 'Set-Cookie': endedCookie },
    })),
    implement(confirmPassword, call => confirm(parts, call)),
    implement(changePassword, call => replacePassword(parts, call)),
    implement(listSessions, async call =>
      ok(await pageOfRows(sessionList, sessionRows(sessionOfCall(call)), call, reads)),
    ),
    implement(endSession, call => end(parts, call, call.parameters.id)),
    implement(endOtherSessions, call => endOthers(parts, call)),
  ];
}

/** `resets` is null without a mail server. */
export function passwordResetRoutes(resets: PasswordResets | null): Route[] {
  return [
    implement(requestPasswordReset, async call => {
      if (resets === null)
        throw new ApiError(
          'INVALID_STATE_TRANSITION',
          'No mail server is set; ask an administrator for a link',
        );
      await resets.request(call.body.email, call);
      return ok(JSON.stringify({ minutes: passwordResetMinutes }));
    }),
  ];
}

function signInMethods({ relyingParty, openId, byMail }: SignInParts): SignInMethods {
  return {
    passkeyOrigin: relyingParty()?.origin ?? null,
    openIdName: openId?.name ?? null,
    passwordReset: byMail,
  };
}

/** The response to every sign-in and confirmation. It marks the browser as known for the user. */
export function answerSignIn(
  { pepper }: Pick<SignInParts, 'pepper'>,
  { cookieOf }: Browser,
  { identity, secret }: SignedIn,
): OkAnswer {
  const device = deviceCookie(pepper, cookieOf(deviceCookieName), identity.user.email);
  return { ...ok(JSON.stringify(identity)), headers: { 'Set-Cookie': [sessionCookie(secret), device] } };
}

export function sessionOfCall({ caller, scope }: Pick<Call, 'caller' | 'scope'>): SessionRef {
  return {
    organizationId: scope.organizationId,
    userId: caller.actor.id,
    sessionId: caller.session!.id,
  };
}

/** @throws ApiError NOT_FOUND */
async function end({ reads, writes }: SignInParts, call: Call, id: string): Promise<OkAnswer> {
  const session = await findOwnSession(reads, sessionOfCall(call), id);
  if (!session) throw new ApiError('NOT_FOUND', 'You have no session with this id');
  await writes.recordAccess(call, write => deleteSession(write, id));
  return ok(JSON.stringify(session));
}

/** Ends all sessions of the caller except the current one. @throws ApiError INVALID_SESSION when that one has ended meanwhile */
async function endOthers({ writes }: SignInParts, call: Call): Promise<OkAnswer> {
  const current = sessionOfCall(call);
  const session = await writes.recordAccess(call, async (write, db) => {
    // A sign-in takes the same lock, so no other session begins during this transaction.
    await lockCredentials(db, current.organizationId, current.userId);
    for (const id of await findOtherSessionIds(db, current)) deleteSession(write, id);
    return findOwnSession(db, current);
  });
  return ok(JSON.stringify(session ?? sessionEnded()));
}

async function confirm(parts: SignInParts, call: CallOf<typeof confirmPassword>): Promise<OkAnswer> {
  const current = sessionOfCall(call);
  await checkCurrentPassword(parts, current, call.body.password, call);
  const confirmed = await parts.writes.recordAccess(call, (write, session) =>
    renewSession(write, session, parts.pepper, current, 'password'),
  );
  return answerSignIn(parts, call, confirmed);
}

/** Also ends all other sessions of the user. */
async function replacePassword(parts: SignInParts, call: CallOf<typeof changePassword>): Promise<OkAnswer> {
  const current = sessionOfCall(call);
  const { organizationId, userId, sessionId } = current;
  const { password, currentPassword } = call.body;
  const found = (await findCredentials(parts.reads, organizationId, userId)) ?? sessionEnded();
  await checkPasswordLength(parts.reads, organizationId, password);
  checkPassword(password, found);
  if (found.passwordHash === null) checkFreshness(call.caller);
  else if (currentPassword === undefined)
    throw unprocessable('currentPassword is missing; send the current password with the new one');
  else await checkCurrentPassword(parts, current, currentPassword, call);
  const hash = await hashPassword(password, networkOf(call.address));
  const changed = await parts.writes.runWithoutClock(call, async (write, session) => {
    await lockCredentials(session, organizationId, userId);
    updatePassword(write, userId, hash);
    deleteSessions(write, userId, sessionId);
    return readIdentity(session, current);
  });
  return ok(JSON.stringify(changed));
}
