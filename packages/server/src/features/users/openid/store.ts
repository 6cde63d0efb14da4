import type { Queryable } from '../../../db/session.ts';
import { sql } from '../../../db/sql.ts';
import type { Write } from '../../../write/writes.ts';
import type { UserRef } from '../rules.ts';
import type { ProvenIdentity } from './client.ts';

/** The user with an identity, in any organization; null before the first sign-in. */
export async function findOwnerOfIdentity(db: Queryable, key: string): Promise<UserRef | null> {
  const [row] = await db.rows<UserRef>(sql`
    SELECT organization_id AS "organizationId", user_id AS "userId" FROM portal_identity WHERE identity_key = ${key}`);
  return row ?? null;
}

/** Replaces the identity of a locked user. Returns false when another user has it. */
export async function linkIdentity(
  write: Write,
  session: Queryable,
  userId: string,
  { key, issuer }: ProvenIdentity,
): Promise<boolean> {
  const { organizationId } = write;
  unlinkIdentity(write, userId);
  const claimed = await session.run(sql`
    INSERT INTO portal_identity (identity_key, organization_id, user_id) VALUES (${key}, ${organizationId}, ${userId})
    ON CONFLICT (identity_key) DO NOTHING`);
  write.send(sql`
    UPDATE portal_user SET identity_key = ${key}, identity_issuer = ${issuer}
    WHERE organization_id = ${organizationId} AND id = ${userId}`);
  write.audit({ id: userId, action: 'openid.link' });
  return claimed > 0;
}

/** Removes the identity of a user. The caller writes the audit entry. */
export function unlinkIdentity(write: Write, userId: string): void {
  write.send(sql`
    DELETE FROM portal_identity WHERE organization_id = ${write.organizationId} AND user_id = ${userId}`);
  write.send(sql`
    UPDATE portal_user SET identity_key = NULL, identity_issuer = NULL
    WHERE organization_id = ${write.organizationId} AND id = ${userId}`);
}
