import { createHash, randomBytes } from 'node:crypto';
import { ApiError } from '@kontor/contract';
import { noOrganization } from '../../../auth/caller.ts';
import type { Queryable } from '../../../db/session.ts';
import { sql } from '../../../db/sql.ts';

/** How long a challenge works, in seconds: at an authenticator, and at an issuer, which may ask for more than one thing. */
export const challengeLife = { passkey: 300, openid: 600 } as const;

/** What a challenge is for; shown for another purpose it is none. */
type Purpose = `passkey.${'sign_in' | 'confirm' | 'create'}` | `openid.${'sign_in' | 'confirm'}`;

function lifeOf(purpose: Purpose): number {
  return challengeLife[purpose.startsWith('passkey') ? 'passkey' : 'openid'];
}

/** Who may finish what is begun: a session, or whoever comes with it where nobody is signed in. */
export interface Beginner {
  readonly organizationId: string;
  readonly sessionId: string;
}

/** Somebody who is not signed in. */
export const stranger: Beginner = { organizationId: noOrganization, sessionId: '' };

/** Makes a challenge, of which a hash is kept, and deletes those of the organization whose time is over. */
export async function newChallenge(
  db: Queryable,
  purpose: Purpose,
  { organizationId, sessionId }: Beginner,
): Promise<string> {
  const challenge = randomBytes(32).toString('base64url');
  await db.run(sql`
    DELETE FROM portal_challenge WHERE organization_id = ${organizationId} AND expires_at <= statement_timestamp()`);
  await db.run(sql`
    INSERT INTO portal_challenge (organization_id, hash, purpose, session_id, expires_at)
    VALUES (${organizationId}, ${hashOf(challenge)}, ${purpose}, ${sessionId},
      statement_timestamp() + ${lifeOf(purpose)}::float8 * interval '1 second')`);
  return challenge;
}

/**
 * Takes a challenge back that was begun by the same one for the same purpose. It is gone for good then, whatever comes after, so that
 * nothing is tried twice with it. Answers when it was made.
 * @throws ApiError CHALLENGE_EXPIRED for any other, and for null
 */
export async function takeChallenge(
  db: Queryable,
  purpose: Purpose,
  { organizationId, sessionId }: Beginner,
  challenge: string | null,
): Promise<Date> {
  // Whether it is alive is no part of what is returned: a distributed database takes no such function there.
  const [taken] = await db.rows<{ expires_at: Date }>(sql`
    DELETE FROM portal_challenge WHERE organization_id = ${organizationId} AND hash = ${hashOf(challenge ?? '')}
      AND purpose = ${purpose} AND session_id = ${sessionId} AND expires_at > statement_timestamp() RETURNING expires_at`);
  if (!taken) throw new ApiError('CHALLENGE_EXPIRED', 'This took too long, or was done already; begin again');
  return new Date(taken.expires_at.getTime() - lifeOf(purpose) * 1000);
}

function hashOf(challenge: string): Buffer {
  return createHash('sha256').update(challenge).digest();
}
