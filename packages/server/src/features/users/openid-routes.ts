import { ApiError } from '@kontor/contract';
import type { HandlersOf } from '../../http/handlers.ts';
import { type Call, type OkAnswer, ok } from '../../http/route.ts';
import { requestOf } from '../../write/writes.ts';
import { challengeLife, stranger } from './challenges.ts';
import { openIdCookie, openIdCookieName } from './cookie.ts';
import { lockCredentials } from './credentials-store.ts';
import { forgetIdentity } from './identity-store.ts';
import { beginOpenId, type BegunAtIssuer, confirmWithOpenId, signInWithOpenId } from './openid-sign-in.ts';
import { readIdentity } from './session-store.ts';
import { signedIn, whoseOf } from './session-routes.ts';
import { sessionEnded } from './sessions.ts';
import type { SignInParts } from './sign-in.ts';

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
  const identity = await writes.runUnordered(requestOf(call), async (turn, session) => {
    const present = await lockCredentials(session, whose.organizationId, whose.userId);
    if (!present?.identity)
      throw new ApiError('INVALID_STATE_TRANSITION', 'The user has not signed in at the issuer yet');
    forgetIdentity(turn, whose.userId);
    turn.audit({ id: whose.userId, action: 'openid.unlink' });
    return readIdentity(session, whose);
  });
  return ok(JSON.stringify(identity ?? sessionEnded()));
}
