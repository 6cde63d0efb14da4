import { newId } from '../db/ids.ts';
import { sql } from '../db/sql.ts';
import type { Turn } from '../write/writes.ts';
import type { MailKind } from './kind.ts';

export interface NewMail<Details extends object> {
  /** The name is enough: another process may write the mail. */
  readonly kind: Pick<MailKind<Details>, 'name'>;
  readonly userId: string;
  /** Identifiers and instants only, never a secret: names and texts are read when the mail is written. */
  readonly details: Details;
  /** The mail is tried until then. */
  readonly expiresAt: Date;
}

/**
 * Queues a mail to a user in the transaction that causes it. It is sent at least once after the commit. Only called where mails are sent
 * (`MailSettings`): otherwise it would stay in the queue.
 */
export function queueMail<Details extends object>(turn: Turn, mail: NewMail<Details>): void {
  turn.send(sql`
    INSERT INTO mail (organization_id, id, user_id, kind, details, queued_at, expires_at, next_at)
    VALUES (${turn.organizationId}, ${newId()}, ${mail.userId}, ${mail.kind.name}, ${JSON.stringify(mail.details)}::jsonb,
      ${turn.at}, ${mail.expiresAt}, ${turn.at})`);
}
