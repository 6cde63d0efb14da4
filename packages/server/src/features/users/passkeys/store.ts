import { fold, type Passkey } from '@kontor/contract';
import type { Queryable } from '../../../db/session.ts';
import { type Fragment, sql } from '../../../db/sql.ts';
import type { Turn } from '../../../write/writes.ts';
import type { PasskeyOwner } from './webauthn.ts';

interface PasskeyRow {
  id: string;
  name: string;
  created_at: Date;
  last_used_at: Date | null;
  synced: boolean;
}

/** The passkeys of a user, as the rows of a list. */
export function passkeyRows({ organizationId, userId }: PasskeyOwner): Fragment {
  return sql`
    SELECT id, name, folded_name, created_at, last_used_at, synced FROM portal_passkey
    WHERE organization_id = ${organizationId} AND user_id = ${userId}`;
}

/** A passkey as its user sees it. */
export function shownPasskey(row: PasskeyRow): Passkey {
  return {
    id: row.id,
    name: row.name,
    createdAt: row.created_at.toISOString(),
    lastUsedAt: row.last_used_at?.toISOString() ?? null,
    synced: row.synced,
  };
}

/** The passkey of this identifier; null when it is none of the user. */
export async function findPasskey(db: Queryable, owner: PasskeyOwner, id: string): Promise<Passkey | null> {
  const [row] = await db.rows<PasskeyRow>(sql`${passkeyRows(owner)} AND id = ${id}`);
  return row ? shownPasskey(row) : null;
}

/** What a use of a passkey is checked with. */
export interface StoredPasskey {
  readonly id: string;
  readonly credentialId: string;
  readonly publicKey: Buffer;
  readonly uses: number;
  readonly transports: readonly string[];
}

interface StoredRow {
  id: string;
  credential_id: string;
  public_key: Buffer;
  uses: string;
  transports: string[];
}

/** The passkeys of a user, the oldest first; only the one that the authenticator calls so where that is given. */
export async function storedPasskeys(
  db: Queryable,
  { organizationId, userId }: PasskeyOwner,
  credentialId: string | null = null,
): Promise<StoredPasskey[]> {
  const which = credentialId === null ? sql`` : sql` AND credential_id = ${credentialId}`;
  const rows = await db.rows<StoredRow>(sql`
    SELECT id, credential_id, public_key, uses::text, transports FROM portal_passkey
    WHERE organization_id = ${organizationId} AND user_id = ${userId}${which} ORDER BY created_at, id`);
  return rows.map(row => ({
    id: row.id,
    credentialId: row.credential_id,
    publicKey: row.public_key,
    uses: Number(row.uses),
    transports: row.transports,
  }));
}

/** A passkey that an authenticator has made. */
export interface NewPasskey extends Omit<StoredPasskey, 'id'> {
  readonly synced: boolean;
}

/** Stores a passkey of a locked user; false when a user has one with its identifier. Waits for a registration of the same one. */
export async function insertPasskey(
  turn: Turn,
  session: Queryable,
  userId: string,
  { id, name, ...made }: NewPasskey & { id: string; name: string },
): Promise<boolean> {
  const claimed = await session.run(sql`
    INSERT INTO portal_credential (credential_id, organization_id, user_id, passkey_id)
    VALUES (${made.credentialId}, ${turn.organizationId}, ${userId}, ${id}) ON CONFLICT (credential_id) DO NOTHING`);
  if (claimed === 0) return false;
  turn.write(sql`
    INSERT INTO portal_passkey (organization_id, id, user_id, credential_id, public_key, uses, transports, synced, name,
      folded_name, created_at)
    VALUES (${turn.organizationId}, ${id}, ${userId}, ${made.credentialId}, ${made.publicKey}, ${made.uses},
      ${[...made.transports]}, ${made.synced}, ${name}, ${fold(name)}, ${turn.at})`);
  turn.audit({ id, action: 'passkey.create' });
  return true;
}

/** Notes what a passkey was used for. The user is locked. */
export function notePasskeyUse(
  turn: Turn,
  { id, uses, synced }: { id: string; uses: number; synced: boolean },
  action: 'passkey.sign_in' | 'passkey.confirm',
): void {
  turn.write(sql`
    UPDATE portal_passkey SET uses = ${uses}, synced = ${synced}, last_used_at = ${turn.at}
    WHERE organization_id = ${turn.organizationId} AND id = ${id}`);
  turn.audit({ id, action });
}

/** Gives a passkey another name. */
export function updatePasskeyName(turn: Turn, id: string, name: string): void {
  turn.write(sql`
    UPDATE portal_passkey SET name = ${name}, folded_name = ${fold(name)}
    WHERE organization_id = ${turn.organizationId} AND id = ${id}`);
  turn.audit({ id, action: 'passkey.update', fields: ['name'] });
}

/** Removes a passkey, of which the authenticator may register another user then. */
export function deletePasskey(turn: Turn, userId: string, id: string): void {
  turn.write(sql`
    DELETE FROM portal_credential
    WHERE organization_id = ${turn.organizationId} AND user_id = ${userId} AND passkey_id = ${id}`);
  turn.write(sql`DELETE FROM portal_passkey WHERE organization_id = ${turn.organizationId} AND id = ${id}`);
  turn.audit({ id, action: 'passkey.delete' });
}

/** Removes all passkeys of a user. What does that is audited, so these are not. */
export function deletePasskeys(turn: Turn, userId: string): void {
  turn.write(sql`
    DELETE FROM portal_credential WHERE organization_id = ${turn.organizationId} AND user_id = ${userId}`);
  turn.write(sql`
    DELETE FROM portal_passkey WHERE organization_id = ${turn.organizationId} AND user_id = ${userId}`);
}
