import type { User } from '@kontor/contract';
import type { Queryable } from '../db/session.ts';
import { sql } from '../db/sql.ts';
import type { Write } from '../write/writes.ts';
import type { Recipient } from './kind.ts';
import { mailText } from './text.ts';

/** The waiting mails of an organization. */
export interface WaitingMails {
  readonly organizationId: string;
  readonly count: number;
  /** The number of them that are due. */
  readonly due: number;
  /** When the first of all was queued. */
  readonly since: Date;
}

/** Counts the waiting mails of each organization, the longest wait first. There are few: a sent mail is removed. */
export function countWaitingMails(db: Queryable): Promise<WaitingMails[]> {
  return db.rows<WaitingMails>(sql`
    SELECT organization_id AS "organizationId", count(*)::int AS count,
      (count(*) FILTER (WHERE next_at <= statement_timestamp()))::int AS due, min(queued_at) AS since
    FROM mail GROUP BY organization_id ORDER BY since`);
}

/** Returns the identifiers of at most `max` due mails of these kinds. */
export async function findDueMails(
  db: Queryable,
  organizationId: string,
  { kinds, max }: { kinds: readonly string[]; max: number },
): Promise<string[]> {
  const rows = await db.rows<{ id: string }>(sql`
    SELECT id FROM mail WHERE organization_id = ${organizationId} AND next_at <= statement_timestamp()
      AND kind = ANY(${[...kinds]}::text[])
    ORDER BY next_at, id LIMIT ${max}`);
  return rows.map(({ id }) => id);
}

export interface StoredMail {
  readonly id: string;
  readonly userId: string;
  readonly kind: string;
  readonly details: object;
  readonly queuedAt: Date;
  readonly expiresAt: Date;
  /** Attempts that were made or begun. */
  readonly attempts: number;
}

/** Locks a mail that is due at an instant; null when it is gone, or an attempt has begun. */
export async function lockDueMail(
  db: Queryable,
  { organizationId, at }: Pick<Write, 'organizationId' | 'at'>,
  id: string,
): Promise<StoredMail | null> {
  const [row] = await db.rows<StoredMail>(sql`
    SELECT id, user_id AS "userId", kind, details, queued_at AS "queuedAt", expires_at AS "expiresAt", attempts
    FROM mail WHERE organization_id = ${organizationId} AND id = ${id} AND next_at <= ${at} FOR UPDATE`);
  return row ?? null;
}

/** Records an attempt for a locked mail, and when the next one would be. */
export function beginAttempt(write: Write, { id, attempts }: StoredMail, nextAt: Date): void {
  write.send(sql`
    UPDATE mail SET attempts = ${attempts + 1}, next_at = ${nextAt}
    WHERE organization_id = ${write.organizationId} AND id = ${id}`);
}

/** Removes a mail that was sent or is obsolete. */
export function removeMail(write: Write, id: string): void {
  write.send(sql`DELETE FROM mail WHERE organization_id = ${write.organizationId} AND id = ${id}`);
}

/** Removes a mail that could not be sent, which the audit of the user records. */
export function giveUpMail(write: Write, { id, userId }: Pick<StoredMail, 'id' | 'userId'>): void {
  removeMail(write, id);
  write.audit({ id: userId, action: 'user.mail_failed' });
}

/** Reads the recipient of a mail; null for a user who is gone or inactive. */
export async function findRecipient(
  db: Queryable,
  organizationId: string,
  userId: string,
): Promise<Recipient | null> {
  const [row] = await db.rows<Pick<User, 'email' | 'name' | 'language'>>(sql`
    SELECT email, name, language FROM portal_user
    WHERE organization_id = ${organizationId} AND id = ${userId} AND deactivated_at IS NULL`);
  return row ? { organizationId, userId, ...row, name: mailText`${row.name}` } : null;
}
