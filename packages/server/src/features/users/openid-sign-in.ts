import { ApiError, type OpenIdAnswer } from '@kontor/contract';
import { noOrganization } from '../../auth/caller.ts';
import type { WriteRequest } from '../../write/writes.ts';
import { countBeginning } from './attempts.ts';
import { type Beginner, newChallenge, stranger, takeChallenge } from './challenges.ts';
import { type Credentials, findCredentials, lockCredentials } from './credentials-store.ts';
import { linkIdentity, ownerOfIdentity } from './identity-store.ts';
import { clockSkew, type OpenIdClient, type ShownIdentity } from './openid.ts';
import type { PasskeyOwner } from './passkey-handle.ts';
import type { SessionOfUser } from './session-store.ts';
import {
  beginSession,
  renewSession,
  type SignedIn,
  signInFailed,
  type SignInParts,
  type Visitor,
} from './sign-in.ts';
import { ownerOfEmail } from './store.ts';

const notKnown = 'Whom the issuer has sent is no user here; ask whoever administrates the portal';

/** @throws ApiError INVALID_STATE_TRANSITION where there is no issuer. */
function clientOf({ openId }: SignInParts): OpenIdClient {
  if (openId) return openId;
  throw new ApiError('INVALID_STATE_TRANSITION', 'This service has no issuer; sign in in another way');
}

/** The way to the issuer, with the secret that the browser has to come back with. */
export interface BegunAtIssuer {
  readonly location: string;
  readonly secret: string;
}

/**
 * Begins a sign-in at the issuer; for a session a confirmation, for which the issuer asks the user anew.
 * @throws ApiError INVALID_STATE_TRANSITION, RATE_LIMIT_EXCEEDED, BAD_GATEWAY, GATEWAY_TIMEOUT
 */
export async function beginOpenId(
  parts: SignInParts,
  beginner: Beginner,
  address: string,
): Promise<BegunAtIssuer> {
  const client = clientOf(parts);
  const confirms = beginner !== stranger;
  await countBeginning(parts, beginner.sessionId, address);
  const secret = await newChallenge(
    parts.challenges,
    confirms ? 'openid.confirm' : 'openid.sign_in',
    beginner,
  );
  return { secret, location: await client.addressFor(secret, confirms) };
}

/** What a browser comes back with: the answer of the issuer, and the secret of its cookie. */
export interface Returned {
  readonly answer: OpenIdAnswer;
  readonly secret: string | undefined;
}

/**
 * Begins a session for the user whom the issuer has sent. The sign-in is as fresh as the issuer says, so one that it has let through
 * without a question confirms nothing.
 * @throws ApiError INVALID_STATE_TRANSITION, SIGN_IN_FAILED, CHALLENGE_EXPIRED, BAD_GATEWAY, GATEWAY_TIMEOUT
 */
export async function signInWithOpenId(
  parts: SignInParts,
  returned: Returned,
  visitor: Visitor,
): Promise<SignedIn> {
  const { shown } = await shownBy(parts, stranger, returned, visitor.address);
  const owner = (shown && (await ownerOf(parts, shown))) ?? { organizationId: noOrganization, userId: '' };
  const { organizationId } = owner;
  const found = await findCredentials(parts.reads, organizationId, owner.userId);
  if (shown === null || !mayBe(found, shown)) throw signInFailed(organizationId, found, notKnown);
  return beginSession(
    parts,
    organizationId,
    found,
    visitor,
    async (turn, present, session) => {
      const isLinked = present?.identity?.key === shown.key;
      if (!mayBe(present, shown) || !(isLinked || (await linkIdentity(turn, session, present.userId, shown))))
        throw signInFailed(organizationId, present, notKnown);
      if (isLinked) turn.audit({ id: present.userId, action: 'openid.sign_in' });
    },
    shown.authenticatedAt ?? new Date(0),
  );
}

/** Takes what was begun back, and answers when that was and whom the issuer has sent; null where what it says does not hold. */
async function shownBy(
  parts: SignInParts,
  beginner: Beginner,
  { answer, secret = '' }: Returned,
  address: string,
): Promise<{ shown: ShownIdentity | null; begunAt: Date }> {
  const client = clientOf(parts);
  const confirms = beginner !== stranger;
  if (!client.belongs(answer, secret))
    throw new ApiError('CHALLENGE_EXPIRED', 'This was not begun here, or took too long; begin again');
  const purpose = confirms ? 'openid.confirm' : 'openid.sign_in';
  const lookUp = parts.lookups.from(address);
  const begunAt = await lookUp(() => takeChallenge(parts.challenges, purpose, beginner, secret));
  return { shown: await client.identityIn(answer, secret, { begunAt, anew: confirms }), begunAt };
}

/** Whom somebody from the issuer would be: who has come with the identity before, else who has the e-mail. */
async function ownerOf({ reads }: SignInParts, { key, email }: ShownIdentity): Promise<PasskeyOwner | null> {
  return (await ownerOfIdentity(reads, key)) ?? (email === null ? null : ownerOfEmail(reads, email));
}

/**
 * Whether a user may sign in with an identity: the own one, or the first one of this issuer. So who gets the e-mail of somebody else at the
 * issuer gets nothing here.
 */
function mayBe(found: Credentials | null, { key, issuer }: ShownIdentity): found is Credentials {
  if (!found?.isActive) return false;
  const { identity } = found;
  return identity === null || identity.key === key || identity.issuer !== issuer;
}

/**
 * Makes the sign-in of a session fresh again, if its user has signed in at the issuer since that was begun. Answers null where the session
 * has ended meanwhile.
 * @throws ApiError as {@link signInWithOpenId}
 */
export async function confirmWithOpenId(
  parts: SignInParts,
  request: WriteRequest,
  whose: SessionOfUser,
  returned: Returned,
): Promise<SignedIn | null> {
  const { organizationId, userId } = whose;
  const { shown, begunAt } = await shownBy(parts, whose, returned, request.author.address ?? '');
  const isNew =
    shown?.authenticatedAt && shown.authenticatedAt.getTime() >= begunAt.getTime() - clockSkew * 1000;
  const found = await findCredentials(parts.reads, organizationId, userId);
  if (!isNew || found?.identity?.key !== shown.key) throw signInFailed(organizationId, found, notKnown);
  return parts.writes.runUnordered(request, async (turn, session) => {
    const present = await lockCredentials(session, organizationId, userId);
    if (present?.identity?.key !== shown.key) throw signInFailed(organizationId, present, notKnown);
    turn.audit({ id: userId, action: 'openid.confirm' });
    return renewSession(turn, session, parts.pepper, whose);
  });
}
