import { ApiError, apis, type Identity, portalSessionFields, type SignInWays } from '@kontor/contract';
import { defineRows, pageOfRows } from '../../collection/rows.ts';
import type { Queryable } from '../../database/session.ts';
import type { CallOf, HandlersOf } from '../../http/handlers.ts';
import { type Call, type OkAnswer, ok } from '../../http/route.ts';
import { requestOf } from '../../writes/writes.ts';
import { endedCookie, sessionCookie } from './cookie.ts';
import { findCredentials } from './credentials-store.ts';
import { checkPassword } from './new-password.ts';
import { hashPassword } from './passwords.ts';
import {
  deleteSession,
  findOwnSession,
  freshenSession,
  readIdentity,
  type SessionOfUser,
  sessionRows,
  shownSession,
} from './session-store.ts';
import {
  acceptInvitation,
  changePassword,
  checkPresentPassword,
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
    signIn: async call => signedIn(await signIn(parts, call.body, call)),
    acceptInvitation: async call => signedIn(await acceptInvitation(parts, call.body, call)),
    getSession: async call => ok(JSON.stringify(await identity(reads, whoseOf(call)))),
    signOut: async call => ({ ...(await end(parts, call, whoseOf(call).sessionId)), headers: endedCookie }),
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
  };
}

function waysOf({ relyingParty, openId, byMail }: SignInParts): SignInWays {
  return {
    passkeyOrigin: relyingParty()?.origin ?? null,
    openIdName: openId?.name ?? null,
    passwordReset: byMail,
  };
}

/** The answer to who has signed in. */
export function signedIn({ identity, secret }: SignedIn): OkAnswer {
  return { ...ok(JSON.stringify(identity)), headers: sessionCookie(secret) };
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

/** The session has ended while something was done for it. @throws ApiError INVALID_SESSION. */
export function sessionEnded(): never {
  const { code, message } = apis.portal.credential.refusal;
  throw new ApiError(code, message);
}

/** Ends a session of the caller. @throws ApiError NOT_FOUND. */
async function end({ reads, writes }: SignInParts, call: Call, id: string): Promise<OkAnswer> {
  const session = await findOwnSession(reads, whoseOf(call), id);
  if (!session) throw new ApiError('NOT_FOUND', 'No session with this id is one of yours');
  await writes.beside(requestOf(call), turn => deleteSession(turn, id));
  return ok(JSON.stringify(session));
}

async function confirm(parts: SignInParts, call: CallOf<'confirmPassword'>): Promise<OkAnswer> {
  const whose = whoseOf(call);
  await checkPresentPassword(parts, { ...whose, ...call.body }, call.address);
  const confirmed = await parts.writes.beside(requestOf(call), (turn, session) => {
    freshenSession(turn, whose.sessionId);
    return identity(session, whose);
  });
  return ok(JSON.stringify(confirmed));
}

async function change({ reads, writes }: SignInParts, call: CallOf<'changePassword'>): Promise<OkAnswer> {
  const whose = whoseOf(call);
  const { password } = call.body;
  const found = await findCredentials(reads, whose.organizationId, whose.userId);
  checkPassword(password, found ?? sessionEnded());
  const hash = await hashPassword(password);
  const changed = await writes.beside(requestOf(call), async (turn, session) => {
    await changePassword(turn, session, { ...whose, hash });
    return identity(session, whose);
  });
  return ok(JSON.stringify(changed));
}
