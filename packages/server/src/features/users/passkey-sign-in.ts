import { ApiError, type PasskeyRequest, type PasskeyUse } from '@kontor/contract';
import { noOrganization } from '../../auth/caller.ts';
import type { WriteRequest } from '../../write/writes.ts';
import { countBeginning } from './attempts.ts';
import { newChallenge, stranger, takeChallenge } from './challenges.ts';
import { findCredentials, lockCredentials } from './credentials-store.ts';
import { type Browser, type Claim, limitFailures } from './login-throttle.ts';
import { handleOf, ownerIn, type PasskeyOwner } from './passkey-handle.ts';
import { notePasskeyUse, storedPasskeys } from './passkey-store.ts';
import { challengeIn, isNewer, optionsOfUse, trueUse, type TrueUse } from './passkeys.ts';
import type { RelyingParty } from './relying-party.ts';
import type { SessionOfUser } from './session-store.ts';
import {
  beginSession,
  renewSession,
  type SignedIn,
  signInFailed,
  type SignInParts,
  type Visitor,
} from './sign-in.ts';

const notKnown = 'The passkey lets nobody in here; sign in in another way';

/** What a browser needs to let somebody choose a passkey. @throws ApiError INVALID_STATE_TRANSITION, RATE_LIMIT_EXCEEDED. */
export async function beginPasskeySignIn(parts: SignInParts, address: string): Promise<PasskeyRequest> {
  const party = partyOf(parts);
  await countBeginning(parts, '', address);
  return optionsOfUse(party, await newChallenge(parts.challenges, 'passkey.sign_in', stranger));
}

/** @throws ApiError INVALID_STATE_TRANSITION where passkeys do not work at the address of the service. */
export function partyOf({ relyingParty }: SignInParts): RelyingParty {
  const party = relyingParty();
  if (party) return party;
  throw new ApiError(
    'INVALID_STATE_TRANSITION',
    'Passkeys need a public address with a domain and HTTPS (KONTOR_PUBLIC_URL), which this service has not',
  );
}

/**
 * Begins a session for whom a passkey belongs to. Whether the user or the passkey is unknown, the user cannot sign in or the use is not
 * true, it answers the same.
 * @throws ApiError SIGN_IN_FAILED, CHALLENGE_EXPIRED, RATE_LIMIT_EXCEEDED
 */
export async function signInWithPasskey(
  parts: SignInParts,
  used: PasskeyUse,
  visitor: Visitor,
): Promise<SignedIn> {
  const challenge = challengeIn(used.clientDataJSON);
  const lookUp = parts.lookups.from(visitor.address);
  await lookUp(() => takeChallenge(parts.challenges, 'passkey.sign_in', stranger, challenge));
  const owner = ownerIn(used.userHandle) ?? { organizationId: noOrganization, userId: '' };
  const found = await findCredentials(parts.reads, owner.organizationId, owner.userId);
  const claim = passkeyOf(used.userHandle ?? '', found?.email ?? null);
  return limitFailures(parts, claim, visitor, async () => {
    const use = await useOf(parts, owner, challenge!, used);
    if (!found?.isActive || use === null) throw signInFailed(owner.organizationId, found, notKnown);
    return beginSession(parts, owner.organizationId, found, visitor, async (turn, present, session) => {
      const [passkey] = await storedPasskeys(session, owner, used.credentialId);
      if (!present?.isActive || !isNewer(use, passkey))
        throw signInFailed(owner.organizationId, present, notKnown);
      notePasskeyUse(turn, use, 'passkey.sign_in');
    });
  });
}

function passkeyOf(handle: string, email: string | null): Claim {
  return { by: 'passkey', account: handle, email };
}

/** The use, if it is a true one of a passkey of this user; null otherwise. */
async function useOf(
  parts: SignInParts,
  owner: PasskeyOwner,
  challenge: string,
  used: PasskeyUse,
): Promise<TrueUse | null> {
  const party = parts.relyingParty();
  const [passkey] = await storedPasskeys(parts.reads, owner, used.credentialId);
  return party && trueUse(party, challenge, used, passkey ?? null);
}

/** What a browser needs to have a passkey of a user who is signed in used. @throws as {@link beginPasskeySignIn}. */
export async function beginPasskeyConfirmation(
  parts: SignInParts,
  whose: SessionOfUser,
  address: string,
): Promise<PasskeyRequest> {
  const party = partyOf(parts);
  await countBeginning(parts, whose.sessionId, address);
  const passkeys = await storedPasskeys(parts.reads, whose);
  if (passkeys.length === 0)
    throw new ApiError('INVALID_STATE_TRANSITION', 'The user has no passkey; confirm with the password');
  return optionsOfUse(party, await newChallenge(parts.challenges, 'passkey.confirm', whose), passkeys);
}

/**
 * Makes the sign-in of a session fresh again, if a passkey of its user was used. Answers null where the session has ended meanwhile.
 * @throws ApiError SIGN_IN_FAILED, CHALLENGE_EXPIRED, RATE_LIMIT_EXCEEDED
 */
export async function confirmWithPasskey(
  parts: SignInParts,
  request: WriteRequest,
  { whose, browser }: { whose: SessionOfUser; browser: Browser },
  used: PasskeyUse,
): Promise<SignedIn | null> {
  const challenge = challengeIn(used.clientDataJSON);
  await takeChallenge(parts.challenges, 'passkey.confirm', whose, challenge);
  const found = await findCredentials(parts.reads, whose.organizationId, whose.userId);
  const claim = passkeyOf(handleOf(whose), found?.email ?? null);
  return limitFailures(parts, claim, browser, async () => {
    const use = await useOf(parts, whose, challenge!, used);
    if (use === null) throw signInFailed(whose.organizationId, found, notKnown);
    return parts.writes.runUnordered(request, async (turn, session) => {
      const present = await lockCredentials(session, whose.organizationId, whose.userId);
      const [passkey] = await storedPasskeys(session, whose, used.credentialId);
      if (!isNewer(use, passkey)) throw signInFailed(whose.organizationId, present, notKnown);
      notePasskeyUse(turn, use, 'passkey.confirm');
      return renewSession(turn, session, parts.pepper, whose);
    });
  });
}
