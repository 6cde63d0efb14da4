import type { User } from '@kontor/contract';
import type { Queryable } from '../../db/session.ts';
import { sql } from '../../db/sql.ts';
import type { Letter, MailKind } from '../../mail/kind.ts';
import { queueMail } from '../../mail/queue.ts';
import { mailText } from '../../mail/text.ts';
import { keepersOf, readKeepers, readScopes } from './keepers.ts';
import { heardAt, isSilent } from './portal-store.ts';
import type { TellOfSilence } from './silence.ts';

/** The keys that a mail is about. */
interface SilenceDetails {
  readonly keys: readonly string[];
}

const name = 'key_silence';

/** How long a mail about a silence is worth something, in milliseconds: over a week-end, should the mail server be away. */
const lifetime = 4 * 86_400_000;

/** Has a mail sent to whoever looks after the keys: one about all of theirs that were found silent together. */
export const tellByMail: TellOfSilence = async (turn, session, silent) => {
  const ids = silent.map(({ id }) => id);
  const expiresAt = new Date(turn.at.getTime() + lifetime);
  for (const [userId, keys] of await keptKeys(session, turn.organizationId, ids))
    queueMail<SilenceDetails>(turn, { kind: { name }, userId, details: { keys }, expiresAt });
};

/** Which of these keys each user looks after who looks after one. */
async function keptKeys(
  db: Queryable,
  organizationId: string,
  ids: readonly string[],
): Promise<Map<string, string[]>> {
  const users = await readKeepers(db, organizationId);
  const kept = new Map<string, string[]>();
  for (const [id, scope] of await readScopes(db, organizationId, ids))
    for (const userId of keepersOf(users, scope)) kept.set(userId, [...(kept.get(userId) ?? []), id]);
  return kept;
}

/**
 * Mails about keys that have fallen silent. Those that were heard of meanwhile, or that the user looks after no more, are left out, and a
 * mail without any is not sent.
 */
export function silenceMail({ publicUrl }: { publicUrl: string }): MailKind<SilenceDetails> {
  return {
    name,
    async write(db, { organizationId, userId, language }, { keys }) {
      const kept = (await keptKeys(db, organizationId, keys)).get(userId) ?? [];
      const silent = await db.rows<SilentRow>(sql`
        SELECT k.id, k.name, ${heardAt} AS since FROM api_key k
        WHERE k.organization_id = ${organizationId} AND k.id = ANY(${kept}::text[])
          AND ${isSilent(sql`${organizationId}`)} ORDER BY since`);
      return silent.length === 0 ? null : letterOf(silent, language, publicUrl);
    },
  };
}

interface SilentRow {
  id: string;
  name: string;
  since: Date;
}

/** What all of these letters have in common, in a language. */
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

function letterOf(silent: readonly SilentRow[], language: User['language'], publicUrl: string): Letter {
  const { subject, paragraph, since, closing } = words[language];
  const moment = new Intl.DateTimeFormat(language, {
    dateStyle: 'medium',
    timeStyle: 'short',
    timeZone: 'UTC',
  });
  return {
    subject: subject(silent.length),
    paragraphs: [paragraph],
    list: silent.map(key => ({
      label: mailText`${key.name}`,
      address: `${publicUrl}/portal/settings/api-keys/${key.id}`,
      more: since(`${moment.format(key.since)} UTC`),
    })),
    closing: [closing],
  };
}
