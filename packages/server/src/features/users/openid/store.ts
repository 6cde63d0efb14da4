import type { Queryable } from '../../../db/session.ts';
import { sql } from '../../../db/sql.ts';
import type { Turn } from '../../../write/writes.ts';
import type { ShownIdentity } from './client.ts';
import type { PasskeyOwner } from '../passkeys/webauthn.ts';

/** Whose an identity is, in whichever organization; null when nobody has come with it yet. */
export async function ownerOfIdentity(db: Queryable, key: string): Promise<PasskeyOwner | null> {
  const [row] = await db.rows<{ organization_id: string; user_id: string }>(sql`
    SELECT organization_id, user_id FROM portal_identity WHERE identity_key = ${key}`);
  return row ? { organizationId: row.organization_id, userId: row.user_id } : null;
}

/** Gives a locked user an identity, in the place of the one before; false when somebody has it. */
export async function linkIdentity(
  turn: Turn,
  session: Queryable,
  userId: string,
  { key, issuer }: ShownIdentity,
): Promise<boolean> {
  const { organizationId } = turn;
  forgetIdentity(turn, userId);
  const claimed = await session.run(sql`
    INSERT INTO portal_identity (identity_key, organization_id, user_id) VALUES (${key}, ${organizationId}, ${userId})
    ON CONFLICT (identity_key) DO NOTHING`);
  turn.write(sql`
    UPDATE portal_user SET identity_key = ${key}, identity_issuer = ${issuer}
    WHERE organization_id = ${organizationId} AND id = ${userId}`);
  turn.audit({ id: userId, action: 'openid.link' });
  return claimed > 0;
}

/** Whoever comes from the issuer is this user no more. What does that is audited, so this is not. */
export function forgetIdentity(turn: Turn, userId: string): void {
  turn.write(sql`
    DELETE FROM portal_identity WHERE organization_id = ${turn.organizationId} AND user_id = ${userId}`);
  turn.write(sql`
    UPDATE portal_user SET identity_key = NULL, identity_issuer = NULL
    WHERE organization_id = ${turn.organizationId} AND id = ${userId}`);
}
