import type { NotificationKind, User } from '@kontor/contract';
import type { Letter, LetterLine } from '../../../mail/kind.ts';
import { type MailText, mailText } from '../../../mail/text.ts';
import type { Item } from './items.ts';

/** The digest in a language. It has numbers, months and names of companies, and nothing about a person. */
interface DigestWords {
  readonly subject: MailText;
  readonly paragraph: MailText;
  readonly each: Readonly<Record<Exclude<NotificationKind, 'failing_key'>, (item: Item) => MailText>>;
  readonly show: MailText;
  readonly closing: MailText;
}

const monthIn = (language: User['language'], month: string) =>
  new Intl.DateTimeFormat({ en: 'en-GB', de: 'de-DE' }[language], {
    month: 'long',
    year: 'numeric',
    timeZone: 'UTC',
  }).format(new Date(`${month}-01T00:00:00Z`));

const words: Readonly<Record<User['language'], DigestWords>> = {
  en: {
    subject: mailText`New in Kontor`,
    paragraph: mailText`This is new in Kontor since the last summary:`,
    each: {
      new_orders: ({ unread, count }) =>
        unread === 1
          ? mailText`1 new order (waiting for a decision in total: ${count})`
          : mailText`${unread} new orders (waiting for a decision in total: ${count})`,
      expiring_orders: ({ count }) =>
        count === 1
          ? mailText`1 order expires within three days without a decision`
          : mailText`${count} orders expire within three days without a decision`,
      payroll_due: ({ month, name, count }) =>
        month === null
          ? mailText`Payroll is due for ${count} companies`
          : mailText`Payroll for ${monthIn('en', month)} is due: ${name!}`,
      finished_import: ({ name, count, isFailed }) => {
        if (name === null) return mailText`${count} of your imports have finished`;
        return isFailed
          ? mailText`Your import has failed: ${name}`
          : mailText`Your import is finished: ${name}`;
      },
    },
    show: mailText`Show`,
    closing: mailText`You get this summary at most once a day, and only if something is new. You can change this under “My account”.`,
  },
  de: {
    subject: mailText`Neues in Kontor`,
    paragraph: mailText`das ist seit der letzten Übersicht neu in Kontor:`,
    each: {
      new_orders: ({ unread, count }) =>
        unread === 1
          ? mailText`1 neue Bestellung (insgesamt zu entscheiden: ${count})`
          : mailText`${unread} neue Bestellungen (insgesamt zu entscheiden: ${count})`,
      expiring_orders: ({ count }) =>
        count === 1
          ? mailText`1 Bestellung läuft innerhalb von drei Tagen ohne Entscheidung ab`
          : mailText`${count} Bestellungen laufen innerhalb von drei Tagen ohne Entscheidung ab`,
      payroll_due: ({ month, name, count }) =>
        month === null
          ? mailText`Die Abrechnung steht in ${count} Unternehmen an`
          : mailText`Die Abrechnung für ${monthIn('de', month)} steht an: ${name!}`,
      finished_import: ({ name, count, isFailed }) => {
        if (name === null) return mailText`${count} Ihrer Importe sind beendet`;
        return isFailed
          ? mailText`Ihr Import ist fehlgeschlagen: ${name}`
          : mailText`Ihr Import ist abgeschlossen: ${name}`;
      },
    },
    show: mailText`Ansehen`,
    closing: mailText`Sie bekommen diese Übersicht höchstens einmal am Tag und nur, wenn es Neues gibt. Einstellen können Sie das unter „Mein Konto“.`,
  },
};

/** Writes a digest of items, none of which is about a key. */
export function writeDigest(items: readonly Item[], language: User['language'], publicUrl: string): Letter {
  const { subject, paragraph, each, show, closing } = words[language];
  return {
    subject,
    paragraphs: [paragraph],
    list: items.map((item): LetterLine => ({
      label: each[item.kind as keyof typeof each](item),
      more: show,
      address: `${publicUrl}/portal${pathOf(item)}`,
    })),
    closing: [closing],
  };
}

/** The page that an item leads to. The address narrows it to the company, as the switch of the frame does. */
function pathOf({ kind, id, tenant, month }: Item): string {
  switch (kind) {
    case 'payroll_due':
      return `/payroll${queryOf({ company: tenant, month })}`;
    case 'finished_import':
      return `/imports${queryOf({ company: tenant, import: id })}`;
    default:
      return '/orders';
  }
}

function queryOf(parameters: Readonly<Record<string, string | null>>): string {
  const given = Object.entries(parameters).filter((each): each is [string, string] => each[1] !== null);
  const written = given.map(([name, value]): [string, string] => [
    name,
    isJson(value) ? JSON.stringify(value) : value,
  ]);
  return given.length === 0 ? '' : `?${new URLSearchParams(written)}`;
}

/** The portal reads parameters as JSON, so an identifier of digits alone needs quotes. */
function isJson(value: string): boolean {
  try {
    JSON.parse(value);
    return true;
  } catch {
    return false;
  }
}
