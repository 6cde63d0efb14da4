import { fold, Passkey } from '@kontor/contract';
import type { Queryable } from '../../../db/session.ts';
import { type Fragment, sql } from '../../../db/sql.ts';
import type { Row } from '../../../lib/render-row.ts';
import { defineRows } from '../../../query/rows.ts';
import type { Write } from '../../../write/writes.ts';
import type { UserRef } from '../rules.ts';

export const passkeyList = defineRows(Passkey, { name: 'folded_name' });

export function passkeyRows({ organizationId, userId }: UserRef): Fragment {
  return sql`
    SELECT id, name, folded_name, created_at, last_used_at, synced FROM portal_passkey
    WHERE organization_id = ${organizationId} AND user_id = ${userId}`;
}

export async function findPasskey(db: Queryable, owner: UserRef, id: string): Promise<Passkey | null> {
  const [row] = await db.rows<Row>(sql`${passkeyRows(owner)} AND id = ${id}`);
  return row ? passkeyList.item(row) : null;
}

/** The part of a passkey that verifies a signature. */
export interface StoredPasskey {
  readonly id: string;
  readonly credentialId: string;
  readonly publicKey: Buffer;
  readonly uses: number;
  readonly transports: readonly string[];
}

/** Finds the passkeys of a user, the oldest first. With `credentialId` it finds that passkey only. */
export function findStoredPasskeys(
  db: Queryable,
  { organizationId, userId }: UserRef,
  credentialId: string | null = null,
): Promise<StoredPasskey[]> {
  const which = credentialId === null ? sql`` : sql` AND credential_id = ${credentialId}`;
  return db.rows<StoredPasskey>(sql`
    SELECT id, credential_id AS "credentialId", public_key AS "publicKey", uses::float8 AS uses, transports
    FROM portal_passkey
    WHERE organization_id = ${organizationId} AND user_id = ${userId}${which} ORDER BY created_at, id`);
}

export interface NewPasskey extends Omit<StoredPasskey, 'id'> {
  readonly synced: boolean;
}

/** Stores a passkey of a locked user. Returns false when its credential exists. Waits for a concurrent transaction that inserts it. */
export async function insertPasskey(
  write: Write,
  session: Queryable,
  userId: string,
  { id, name, ...made }: NewPasskey & { id: string; name: string },
): Promise<boolean> {
  const claimed = await session.run(sql`
    INSERT INTO portal_credential (credential_id, organization_id, user_id, passkey_id)
    VALUES (${made.credentialId}, ${write.organizationId}, ${userId}, ${id}) ON CONFLICT (credential_id) DO NOTHING`);
  if (claimed === 0) return false;
  write.send(sql`
    INSERT INTO portal_passkey (organization_id, id, user_id, credential_id, public_key, uses, transports, synced, name,
      folded_name, created_at)
    VALUES (${write.organizationId}, ${id}, ${userId}, ${made.credentialId}, ${made.publicKey}, ${made.uses},
      ${[...made.transports]}, ${made.synced}, ${name}, ${fold(name)}, ${write.at})`);
  write.audit({ id, action: 'passkey.create' });
  return true;
}

/** The user must be locked. */
export function recordPasskeyUse(
  write: Write,
  { id, uses, synced }: { id: string; uses: number; synced: boolean },
  action: 'passkey.sign_in' | 'passkey.confirm',
): void {
  write.send(sql`
    UPDATE portal_passkey SET uses = ${uses}, synced = ${synced}, last_used_at = ${write.at}
    WHERE organization_id = ${write.organizationId} AND id = ${id}`);
  write.audit({ id, action });
}

export function updatePasskeyName(write: Write, id: string, name: string): void {
  write.send(sql`
    UPDATE portal_passkey SET name = ${name}, folded_name = ${fold(name)}
    WHERE organization_id = ${write.organizationId} AND id = ${id}`);
  write.audit({ id, action: 'passkey.update', fields: ['name'] });
}

/** Also frees the credential, so the authenticator can register again. */
export function deletePasskey(write: Write, userId: string, id: string): void {
  write.send(sql`
    DELETE FROM portal_credential
    WHERE organization_id = ${write.organizationId} AND user_id = ${userId} AND passkey_id = ${id}`);
  write.send(sql`DELETE FROM portal_passkey WHERE organization_id = ${write.organizationId} AND id = ${id}`);
  write.audit({ id, action: 'passkey.delete' });
}

/** Deletes all passkeys of a user. The caller writes the audit entry. */
export function deletePasskeys(write: Write, userId: string): void {
  write.send(sql`
    DELETE FROM portal_credential WHERE organization_id = ${write.organizationId} AND user_id = ${userId}`);
  write.send(sql`
    DELETE FROM portal_passkey WHERE organization_id = ${write.organizationId} AND user_id = ${userId}`);
}
