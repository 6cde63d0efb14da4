import type { User } from '@kontor/contract';
import type { Queryable } from '../database/session.ts';

/** Whom a mail goes to, in whose language it is written. */
export interface Recipient extends Pick<User, 'email' | 'name' | 'language'> {
  readonly organizationId: string;
  readonly userId: string;
}

/** A line that leads to a page. */
export interface LetterLink {
  readonly label: string;
  readonly address: string;
  /** What stands behind it. */
  readonly more?: string;
}

/** What a mail says, as plain text; the salutation and the form are those of all mails. */
export interface Letter {
  readonly subject: string;
  readonly paragraphs: readonly string[];
  /** The one thing to do. */
  readonly action?: LetterLink;
  readonly list?: readonly LetterLink[];
  /** What stands behind that. */
  readonly closing?: readonly string[];
}

/** A kind of mails; the features declare theirs. */
export interface MailKind<Details extends object> {
  /** Stored with each mail, so it never changes. */
  readonly name: string;
  /**
   * Writes a mail when it is sent, from what holds then; null when there is nothing to say any more. `details` are those that it was queued
   * with, by whichever version.
   */
  readonly write: (db: Queryable, to: Recipient, details: Details) => Promise<Letter | null>;
}

/** A kind in a list of all. */
export type AnyMailKind = MailKind<any>;
