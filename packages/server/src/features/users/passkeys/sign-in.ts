import { ApiError, type PasskeyRequest, type PasskeyUse } from '@kontor/contract';
import type { Queryable } from '../../../db/session.ts';
import type { Write, WriteCall } from '../../../write/writes.ts';
import type { UserRef } from '../rules.ts';
import { anonymousOwner, beginChallenge, useChallenge } from '../sessions/challenges.ts';
import { type Credentials, findCredentials, lockCredentials } from '../sessions/credentials.ts';
import { type Browser, type Claim, limitFailures } from '../sessions/login-throttle.ts';
import {
  beginSession,
  unknownUser,
  renewSession,
  type SignedIn,
  signInFailed,
  type SignInParts,
  type Visitor,
} from '../sessions/sign-in.ts';
import type { SessionRef } from '../sessions/store.ts';
import { findStoredPasskeys, recordPasskeyUse } from './store.ts';
import {
  challengeIn,
  handleOf,
  isNewer,
  requestOptions,
  type RelyingParty,
  userOfHandle,
  type VerifiedUse,
  verifyUse,
} from './webauthn.ts';

const notKnown = 'The passkey is not known here; sign in another way';

/** Options without a list of passkeys; the user chooses one. @throws ApiError INVALID_STATE_TRANSITION, RATE_LIMIT_EXCEEDED */
export async function beginSignIn(parts: SignInParts, address: string): Promise<PasskeyRequest> {
  const party = requireParty(parts);
  return requestOptions(party, await beginChallenge(parts, 'passkey.sign_in', anonymousOwner, address));
}

/** @throws ApiError INVALID_STATE_TRANSITION when the service's address does not support passkeys */
export function requireParty({ relyingParty }: SignInParts): RelyingParty {
  const party = relyingParty();
  if (party) return party;
  throw new ApiError(
    'INVALID_STATE_TRANSITION',
    'Passkeys need a public address with a domain and HTTPS (KONTOR_PUBLIC_URL); this service has none',
  );
}

/**
 * Begins a session. An unknown user or passkey, an inactive user and a wrong signature get the same response.
 * @throws ApiError SIGN_IN_FAILED, CHALLENGE_EXPIRED, RATE_LIMIT_EXCEEDED
 */
export async function finishSignIn(parts: SignInParts, use: PasskeyUse, visitor: Visitor): Promise<SignedIn> {
  const challenge = challengeIn(use.clientDataJSON);
  const lookUp = parts.lookups.from(visitor.address);
  await lookUp(() => useChallenge(parts, 'passkey.sign_in', anonymousOwner, challenge));
  const owner = userOfHandle(use.userHandle) ?? unknownUser;
  const { organizationId } = owner;
  const found = await findCredentials(parts.reads, organizationId, owner.userId);
  const claim = claimOf(use.userHandle ?? '', found?.email ?? null);
  return limitFailures(parts, claim, visitor, async () => {
    const verified = await verify(parts, owner, challenge!, use);
    if (!found?.isActive || verified === null) throw signInFailed(organizationId, found, notKnown);
    const check = async (write: Write, present: Credentials | null, session: Queryable) => {
      const [passkey] = await findStoredPasskeys(session, owner, use.credentialId);
      if (!present?.isActive || !isNewer(verified, passkey))
        throw signInFailed(organizationId, present, notKnown);
      recordPasskeyUse(write, verified, 'passkey.sign_in');
    };
    return beginSession(parts, organizationId, found, visitor, check, { method: 'passkey' });
  });
}

function claimOf(handle: string, email: string | null): Claim {
  return { by: 'passkey', account: handle, email };
}

async function verify(
  parts: SignInParts,
  owner: UserRef,
  challenge: string,
  use: PasskeyUse,
): Promise<VerifiedUse | null> {
  const party = parts.relyingParty();
  const [passkey] = await findStoredPasskeys(parts.reads, owner, use.credentialId);
  return party && passkey ? verifyUse(party, challenge, use, passkey) : null;
}

/** Options with the passkeys of the signed-in user. @throws as {@link beginSignIn} */
export async function beginConfirmation(
  parts: SignInParts,
  current: SessionRef,
  address: string,
): Promise<PasskeyRequest> {
  const party = requireParty(parts);
  const passkeys = await findStoredPasskeys(parts.reads, current);
  if (passkeys.length === 0)
    throw new ApiError('INVALID_STATE_TRANSITION', 'The user has no passkey; confirm with the password');
  return requestOptions(party, await beginChallenge(parts, 'passkey.confirm', current, address), passkeys);
}

/** Renews a session's sign-in. @throws ApiError SIGN_IN_FAILED, CHALLENGE_EXPIRED, RATE_LIMIT_EXCEEDED, INVALID_SESSION */
export async function finishConfirmation(
  parts: SignInParts,
  call: WriteCall,
  { current, browser }: { current: SessionRef; browser: Browser },
  use: PasskeyUse,
): Promise<SignedIn> {
  const { organizationId, userId } = current;
  const challenge = challengeIn(use.clientDataJSON);
  await useChallenge(parts, 'passkey.confirm', current, challenge);
  const found = await findCredentials(parts.reads, organizationId, userId);
  const claim = claimOf(handleOf(current), found?.email ?? null);
  return limitFailures(parts, claim, browser, async () => {
    const verified = await verify(parts, current, challenge!, use);
    if (verified === null) throw signInFailed(organizationId, found, notKnown);
    return parts.writes.recordAccess(call, async (write, session) => {
      const present = await lockCredentials(session, organizationId, userId);
      const [passkey] = await findStoredPasskeys(session, current, use.credentialId);
      if (!isNewer(verified, passkey)) throw signInFailed(organizationId, present, notKnown);
      recordPasskeyUse(write, verified, 'passkey.confirm');
      return renewSession(write, session, parts.pepper, current, 'passkey');
    });
  });
}
