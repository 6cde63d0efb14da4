import { ApiError, type Identity, type OpenIdAnswer } from '@kontor/contract';
import { RejectedError } from '../../../auth/rejection.ts';
import type { WriteCall } from '../../../write/writes.ts';
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
import { readIdentity, sessionEnded, type SessionRef } from '../sessions/store.ts';
import { findOwnerOfEmail } from '../store.ts';
import { clockSkew, type OpenIdClient, type ProvenIdentity } from './client.ts';
import { linkIdentity, findOwnerOfIdentity } from './store.ts';

const notKnown =
  'This identity belongs to no user: connect it at My account after another way to sign in, or ask an administrator';

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

type Purpose = 'openid.sign_in' | 'openid.confirm' | 'openid.link';

/**
 * Begins a sign-in at the issuer, which prompts for a confirmation.
 * @throws ApiError INVALID_STATE_TRANSITION, RATE_LIMIT_EXCEEDED, BAD_GATEWAY, GATEWAY_TIMEOUT
 */
export async function beginOpenId(
  parts: SignInParts,
  purpose: Purpose,
  owner: ChallengeOwner,
  address: string,
): Promise<BegunAtIssuer> {
  const client = requireClient(parts);
  const secret = await beginChallenge(parts, purpose, owner, address);
  return { secret, location: await client.addressFor(secret, purpose === 'openid.confirm') };
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
export async function signInAtIssuer(
  parts: SignInParts,
  returned: Returned,
  visitor: Visitor,
): Promise<SignedIn> {
  const { identity } = await redeem(parts, 'openid.sign_in', anonymousOwner, returned, visitor.address);
  const { organizationId, userId } = (identity && (await findOwner(parts, identity))) ?? unknownUser;
  const found = await findCredentials(parts.reads, organizationId, userId);
  if (identity === null || !mayUse(found, identity)) throw rejected(organizationId, found, identity);
  return beginSession(
    parts,
    organizationId,
    found,
    visitor,
    async (write, present, session) => {
      const isLinked = present?.identityKey === identity.key;
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
  purpose: Purpose,
  owner: ChallengeOwner,
  { answer, secret = '' }: Returned,
  address: string,
): Promise<{ identity: ProvenIdentity | null; begunAt: Date }> {
  const client = requireClient(parts);
  if (!client.belongs(answer, secret))
    throw new ApiError(
      'CHALLENGE_EXPIRED',
      'The sign-in began in another browser or took too long; start again',
    );
  const lookUp = parts.lookups.from(address);
  const begunAt = await lookUp(() => useChallenge(parts, purpose, owner, secret));
  const prompted = purpose === 'openid.confirm';
  return { identity: await client.identityIn(answer, secret, { begunAt, prompted }), begunAt };
}

/** Finds the user of an identity, or the user with its email. */
async function findOwner({ reads }: SignInParts, { key, stated }: ProvenIdentity): Promise<UserRef | null> {
  return (
    (await findOwnerOfIdentity(reads, key)) ??
    ('email' in stated ? findOwnerOfEmail(reads, stated.email) : null)
  );
}

/** The email identifies only an invited user. Any other user signs in in another way and connects the identity. */
function mayUse(found: Credentials | null, { key }: ProvenIdentity): found is Credentials {
  return found !== null && found.isActive && (found.isInvited || found.identityKey === key);
}

/** The log names the claim that keeps an unknown identity from a user. */
function rejected(
  organizationId: string,
  found: Credentials | null,
  identity: ProvenIdentity | null,
): RejectedError {
  if (found !== null || identity === null || !('claim' in identity.stated))
    return signInFailed(organizationId, found, notKnown);
  return new RejectedError('SIGN_IN_FAILED', notKnown, { reason: 'unknown', claim: identity.stated.claim });
}

/** Connects the identity to the signed-in user, in place of another one. @throws ApiError as {@link confirmAtIssuer} */
export async function linkToIssuer(
  parts: SignInParts,
  call: WriteCall,
  current: SessionRef,
  returned: Returned,
): Promise<Identity> {
  const { organizationId, userId } = current;
  const { identity } = await redeem(parts, 'openid.link', current, returned, call.address ?? '');
  return parts.writes.runWithoutClock(call, async (write, session) => {
    const present = (await lockCredentials(session, organizationId, userId)) ?? sessionEnded();
    if (identity === null || !(await linkIdentity(write, session, userId, identity)))
      throw signInFailed(
        organizationId,
        present,
        'The issuer rejected the sign-in, or its identity belongs to another user',
      );
    return readIdentity(session, current);
  });
}

/** Requires a sign-in at the issuer after the confirmation began. @throws ApiError as {@link signInAtIssuer}, and INVALID_SESSION */
export async function confirmAtIssuer(
  parts: SignInParts,
  call: WriteCall,
  current: SessionRef,
  returned: Returned,
): Promise<SignedIn> {
  const { organizationId, userId } = current;
  const { identity, begunAt } = await redeem(parts, 'openid.confirm', current, returned, call.address ?? '');
  const isNew =
    identity?.authenticatedAt && identity.authenticatedAt.getTime() >= begunAt.getTime() - clockSkew * 1000;
  const found = await findCredentials(parts.reads, organizationId, userId);
  if (!isNew || found?.identityKey !== identity.key) throw signInFailed(organizationId, found, notKnown);
  return parts.writes.recordAccess(call, async (write, session) => {
    const present = await lockCredentials(session, organizationId, userId);
    if (present?.identityKey !== identity.key) throw signInFailed(organizationId, present, notKnown);
    write.audit({ id: userId, action: 'openid.confirm' });
    return renewSession(write, session, parts.pepper, current, 'openid');
  });
}
