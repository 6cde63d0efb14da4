import type { MailName, User } from '@kontor/contract';
import type { Queryable } from '../../db/session.ts';
import { sql } from '../../db/sql.ts';
import type { Pepper } from '../../auth/secrets.ts';
import type { Letter, NamedMailKind } from '../../mail/kind.ts';
import { queueMail } from '../../mail/queue.ts';
import { mailText } from '../../mail/text.ts';
import type { Write } from '../../write/writes.ts';
import { linkAddress, type LinkSeed, type NewLink, secretOfStored } from './links.ts';
import type { UserRef } from './rules.ts';

export type LinkMail = Extract<MailName, 'invitation' | 'password_reset'>;

export function mailLink(
  write: Write,
  name: LinkMail,
  userId: string,
  { id, seed, expiresAt }: NewLink,
): void {
  queueMail<LinkSeed>(write, { kind: { name }, userId, details: { id, seed }, expiresAt });
}

export function linkMails(parts: { pepper: Pepper; publicUrl: string }): NamedMailKind<LinkSeed>[] {
  const kind = (name: LinkMail): NamedMailKind<LinkSeed> => ({
    name,
    async compose(db, { organizationId, userId, language }, seed) {
      const link = await findLink(db, { organizationId, userId }, seed.id);
      const secret = link && secretOfStored(organizationId, parts.pepper, seed, link.hash);
      if (!secret) return null;
      const { milliseconds } = link;
      return letters[name][language](
        linkAddress(parts.publicUrl, secret.text),
        formatTime(milliseconds, language),
      );
    },
  });
  return [kind('invitation'), kind('password_reset')];
}

/** The hash of a link, and its remaining lifetime in milliseconds; null when it has expired or was replaced. */
async function findLink(
  db: Queryable,
  { organizationId, userId }: UserRef,
  linkId: string,
): Promise<{ hash: Buffer; milliseconds: number } | null> {
  const [row] = await db.rows<{ hash: Buffer; milliseconds: number }>(sql`
    SELECT link_hash AS hash, (extract(epoch FROM link_expires_at - clock_timestamp()) * 1000)::float8 AS milliseconds FROM portal_user
    WHERE organization_id = ${organizationId} AND id = ${userId} AND link_id = ${linkId}
      AND link_expires_at > clock_timestamp()`);
  return row ?? null;
}

type Language = User['language'];
type Writer = (address: string, life: string) => Letter;

const letters: Record<LinkMail, Record<Language, Writer>> = {
  invitation: {
    en: (address, life) => ({
      subject: mailText`Your access to Kontor`,
      paragraphs: [
        mailText`You have been given access to Kontor, your company's portal for bikes and devices through salary conversion. Choose a password to sign in.`,
      ],
      action: { label: mailText`Choose a password`, address },
      closing: [
        mailText`The link can be used once and is valid for ${life}. It is for you only: please do not pass it on.`,
      ],
    }),
    de: (address, life) => ({
      subject: mailText`Ihr Zugang zu Kontor`,
      paragraphs: [
        mailText`für Sie wurde ein Zugang zu Kontor eingerichtet, dem Portal Ihres Unternehmens für Diensträder und Geräte über Gehaltsumwandlung. Bitte wählen Sie ein Passwort, um sich anzumelden.`,
      ],
      action: { label: mailText`Passwort wählen`, address },
      closing: [
        mailText`Der Link kann einmal verwendet werden und ist ${life} lang gültig. Er ist nur für Sie bestimmt: Bitte geben Sie ihn nicht weiter.`,
      ],
    }),
  },
  password_reset: {
    en: (address, life) => ({
      subject: mailText`Your new password for Kontor`,
      paragraphs: [mailText`Someone, probably you, has requested a new password for your Kontor account.`],
      action: { label: mailText`Choose a new password`, address },
      closing: [
        mailText`The link can be used once and is valid for ${life}. A new password signs you out everywhere else.`,
        mailText`If it was not you, you do not need to do anything. Your password stays the same.`,
      ],
    }),
    de: (address, life) => ({
      subject: mailText`Ihr neues Passwort für Kontor`,
      paragraphs: [
        mailText`jemand, vermutlich Sie selbst, hat ein neues Passwort für Ihren Zugang zu Kontor angefordert.`,
      ],
      action: { label: mailText`Neues Passwort wählen`, address },
      closing: [
        mailText`Der Link kann einmal verwendet werden und ist ${life} lang gültig. Mit dem neuen Passwort werden Sie überall sonst abgemeldet.`,
        mailText`Wenn Sie das nicht waren, müssen Sie nichts tun. Ihr Passwort bleibt unverändert.`,
      ],
    }),
  },
};

const units = [
  ['day', 24 * 3600 * 1000],
  ['hour', 3600 * 1000],
  ['minute', 60 * 1000],
] as const;

/** Formats a duration, rounded to one unit: "3 days", "60 minutes". */
function formatTime(milliseconds: number, language: Language): string {
  const [unit, size] = units.find(([, each]) => milliseconds >= 1.9 * each) ?? units[2];
  const count = Math.max(1, Math.round(milliseconds / size));
  return new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'long' }).format(count);
}
