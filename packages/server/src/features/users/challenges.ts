import { createHash, randomBytes } from 'node:crypto';
import { ApiError } from '@kontor/contract';
import { noOrganization } from '../../caller.ts';
import type { Queryable } from '../../database/session.ts';
import { sql } from '../../database/sql.ts';

/** How long a challenge works, in seconds. */
export const challengeLife = 300;

/** What a challenge is for; shown for another purpose it is none. */
type Purpose = 'passkey.sign_in' | 'passkey.confirm' | 'passkey.create';

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
      statement_timestamp() + ${challengeLife}::float8 * interval '1 second')`);
  return challenge;
}

/**
 * Takes a challenge back that was begun by the same one for the same purpose. It is gone for good then, whatever comes after, so that
 * nothing is tried twice with it.
 * @throws ApiError CHALLENGE_EXPIRED for any other, and for null
 */
export async function takeChallenge(
  db: Queryable,
  purpose: Purpose,
  { organizationId, sessionId }: Beginner,
  challenge: string | null,
): Promise<void> {
  const taken = await db.rows<{ is_alive: boolean }>(sql`
    DELETE FROM portal_challenge WHERE organization_id = ${organizationId} AND hash = ${hashOf(challenge ?? '')}
      AND purpose = ${purpose} AND session_id = ${sessionId} RETURNING expires_at > statement_timestamp() AS is_alive`);
  if (!taken[0]?.is_alive)
    throw new ApiError('CHALLENGE_EXPIRED', 'This took too long, or was done already; begin again');
}

function hashOf(challenge: string): Buffer {
  return createHash('sha256').update(challenge).digest();
}
