import type { Queryable } from '../../../db/session.ts';
import { type Fragment, sql } from '../../../db/sql.ts';
import type { Write } from '../../../write/writes.ts';

export interface Credentials {
  readonly userId: string;
  readonly email: string;
  readonly name: string;
  /** Whether neither the user is deactivated nor the organization closed. */
  readonly isActive: boolean;
  /** Null until a password is set. */
  readonly passwordHash: string | null;
  /** The link that sets the password; null without a valid one. */
  readonly link: { readonly id: string; readonly hash: Buffer } | null;
  /** The identity at an OpenID Connect issuer; null while the user is not connected to one. */
  readonly identityKey: string | null;
  /** Whether the user has never signed in. */
  readonly isInvited: boolean;
}

interface Row extends Omit<Credentials, 'link'> {
  linkId: string | null;
  linkHash: Buffer | null;
}

async function find(db: Queryable, organizationId: string, condition: Fragment): Promise<Credentials | null> {
  const [row] = await db.rows<Row>(sql`
    SELECT id AS "userId", email, name, deactivated_at IS NULL AND EXISTS (
        SELECT FROM organization o WHERE o.id = ${organizationId} AND o.closed_at IS NULL) AS "isActive", password_hash AS "passwordHash",
      link_hash AS "linkHash", identity_key AS "identityKey",
      password_hash IS NULL AND identity_key IS NULL AND last_sign_in_at IS NULL AS "isInvited",
      CASE WHEN link_expires_at > clock_timestamp() THEN link_id END AS "linkId"
    FROM portal_user WHERE organization_id = ${organizationId} AND ${condition}`);
  if (!row) return null;
  const { linkId, linkHash, ...user } = row;
  return { ...user, link: linkId === null ? null : { id: linkId, hash: linkHash! } };
}

export function findCredentials(
  db: Queryable,
  organizationId: string,
  userId: string,
): Promise<Credentials | null> {
  return find(db, organizationId, sql`id = ${userId}`);
}

/** Reads the credentials and locks them until the end of the transaction. */
export function lockCredentials(
  db: Queryable,
  organizationId: string,
  userId: string,
): Promise<Credentials | null> {
  return find(db, organizationId, sql`id = ${userId} FOR NO KEY UPDATE`);
}

export function findByLink(
  db: Queryable,
  organizationId: string,
  linkId: string,
): Promise<Credentials | null> {
  return find(db, organizationId, sql`link_id = ${linkId}`);
}

export function updatePassword(write: Write, userId: string, hash: string): void {
  write.send(sql`
    UPDATE portal_user SET password_hash = ${hash}, link_id = NULL, link_hash = NULL, link_expires_at = NULL
    WHERE organization_id = ${write.organizationId} AND id = ${userId}`);
  write.audit({ id: userId, action: 'user.password' });
}

/** The password stays the same, the parameters of the hash change. */
export function updateHash(write: Write, userId: string, hash: string): void {
  write.send(sql`
    UPDATE portal_user SET password_hash = ${hash} WHERE organization_id = ${write.organizationId} AND id = ${userId}`);
}
