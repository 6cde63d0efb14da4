import { escapeHtml } from '../lib/html.ts';
import type { Letter, LetterLine, Recipient } from './kind.ts';
import type { MailSettings } from '../mail/smtp.ts';
import type { Message } from './smtp.ts';
import { type MailText, mailText } from './text.ts';

/**
 * Renders a letter as a message, as text and as HTML. Its Message-ID follows from the mail, so that a reader can tell a copy: a mail is
 * sent again when it is not known whether the server has taken it.
 */
export async function messageOf(
  letter: Letter,
  to: Pick<Recipient, 'email' | 'name' | 'language'>,
  {
    settings: { from, publicUrl },
    id,
    queuedAt,
  }: { settings: Pick<MailSettings, 'from' | 'publicUrl'>; id: string; queuedAt: Date },
): Promise<Message> {
  // Loaded with the first mail: a start or a command that sends none is faster.
  const { default: MailComposer } = await import('nodemailer/lib/mail-composer');
  const content = await new MailComposer({
    from,
    to: { name: to.name, address: to.email },
    subject: letter.subject,
    messageId: `<${id}@${from.address.split('@').at(-1)!}>`,
    date: queuedAt,
    text: textOf(letter, to, publicUrl),
    html: htmlOf(letter, to, publicUrl),
    // Suppresses automatic replies, such as those about an absence (RFC 3834).
    headers: { 'Auto-Submitted': 'auto-generated', 'Content-Language': to.language },
    disableFileAccess: true,
    disableUrlAccess: true,
  })
    .compile()
    .build();
  return { from: from.address, to: to.email, content };
}

const words = {
  en: {
    hello: (name: MailText) => (name ? mailText`Hello ${name},` : mailText`Hello,`),
    footer: 'Kontor sent this message automatically.',
  },
  de: {
    hello: (name: MailText) => (name ? mailText`Guten Tag ${name},` : mailText`Guten Tag,`),
    footer: 'Diese Nachricht hat Kontor automatisch gesendet.',
  },
};

type To = Pick<Recipient, 'name' | 'language'>;

/** Renders a letter as plain text. */
function textOf(letter: Letter, { name, language }: To, publicUrl: string): string {
  const { paragraphs, action, list = [], closing = [] } = letter;
  const { hello, footer } = words[language];
  const parts = [
    hello(name),
    ...paragraphs,
    ...(action ? [`${action.label}:\n${action.address}`] : []),
    ...(list.length > 0 ? [list.map(lineOf).join('\n')] : []),
    ...closing,
    `-- \n${footer}\n${publicUrl}`,
  ];
  return `${parts.join('\n\n')}\n`;
}

function lineOf({ label, address, more }: LetterLine): string {
  return `- ${label}: ${more}\n  ${address}`;
}

const style = {
  page: 'margin:0;padding:24px;background:#f4f5f7;color:#1c1f23;font:16px/1.5 system-ui,-apple-system,Segoe UI,Arial,sans-serif',
  card: 'max-width:560px;margin:0 auto;padding:28px;background:#ffffff;border-radius:12px',
  button:
    'display:inline-block;padding:12px 20px;background:#0b6472;color:#ffffff;border-radius:8px;text-decoration:none;font-weight:600',
  small: 'max-width:560px;margin:16px auto 0;color:#5a6270;font-size:13px',
};

/** Renders a letter as a page of HTML that loads nothing. */
function htmlOf(letter: Letter, { name, language }: To, publicUrl: string): string {
  const { subject, paragraphs, action, list = [], closing = [] } = letter;
  const { hello, footer } = words[language];
  const paragraph = (text: string) => `<p>${escapeHtml(text)}</p>`;
  const link = (words: string, address: string, inspect = '') =>
    `<a href="${escapeHtml(address)}"${inspect}>${escapeHtml(words)}</a>`;
  const items = list.map(
    ({ label, more, address }) => `<li>${escapeHtml(label)}: ${link(more, address)}</li>`,
  );
  return [
    `<!doctype html><html lang="${language}"><head><meta charset="utf-8"><title>${escapeHtml(subject)}</title></head>`,
    `<body style="${style.page}"><div style="${style.card}">`,
    paragraph(hello(name)),
    ...paragraphs.map(paragraph),
    ...(action
      ? [`<p style="margin:24px 0">${link(action.label, action.address, ` style="${style.button}"`)}</p>`]
      : []),
    ...(items.length > 0 ? [`<ul>${items.join('')}</ul>`] : []),
    ...closing.map(paragraph),
    `</div><p style="${style.small}">${escapeHtml(footer)}<br>${escapeHtml(publicUrl)}</p></body></html>`,
  ].join('\n');
}
