import { newId } from '../db/ids.ts';
import { sql } from '../db/sql.ts';
import type { Turn } from '../write/writes.ts';
import type { MailKind } from './kind.ts';

/** A mail to be. */
export interface NewMail<Details extends object> {
  /** The name is enough: what writes the mail may be elsewhere. */
  readonly kind: Pick<MailKind<Details>, 'name'>;
  readonly userId: string;
  /** Identifiers and instants only: names and texts are read when it is written, and a secret never stands there. */
  readonly details: Details;
  /** From when on it is worth nothing; until then it is tried again. */
  readonly expiresAt: Date;
}

/**
 * Has a mail sent to a user once the transaction is committed, at least once: it is queued with what causes it or not at all. Only where
 * mails are sent (`MailSettings`): nobody else would ever take it out.
 */
export function queueMail<Details extends object>(turn: Turn, mail: NewMail<Details>): void {
  turn.write(sql`
    INSERT INTO mail (organization_id, id, user_id, kind, details, queued_at, expires_at, next_at)
    VALUES (${turn.organizationId}, ${newId()}, ${mail.userId}, ${mail.kind.name}, ${JSON.stringify(mail.details)}::jsonb,
      ${turn.at}, ${mail.expiresAt}, ${turn.at})`);
}
