import type { MailName, User } from '@kontor/contract';
import type { Queryable } from '../db/session.ts';
import type { MailText } from './text.ts';

export interface Recipient extends Pick<User, 'email' | 'language'> {
  readonly name: MailText;
  readonly organizationId: string;
  readonly userId: string;
}

/** The button of a mail. */
interface LetterAction {
  readonly label: MailText;
  readonly address: string;
}

/** A line about something that has a page. */
export interface LetterLine {
  readonly label: MailText;
  /** The text of the link; the label may be a name, and is none. */
  readonly more: MailText;
  readonly address: string;
}

/** The content of a mail, as plain text; the salutation and the form are those of all mails. */
export interface Letter {
  readonly subject: MailText;
  readonly paragraphs: readonly MailText[];
  readonly action?: LetterAction;
  readonly list?: readonly LetterLine[];
  readonly closing?: readonly MailText[];
}

/** A kind of mails; the features declare theirs. */
export interface MailKind<Details extends object> {
  /** Stored with each mail, so it never changes. */
  readonly name: string;
  /**
   * Writes a mail when it is sent, from the data of that moment; null when it is obsolete. `details` are those that it was queued with,
   * perhaps by another version.
   */
  readonly compose: (db: Queryable, to: Recipient, details: Details) => Promise<Letter | null>;
}

/** A kind in a list of all. */
export type AnyMailKind = MailKind<any>;

/** A kind that the portal names to administrators. */
export type NamedMailKind<Details extends object> = MailKind<Details> & { readonly name: MailName };
