import type { Queryable } from '../../../db/session.ts';
import { type Fragment, sql } from '../../../db/sql.ts';
import type { Turn } from '../../../write/writes.ts';

/** What a user shows to be let in. */
export interface Credentials {
  readonly userId: string;
  readonly email: string;
  readonly name: string;
  readonly isActive: boolean;
  /** Null until a password was set. */
  readonly passwordHash: string | null;
  /** The link that sets the password; null where there is none that works. */
  readonly link: { readonly id: string; readonly hash: Buffer } | null;
  /** Who the user is at an issuer of OpenID Connect; null until they have first come from there. */
  readonly identity: { readonly key: string; readonly issuer: string } | null;
}

interface CredentialsRow {
  id: string;
  email: string;
  name: string;
  is_active: boolean;
  password_hash: string | null;
  link_id: string | null;
  link_hash: Buffer | null;
  identity_key: string | null;
  identity_issuer: string | null;
}

async function find(db: Queryable, organizationId: string, condition: Fragment): Promise<Credentials | null> {
  const [row] = await db.rows<CredentialsRow>(sql`
    SELECT id, email, name, deactivated_at IS NULL AS is_active, password_hash, link_hash, identity_key,
      identity_issuer,
      CASE WHEN link_expires_at > clock_timestamp() THEN link_id END AS link_id
    FROM portal_user WHERE organization_id = ${organizationId} AND ${condition}`);
  if (!row) return null;
  return {
    userId: row.id,
    email: row.email,
    name: row.name,
    isActive: row.is_active,
    passwordHash: row.password_hash,
    link: row.link_id === null ? null : { id: row.link_id, hash: row.link_hash! },
    identity: row.identity_key === null ? null : { key: row.identity_key, issuer: row.identity_issuer! },
  };
}

/** The credentials of a user; null when there is no such user. */
export function findCredentials(
  db: Queryable,
  organizationId: string,
  userId: string,
): Promise<Credentials | null> {
  return find(db, organizationId, sql`id = ${userId}`);
}

/** The same, and keeps others from changing them until the end of the transaction. */
export function lockCredentials(
  db: Queryable,
  organizationId: string,
  userId: string,
): Promise<Credentials | null> {
  return find(db, organizationId, sql`id = ${userId} FOR NO KEY UPDATE`);
}

/** The credentials of whom a link was made for; null when there is no such link. */
export function findByLink(
  db: Queryable,
  organizationId: string,
  linkId: string,
): Promise<Credentials | null> {
  return find(db, organizationId, sql`link_id = ${linkId}`);
}

/** Sets the password of a locked user. A link that would set it, too, does not work any more. */
export function updatePassword(turn: Turn, userId: string, hash: string): void {
  turn.write(sql`
    UPDATE portal_user SET password_hash = ${hash}, link_id = NULL, link_hash = NULL, link_expires_at = NULL
    WHERE organization_id = ${turn.organizationId} AND id = ${userId}`);
  turn.audit({ id: userId, action: 'user.password' });
}

/** Stores the same password in another manner. */
export function updateHash(turn: Turn, userId: string, hash: string): void {
  turn.write(sql`
    UPDATE portal_user SET password_hash = ${hash} WHERE organization_id = ${turn.organizationId} AND id = ${userId}`);
}
