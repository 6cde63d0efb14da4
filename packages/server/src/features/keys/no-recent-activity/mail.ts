import type { User } from '@kontor/contract';
import type { Queryable } from '../../../db/session.ts';
import { sql } from '../../../db/sql.ts';
import type { Letter, MailKind } from '../../../mail/kind.ts';
import { queueMail } from '../../../mail/queue.ts';
import { mailText } from '../../../mail/text.ts';
import { selectContacts, readContacts, readScopes } from '../contacts.ts';
import { hasNoRecentActivity, lastActivity } from './state.ts';
import type { QuietKey, ReportKeys } from './job.ts';

interface MailedKeys {
  readonly keys: readonly string[];
}

const name = 'key_no_recent_activity';

/** Milliseconds after which an unsent mail is dropped: longer than a mail server's outage over a weekend. */
const lifetime = 4 * 86_400_000;

/** Queues one mail per contact with all their keys of this run. */
export const reportByMail: ReportKeys = async (write, session, quiet) => {
  const ids = quiet.map(({ id }) => id);
  const expiresAt = new Date(write.at.getTime() + lifetime);
  for (const [userId, keys] of await keysByContact(session, write.organizationId, ids))
    queueMail<MailedKeys>(write, { kind: { name }, userId, details: { keys }, expiresAt });
};

async function keysByContact(
  db: Queryable,
  organizationId: string,
  ids: readonly string[],
): Promise<Map<string, string[]>> {
  const users = await readContacts(db, organizationId);
  const keys = new Map<string, string[]>();
  for (const [id, scope] of await readScopes(db, organizationId, ids))
    for (const userId of selectContacts(users, scope)) keys.set(userId, [...(keys.get(userId) ?? []), id]);
  return keys;
}

/** Keys that have succeeded since, and keys that lost this user as a contact, are omitted. A mail without keys is not sent. */
export function noRecentActivityMail({ publicUrl }: { publicUrl: string }): MailKind<MailedKeys> {
  return {
    name,
    async compose(db, { organizationId, userId, language }, { keys }) {
      const own = (await keysByContact(db, organizationId, keys)).get(userId) ?? [];
      const quiet = await db.rows<QuietKey>(sql`
        SELECT k.id, k.name, ${lastActivity} AS since FROM api_key k
        WHERE k.organization_id = ${organizationId} AND k.id = ANY(${own}::text[])
          AND ${hasNoRecentActivity(sql`${organizationId}`)} ORDER BY since`);
      return quiet.length === 0 ? null : letterOf(quiet, language, publicUrl);
    },
  };
}

const words = {
  en: {
    subject: (count: number) =>
      count === 1
        ? mailText`An integration has fallen silent`
        : mailText`${count} integrations have fallen silent`,
    paragraph: mailText`No request has succeeded for longer than usual with these API keys of Kontor. Does the system behind each of them still run?`,
    since: (at: string) => mailText`no success since ${at}`,
    closing: mailText`You are told once of each silence. The page of a key says what was asked last, what failed, and after which pause it counts as silent.`,
  },
  de: {
    subject: (count: number) =>
      count === 1 ? mailText`Eine Anbindung ist verstummt` : mailText`${count} Anbindungen sind verstummt`,
    paragraph: mailText`mit diesen API-Schlüsseln von Kontor ist länger als üblich keine Anfrage gelungen. Läuft das System dahinter noch?`,
    since: (at: string) => mailText`kein Erfolg seit ${at}`,
    closing: mailText`Sie erfahren von jedem Verstummen einmal. Die Seite eines Schlüssels sagt, was zuletzt angefragt wurde, was gescheitert ist und nach welcher Pause er als verstummt gilt.`,
  },
} as const;

function letterOf(quiet: readonly QuietKey[], language: User['language'], publicUrl: string): Letter {
  const { subject, paragraph, since, closing } = words[language];
  const moment = new Intl.DateTimeFormat(language, {
    dateStyle: 'medium',
    timeStyle: 'short',
    timeZone: 'UTC',
  });
  return {
    subject: subject(quiet.length),
    paragraphs: [paragraph],
    list: quiet.map(key => ({
      label: mailText`${key.name}`,
      address: `${publicUrl}/portal/settings/api-keys/${key.id}`,
      more: since(`${moment.format(key.since)} UTC`),
    })),
    closing: [closing],
  };
}
