import type { User } from '@kontor/contract';
import type { Queryable } from '../db/session.ts';
import { sql } from '../db/sql.ts';
import type { Turn } from '../write/writes.ts';
import type { Recipient } from './kind.ts';
import { mailText } from './text.ts';

/** The mails of an organization that wait. */
export interface WaitingMails {
  readonly organizationId: string;
  readonly count: number;
  /** Of them those that are to be tried now. */
  readonly due: number;
  /** When the first of all was queued. */
  readonly since: Date;
}

/** The mails of all organizations that wait, what has waited longest first. There are few: one that was sent is gone. */
export function waitingMails(db: Queryable): Promise<WaitingMails[]> {
  return db.rows<WaitingMails>(sql`
    SELECT organization_id AS "organizationId", count(*)::int AS count,
      (count(*) FILTER (WHERE next_at <= statement_timestamp()))::int AS due, min(queued_at) AS since
    FROM mail GROUP BY organization_id ORDER BY since`);
}

/** The identifiers of so many at most of the mails of these kinds that are to be tried now in an organization. */
export async function dueMails(
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

/** A mail that waits. */
export interface StoredMail {
  readonly id: string;
  readonly userId: string;
  readonly kind: string;
  readonly details: object;
  readonly queuedAt: Date;
  readonly expiresAt: Date;
  /** How often it was tried, or an attempt was begun. */
  readonly attempts: number;
}

/** Locks a mail that is to be tried at an instant; null when it is gone, or somebody has begun to send it. */
export async function lockDueMail(
  db: Queryable,
  { organizationId, at }: Pick<Turn, 'organizationId' | 'at'>,
  id: string,
): Promise<StoredMail | null> {
  const [row] = await db.rows<StoredMail>(sql`
    SELECT id, user_id AS "userId", kind, details, queued_at AS "queuedAt", expires_at AS "expiresAt", attempts
    FROM mail WHERE organization_id = ${organizationId} AND id = ${id} AND next_at <= ${at} FOR UPDATE`);
  return row ?? null;
}

/** Notes that a locked mail is tried, and when it would be tried again. */
export function beginAttempt(turn: Turn, { id, attempts }: StoredMail, nextAt: Date): void {
  turn.write(sql`
    UPDATE mail SET attempts = ${attempts + 1}, next_at = ${nextAt}
    WHERE organization_id = ${turn.organizationId} AND id = ${id}`);
}

/** Takes a mail out: it was sent, or there is nothing to say any more. */
export function removeMail(turn: Turn, id: string): void {
  turn.write(sql`DELETE FROM mail WHERE organization_id = ${turn.organizationId} AND id = ${id}`);
}

/** Takes a mail out that could not be sent; the audit of the user keeps that. */
export function giveUpMail(turn: Turn, { id, userId }: Pick<StoredMail, 'id' | 'userId'>): void {
  removeMail(turn, id);
  turn.audit({ id: userId, action: 'user.mail_failed' });
}

/** Whom a mail would go to; null for one who is gone or must not sign in. */
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
