import { ApiError, type OpenIdAnswer } from '@kontor/contract';
import type { WriteRequest } from '../../../write/writes.ts';
import type { UserRef } from '../rules.ts';
import { anonymousOwner, beginChallenge, type ChallengeOwner, useChallenge } from '../sessions/challenges.ts';
import { type Credentials, findCredentials, lockCredentials } from '../sessions/credentials.ts';
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
import { findOwnerOfEmail } from '../store.ts';
import { clockSkew, type OpenIdClient, type ProvenIdentity } from './client.ts';
import { linkIdentity, findOwnerOfIdentity } from './store.ts';

const notKnown = 'This identity belongs to no user; ask an administrator of the portal';

/** @throws ApiError INVALID_STATE_TRANSITION without an issuer */
function requireClient({ openId }: SignInParts): OpenIdClient {
  if (openId) return openId;
  throw new ApiError('INVALID_STATE_TRANSITION', 'This service has no issuer; sign in in another way');
}

/** The authorization URL, and the secret for the browser's cookie. */
export interface BegunAtIssuer {
  readonly location: string;
  readonly secret: string;
}

/**
 * Begins a sign-in at the issuer. A session owner begins a confirmation, for which the issuer prompts.
 * @throws ApiError INVALID_STATE_TRANSITION, RATE_LIMIT_EXCEEDED, BAD_GATEWAY, GATEWAY_TIMEOUT
 */
export async function beginOpenId(
  parts: SignInParts,
  owner: ChallengeOwner,
  address: string,
): Promise<BegunAtIssuer> {
  const client = requireClient(parts);
  const confirms = owner !== anonymousOwner;
  const purpose = confirms ? 'openid.confirm' : 'openid.sign_in';
  const secret = await beginChallenge(parts, purpose, owner, address);
  return { secret, location: await client.addressFor(secret, confirms) };
}

/** The issuer's answer, and the secret from the browser's cookie. */
export interface Returned {
  readonly answer: OpenIdAnswer;
  readonly secret: string | undefined;
}

/**
 * Begins a session of the identified user. Its freshness comes from `auth_time`: an old sign-in at the issuer confirms nothing.
 * @throws ApiError INVALID_STATE_TRANSITION, SIGN_IN_FAILED, CHALLENGE_EXPIRED, BAD_GATEWAY, GATEWAY_TIMEOUT
 */
export async function signInWithOpenId(
  parts: SignInParts,
  returned: Returned,
  visitor: Visitor,
): Promise<SignedIn> {
  const { identity } = await redeem(parts, anonymousOwner, returned, visitor.address);
  const { organizationId, userId } = (identity && (await findOwner(parts, identity))) ?? unknownUser;
  const found = await findCredentials(parts.reads, organizationId, userId);
  if (identity === null || !mayUse(found, identity)) throw signInFailed(organizationId, found, notKnown);
  return beginSession(
    parts,
    organizationId,
    found,
    visitor,
    async (write, present, session) => {
      const isLinked = present?.identity?.key === identity.key;
      if (
        !mayUse(present, identity) ||
        !(isLinked || (await linkIdentity(write, session, present.userId, identity)))
      )
        throw signInFailed(organizationId, present, notKnown);
      if (isLinked) write.audit({ id: present.userId, action: 'openid.sign_in' });
    },
    { method: 'openid', authenticatedAt: identity.authenticatedAt ?? new Date(0) },
  );
}

/** The identity is null when the issuer rejects the answer. */
async function redeem(
  parts: SignInParts,
  owner: ChallengeOwner,
  { answer, secret = '' }: Returned,
  address: string,
): Promise<{ identity: ProvenIdentity | null; begunAt: Date }> {
  const client = requireClient(parts);
  const confirms = owner !== anonymousOwner;
  if (!client.belongs(answer, secret))
    throw new ApiError(
      'CHALLENGE_EXPIRED',
      'The sign-in began in another browser or took too long; start again',
    );
  const purpose = confirms ? 'openid.confirm' : 'openid.sign_in';
  const lookUp = parts.lookups.from(address);
  const begunAt = await lookUp(() => useChallenge(parts, purpose, owner, secret));
  return { identity: await client.identityIn(answer, secret, { begunAt, prompted: confirms }), begunAt };
}

/** Finds the user of an identity. At the first sign-in the verified email identifies the user. */
async function findOwner({ reads }: SignInParts, { key, email }: ProvenIdentity): Promise<UserRef | null> {
  return (await findOwnerOfIdentity(reads, key)) ?? (email === null ? null : findOwnerOfEmail(reads, email));
}

/** Accepts the linked identity, or the first one from this issuer. A person who later gets the user's email at the issuer is rejected. */
function mayUse(found: Credentials | null, { key, issuer }: ProvenIdentity): found is Credentials {
  if (!found?.isActive) return false;
  const { identity } = found;
  return identity === null || identity.key === key || identity.issuer !== issuer;
}

/** Requires a sign-in at the issuer after the confirmation began. @throws ApiError as {@link signInWithOpenId}, and INVALID_SESSION */
export async function confirmWithOpenId(
  parts: SignInParts,
  request: WriteRequest,
  current: SessionRef,
  returned: Returned,
): Promise<SignedIn> {
  const { organizationId, userId } = current;
  const { identity, begunAt } = await redeem(parts, current, returned, request.author.address ?? '');
  const isNew =
    identity?.authenticatedAt && identity.authenticatedAt.getTime() >= begunAt.getTime() - clockSkew * 1000;
  const found = await findCredentials(parts.reads, organizationId, userId);
  if (!isNew || found?.identity?.key !== identity.key) throw signInFailed(organizationId, found, notKnown);
  return parts.writes.runUnordered(request, async (write, session) => {
    const present = await lockCredentials(session, organizationId, userId);
    if (present?.identity?.key !== identity.key) throw signInFailed(organizationId, present, notKnown);
    write.audit({ id: userId, action: 'openid.confirm' });
    return renewSession(write, session, parts.pepper, current, 'openid');
  });
}
