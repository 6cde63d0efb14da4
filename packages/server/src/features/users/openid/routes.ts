import {
  ApiError,
  beginOpenIdConfirmation,
  beginOpenIdLink,
  beginOpenIdSignIn,
  confirmWithOpenId,
  linkOpenId,
  signInWithOpenId,
  unlinkOpenId,
} from '@kontor/contract';
import { implement } from '../../../http/implement.ts';
import { type Call, type OkAnswer, ok, type Route } from '../../../http/route.ts';

import { anonymousOwner, challengeLife } from '../sessions/challenges.ts';
import { openIdCookie, openIdCookieName } from '../sessions/cookies.ts';
import { lockCredentials } from '../sessions/credentials.ts';
import { sessionOfCall, answerSignIn } from '../sessions/routes.ts';
import type { SignInParts } from '../sessions/sign-in.ts';
import { readIdentity } from '../sessions/store.ts';
import { beginOpenId, type BegunAtIssuer, confirmAtIssuer, linkToIssuer, signInAtIssuer } from './sign-in.ts';
import { unlinkIdentity } from './store.ts';

export function openIdRoutes(parts: SignInParts): Route[] {
  return [
    implement(beginOpenIdSignIn, async call =>
      answerBegun(await beginOpenId(parts, 'openid.sign_in', anonymousOwner, call.address)),
    ),
    implement(signInWithOpenId, async call => {
      const returned = { answer: call.body, secret: call.cookieOf(openIdCookieName) };
      return answerSignIn(parts, call, await signInAtIssuer(parts, returned, call));
    }),
    implement(beginOpenIdConfirmation, async call =>
      answerBegun(await beginOpenId(parts, 'openid.confirm', sessionOfCall(call), call.address)),
    ),
    implement(confirmWithOpenId, async call => {
      const returned = { answer: call.body, secret: call.cookieOf(openIdCookieName) };
      const confirmed = await confirmAtIssuer(parts, call, sessionOfCall(call), returned);
      return answerSignIn(parts, call, confirmed);
    }),
    implement(beginOpenIdLink, async call =>
      answerBegun(await beginOpenId(parts, 'openid.link', sessionOfCall(call), call.address)),
    ),
    implement(linkOpenId, async call => {
      const returned = { answer: call.body, secret: call.cookieOf(openIdCookieName) };
      return ok(JSON.stringify(await linkToIssuer(parts, call, sessionOfCall(call), returned)));
    }),
    implement(unlinkOpenId, call => unlink(parts, call)),
  ];
}

function answerBegun({ location, secret }: BegunAtIssuer): OkAnswer {
  return { ...ok(JSON.stringify({ location })), headers: openIdCookie(secret, challengeLife.openid) };
}

/** @throws ApiError INVALID_STATE_TRANSITION for a user without an identity */
async function unlink({ writes }: SignInParts, call: Call): Promise<OkAnswer> {
  const current = sessionOfCall(call);
  const identity = await writes.runWithoutClock(call, async (write, session) => {
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
