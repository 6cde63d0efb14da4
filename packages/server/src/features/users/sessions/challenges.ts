import { createHash, randomBytes } from 'node:crypto';
import { ApiError } from '@kontor/contract';
import { noOrganization } from '../../../auth/caller.ts';
import type { Queryable } from '../../../db/session.ts';
import { sql } from '../../../db/sql.ts';
import type { Counting } from '../../../lib/counting.ts';
import { networkOf } from '../../../lib/network.ts';
import { count } from '../attempts.ts';

/** Lifetimes of challenges in seconds. An issuer may ask its user for more steps than an authenticator does. */
export const challengeLife = { passkey: 300, openid: 600 } as const;

/** Max challenges per session, or per network of clients without a session. */
export const challengeLimit = { attempts: 100, seconds: 900 };

type Purpose = `passkey.${'sign_in' | 'confirm' | 'create'}` | `openid.${'sign_in' | 'confirm' | 'link'}`;

function lifeOf(purpose: Purpose): number {
  return challengeLife[purpose.startsWith('passkey') ? 'passkey' : 'openid'];
}

/** The session that a challenge is bound to. */
export interface ChallengeOwner {
  readonly organizationId: string;
  readonly sessionId: string;
}

/** Owns the challenges of clients without a session. */
export const anonymousOwner: ChallengeOwner = { organizationId: noOrganization, sessionId: '' };

export interface ChallengeParts {
  readonly counting: Counting;
  /** A connection without `write/`: challenges change no other data and are not audited. */
  readonly challenges: Queryable;
}

/** Creates a challenge and stores its hash. Expired challenges of the organization are deleted. @throws ApiError RATE_LIMIT_EXCEEDED */
export async function beginChallenge(
  { counting, challenges }: ChallengeParts,
  purpose: Purpose,
  { organizationId, sessionId }: ChallengeOwner,
  address: string,
): Promise<string> {
  await count(counting, `begun:${sessionId || networkOf(address)}`, challengeLimit);
  const challenge = randomBytes(32).toString('base64url');
  await challenges.run(sql`
    DELETE FROM portal_challenge WHERE organization_id = ${organizationId} AND expires_at <= statement_timestamp()`);
  await challenges.run(sql`
    INSERT INTO portal_challenge (organization_id, hash, purpose, session_id, expires_at)
    VALUES (${organizationId}, ${hashOf(challenge)}, ${purpose}, ${sessionId},
      statement_timestamp() + ${lifeOf(purpose)}::float8 * interval '1 second')`);
  return challenge;
}

/** Deletes a challenge and returns its time of creation. @throws ApiError CHALLENGE_EXPIRED for another owner or purpose, and for null */
export async function useChallenge(
  { challenges }: Pick<ChallengeParts, 'challenges'>,
  purpose: Purpose,
  { organizationId, sessionId }: ChallengeOwner,
  challenge: string | null,
): Promise<Date> {
  // Citus rejects volatile functions in RETURNING, so the condition is in WHERE.
  const [used] = await challenges.rows<{ expires_at: Date }>(sql`
    DELETE FROM portal_challenge WHERE organization_id = ${organizationId} AND hash = ${hashOf(challenge ?? '')}
      AND purpose = ${purpose} AND session_id = ${sessionId} AND expires_at > statement_timestamp() RETURNING expires_at`);
  if (!used)
    throw new ApiError('CHALLENGE_EXPIRED', 'The challenge has expired, or was used already; start again');
  return new Date(used.expires_at.getTime() - lifeOf(purpose) * 1000);
}

function hashOf(challenge: string): Buffer {
  return createHash('sha256').update(challenge).digest();
}
