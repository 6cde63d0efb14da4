import type { User } from '@kontor/contract';
import type { Letter, LetterLine, MailKind } from '../../../mail/kind.ts';
import { mailText } from '../../../mail/text.ts';
import { selectContacts, readContacts } from '../contacts.ts';
import { type EndingKey, keyReminder, type Reminded, workingKeys } from './job.ts';

/** Omits keys with a changed expiry, and keys that lost this user as a contact. */
export function keyReminderMail(publicUrl: string): MailKind<Reminded> {
  return {
    ...keyReminder,
    async compose(db, { organizationId, userId, language }, { keys }) {
      const meant = new Map(keys.map(({ id, expiresAt }) => [id, expiresAt]));
      const working = await workingKeys(db, organizationId, [...meant.keys()]);
      const users = await readContacts(db, organizationId);
      const ending = working.filter(
        ({ id, expiresAt, grants }) =>
          meant.get(id) === expiresAt.toISOString() && selectContacts(users, grants).includes(userId),
      );
      return ending.length === 0 ? null : letterOf(ending, language, publicUrl);
    },
  };
}

type Language = User['language'];

const words = {
  en: {
    locale: 'en-GB',
    one: (name: string, end: string) => ({ subject: mailText`The API key "${name}" ends on ${end}` }),
    many: (count: number) => ({ subject: mailText`${count} API keys come to their end` }),
    what: mailText`When an API key has come to its end, the system that uses it gets no more data. Replace the key before that: the new one sees the same, and the old one works on for as long as you say.`,
    expires: (end: string) => mailText`ends on ${end} (UTC)`,
  },
  de: {
    locale: 'de-DE',
    one: (name: string, end: string) => ({
      subject: mailText`Der API-Schlüssel „${name}“ läuft am ${end} ab`,
    }),
    many: (count: number) => ({ subject: mailText`${count} API-Schlüssel laufen ab` }),
    what: mailText`wenn ein API-Schlüssel abgelaufen ist, bekommt das System, das ihn benutzt, keine Daten mehr. Ersetzen Sie ihn vorher: Der neue Schlüssel sieht dasselbe, und der alte gilt noch so lange, wie Sie es festlegen.`,
    expires: (end: string) => mailText`läuft am ${end} Uhr (UTC) ab`,
  },
};

function letterOf(keys: readonly EndingKey[], language: Language, publicUrl: string): Letter {
  const texts = words[language];
  const format = (at: Date, style: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(texts.locale, { ...style, timeZone: 'UTC' }).format(at);
  const list = keys.map(({ id, name, expiresAt }): LetterLine => ({
    label: mailText`${name}`,
    address: `${publicUrl}/portal/settings/api-keys/${id}`,
    more: texts.expires(
      `${format(expiresAt, { dateStyle: 'long' })}, ${format(expiresAt, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })}`,
    ),
  }));
  const [first] = keys;
  const headed =
    keys.length === 1
      ? texts.one(first!.name, format(first!.expiresAt, { dateStyle: 'long' }))
      : texts.many(keys.length);
  return { ...headed, paragraphs: [texts.what], list };
}
