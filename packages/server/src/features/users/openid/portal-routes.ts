import { ApiError } from '@kontor/contract';
import type { HandlersOf } from '../../../http/handlers.ts';
import { type Call, type OkAnswer, ok } from '../../../http/route.ts';
import { requestOf } from '../../../write/writes.ts';
import { challengeLife, stranger } from '../sessions/challenges.ts';
import { openIdCookie, openIdCookieName } from '../sessions/cookies.ts';
import { lockCredentials } from '../sessions/credentials.ts';
import { forgetIdentity } from './store.ts';
import { beginOpenId, type BegunAtIssuer, confirmWithOpenId, signInWithOpenId } from './sign-in.ts';
import { readIdentity } from '../sessions/store.ts';
import { signedIn, whoseOf } from '../sessions/portal-routes.ts';
import { sessionEnded } from '../sessions/authenticator.ts';
import type { SignInParts } from '../sessions/sign-in.ts';

/** The operations of OpenID Connect, which are the portal's. */
export function openIdHandlers(parts: SignInParts): HandlersOf<'portal', 'OpenID Connect'> {
  return {
    beginOpenIdSignIn: async call => begun(await beginOpenId(parts, stranger, call.address)),
    async signInWithOpenId(call) {
      const returned = { answer: call.body, secret: call.cookieOf(openIdCookieName) };
      return signedIn(parts, call, await signInWithOpenId(parts, returned, call));
    },
    beginOpenIdConfirmation: async call => begun(await beginOpenId(parts, whoseOf(call), call.address)),
    async confirmWithOpenId(call) {
      const returned = { answer: call.body, secret: call.cookieOf(openIdCookieName) };
      const confirmed = await confirmWithOpenId(parts, requestOf(call), whoseOf(call), returned);
      return signedIn(parts, call, confirmed ?? sessionEnded());
    },
    unlinkOpenId: call => unlink(parts, call),
  };
}

function begun({ location, secret }: BegunAtIssuer): OkAnswer {
  return { ...ok(JSON.stringify({ location })), headers: openIdCookie(secret, challengeLife.openid) };
}

/** @throws ApiError INVALID_STATE_TRANSITION where there is nothing to forget. */
async function unlink({ writes }: SignInParts, call: Call): Promise<OkAnswer> {
  const whose = whoseOf(call);
  const identity = await writes.beside(requestOf(call), async (turn, session) => {
    const present = await lockCredentials(session, whose.organizationId, whose.userId);
    if (!present?.identity)
      throw new ApiError('INVALID_STATE_TRANSITION', 'The user has not signed in at the issuer yet');
    forgetIdentity(turn, whose.userId);
    turn.audit({ id: whose.userId, action: 'openid.unlink' });
    return readIdentity(session, whose);
  });
  return ok(JSON.stringify(identity ?? sessionEnded()));
}
