import type { Queryable } from '../../../db/session.ts';
import { sql } from '../../../db/sql.ts';
import type { Turn } from '../../../write/writes.ts';
import type { UserRef } from '../rules.ts';
import type { ProvenIdentity } from './client.ts';

/** The user with an identity, in any organization; null before its first sign-in. */
export async function ownerOfIdentity(db: Queryable, key: string): Promise<UserRef | null> {
  const [row] = await db.rows<UserRef>(sql`
    SELECT organization_id AS "organizationId", user_id AS "userId" FROM portal_identity WHERE identity_key = ${key}`);
  return row ?? null;
}

/** Replaces the identity of a locked user; false when another user has it. */
export async function linkIdentity(
  turn: Turn,
  session: Queryable,
  userId: string,
  { key, issuer }: ProvenIdentity,
): Promise<boolean> {
  const { organizationId } = turn;
  unlinkIdentity(turn, userId);
  const claimed = await session.run(sql`
    INSERT INTO portal_identity (identity_key, organization_id, user_id) VALUES (${key}, ${organizationId}, ${userId})
    ON CONFLICT (identity_key) DO NOTHING`);
  turn.send(sql`
    UPDATE portal_user SET identity_key = ${key}, identity_issuer = ${issuer}
    WHERE organization_id = ${organizationId} AND id = ${userId}`);
  turn.audit({ id: userId, action: 'openid.link' });
  return claimed > 0;
}

/** Removes the identity of a user. The operation that does so is audited, so this is not. */
export function unlinkIdentity(turn: Turn, userId: string): void {
  turn.send(sql`
    DELETE FROM portal_identity WHERE organization_id = ${turn.organizationId} AND user_id = ${userId}`);
  turn.send(sql`
    UPDATE portal_user SET identity_key = NULL, identity_issuer = NULL
    WHERE organization_id = ${turn.organizationId} AND id = ${userId}`);
}
