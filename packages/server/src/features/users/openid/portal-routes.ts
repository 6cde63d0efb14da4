import { ApiError } from '@kontor/contract';
import type { HandlersOf } from '../../../http/handlers.ts';
import { type Call, type OkAnswer, ok } from '../../../http/route.ts';
import { requestOf } from '../../../write/writes.ts';
import { anonymousOwner, challengeLife } from '../sessions/challenges.ts';
import { openIdCookie, openIdCookieName } from '../sessions/cookies.ts';
import { lockCredentials } from '../sessions/credentials.ts';
import { sessionOfCall, answerSignIn } from '../sessions/portal-routes.ts';
import type { SignInParts } from '../sessions/sign-in.ts';
import { readIdentity } from '../sessions/store.ts';
import {
  beginOpenId,
  type BegunAtIssuer,
  confirmWithOpenId,
  linkOpenId,
  signInWithOpenId,
} from './sign-in.ts';
import { unlinkIdentity } from './store.ts';

export function openIdHandlers(parts: SignInParts): HandlersOf<'portal', 'OpenID Connect'> {
  return {
    beginOpenIdSignIn: async call =>
      answerBegun(await beginOpenId(parts, 'openid.sign_in', anonymousOwner, call.address)),
    async signInWithOpenId(call) {
      const returned = { answer: call.body, secret: call.cookieOf(openIdCookieName) };
      return answerSignIn(parts, call, await signInWithOpenId(parts, returned, call));
    },
    beginOpenIdConfirmation: async call =>
      answerBegun(await beginOpenId(parts, 'openid.confirm', sessionOfCall(call), call.address)),
    async confirmWithOpenId(call) {
      const returned = { answer: call.body, secret: call.cookieOf(openIdCookieName) };
      const confirmed = await confirmWithOpenId(parts, requestOf(call), sessionOfCall(call), returned);
      return answerSignIn(parts, call, confirmed);
    },
    beginOpenIdLink: async call =>
      answerBegun(await beginOpenId(parts, 'openid.link', sessionOfCall(call), call.address)),
    async linkOpenId(call) {
      const returned = { answer: call.body, secret: call.cookieOf(openIdCookieName) };
      return ok(JSON.stringify(await linkOpenId(parts, requestOf(call), sessionOfCall(call), returned)));
    },
    unlinkOpenId: call => unlink(parts, call),
  };
}

function answerBegun({ location, secret }: BegunAtIssuer): OkAnswer {
  return { ...ok(JSON.stringify({ location })), headers: openIdCookie(secret, challengeLife.openid) };
}

/** @throws ApiError INVALID_STATE_TRANSITION for a user without an identity */
async function unlink({ writes }: SignInParts, call: Call): Promise<OkAnswer> {
  const current = sessionOfCall(call);
  const identity = await writes.runUnordered(requestOf(call), async (write, session) => {
    const present = await lockCredentials(session, current.organizationId, current.userId);
    if (!present?.identityKey)
      throw new ApiError(
        'INVALID_STATE_TRANSITION',
        'The user is not connected to an identity at the issuer',
      );
    unlinkIdentity(write, current.userId);
    write.audit({ id: current.userId, action: 'openid.unlink' });
    return readIdentity(session, current);
  });
  return ok(JSON.stringify(identity));
}
