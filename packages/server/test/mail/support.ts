import type { AnyMailKind, MailKind } from '../../src/mail/kind.ts';
import { queueMail } from '../../src/mail/queue.ts';
import { sendMails, type SendingEvents, type SendingParts } from '../../src/mail/send.ts';
import { mailText } from '../../src/mail/text.ts';
import type { MailSettings } from '../../src/mail/smtp.ts';
import { callOf, operator, Writes } from '../../src/write/writes.ts';
import type { MailServer } from '../support/servers/mail-server.ts';
import type { Sql } from '../support/database/sql.ts';

/** A kind of mails for tests, which contains what it was queued with. */
const record: MailKind<{ text: string }> = {
  name: 'note',
  compose: async (_db, _to, { text }) =>
    text === '' ? null : { subject: mailText`${text}`, paragraphs: [mailText`${text}`] },
};

/** Queues a note, which is outdated after an hour by default; returns its identifier. */
export async function queueRecord(
  sql: Sql,
  { organizationId, userId }: { organizationId: string; userId: string },
  text: string,
  life = 3_600_000,
): Promise<void> {
  await new Writes(sql).runWithoutClock(callOf(organizationId, operator), write => {
    const expiresAt = new Date(write.at.getTime() + life);
    queueMail(write, { kind: record, userId, details: { text }, expiresAt });
  });
}

/** The settings of a sender by a mail server. */
export function settingsOf({ port }: Pick<MailServer, 'port'>): MailSettings {
  const from = { name: 'Kontor', address: 'kontor@example.com' };
  return { host: '127.0.0.1', port, tls: 'none', login: null, from, publicUrl: 'https://kontor.example.com' };
}

/** Short enough for a test, long enough for a busy machine. */
export const shortDeadlines = { connect: 2_000, login: 2_000, send: 2_000 };

/** The records of a run, a word each. */
export type Reported = string[];

/** Runs a sender once, as a process of its own does; returns its records, and the error that ended it early. */
export async function sendOnce(
  sql: Sql,
  server: Pick<MailServer, 'port'>,
  more: Partial<SendingParts> = {},
): Promise<{ reported: Reported; error: unknown }> {
  const reported: Reported = [];
  const events: SendingEvents = {
    inspected: waiting => reported.push(`waiting ${waiting.reduce((sum, { count }) => sum + count, 0)}`),
    sent: () => reported.push('sent'),
    failed: () => reported.push('failed'),
    gaveUp: () => reported.push('gave up'),
  };
  const { database } = sql;
  const parts = {
    database,
    writes: new Writes(database),
    settings: settingsOf(server),
    kinds: [record] as AnyMailKind[],
    signal: new AbortController().signal,
    deadlines: shortDeadlines,
    ...more,
  };
  const error = await sendMails(parts, events).then(
    () => null,
    (failure: unknown) => failure,
  );
  return { reported, error };
}

/** Lets the pauses of all mails of an organization be over. */
export async function endPauses(sql: Sql, organizationId: string): Promise<void> {
  await sql`UPDATE mail SET next_at = ${new Date(Date.now() - 1000)} WHERE organization_id = ${organizationId}`;
}
