import type { Letter, LetterLine, Recipient } from './kind.ts';
import { type MailText, mailText } from './text.ts';

const words = {
  en: {
    hello: (name: MailText) => (name ? mailText`Hello ${name},` : mailText`Hello,`),
    footer: 'Kontor wrote this message by itself.',
  },
  de: {
    hello: (name: MailText) => (name ? mailText`Guten Tag ${name},` : mailText`Guten Tag,`),
    footer: 'Diese Nachricht hat Kontor von selbst geschrieben.',
  },
};

type To = Pick<Recipient, 'name' | 'language'>;

/** A letter as plain text. */
export function textOf(letter: Letter, { name, language }: To, publicUrl: string): string {
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

/** The same as a page of HTML: no pictures, nothing that is loaded from anywhere. */
export function htmlOf(letter: Letter, { name, language }: To, publicUrl: string): string {
  const { subject, paragraphs, action, list = [], closing = [] } = letter;
  const { hello, footer } = words[language];
  const paragraph = (text: string) => `<p>${escaped(text)}</p>`;
  const link = (words: string, address: string, look = '') =>
    `<a href="${escaped(address)}"${look}>${escaped(words)}</a>`;
  const items = list.map(({ label, more, address }) => `<li>${escaped(label)}: ${link(more, address)}</li>`);
  return [
    `<!doctype html><html lang="${language}"><head><meta charset="utf-8"><title>${escaped(subject)}</title></head>`,
    `<body style="${style.page}"><div style="${style.card}">`,
    paragraph(hello(name)),
    ...paragraphs.map(paragraph),
    ...(action
      ? [`<p style="margin:24px 0">${link(action.label, action.address, ` style="${style.button}"`)}</p>`]
      : []),
    ...(items.length > 0 ? [`<ul>${items.join('')}</ul>`] : []),
    ...closing.map(paragraph),
    `</div><p style="${style.small}">${escaped(footer)}<br>${escaped(publicUrl)}</p></body></html>`,
  ].join('\n');
}

const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, character => entities[character]!);
}
