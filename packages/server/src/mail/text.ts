import { invisibleCharacters } from '../lib/names.ts';

declare const linkless: unique symbol;

/** Text of a mail. Only {@link mailText} makes it, so that no name reaches a mail as it was entered. */
export type MailText = string & { readonly [linkless]: true };

/**
 * The tag of all text in mails. Inserted values become one line that no mail program turns into a link: programs link anything that looks
 * like an address, in plain text and in HTML.
 */
export function mailText(words: TemplateStringsArray, ...inserted: readonly (string | number)[]): MailText {
  return String.raw({ raw: words }, ...inserted.map(each => withoutLinks(String(each)))) as MailText;
}

/** Characters that programs take for a dot, `@`, a colon or a slash (Unicode NFKC, RFC 3490 3.1). */
const dot = '[.\u2024\u3002\uFE52\uFF0E\uFF61]';
const at = '[@\uFE6B\uFF20]';
const colon = '[:\uFE55\uFF1A]';
const slash = '[/\\\\\u2044\u2215\uFF0F\uFF3C]';

const breaks = [
  // evil.example, but not 1.5, 24.12.2026 or the end of a sentence
  [new RegExp(`${dot}(?=[^\\s\\p{P}\\p{Nd}]|[-_])|(?<!\\p{Nd})${dot}(?=\\p{Nd})`, 'gu'), '$& '],
  // a@evil.example
  [new RegExp(`(?<=\\S)${at}(?=\\S)`, 'gu'), ' $& '],
  // https:, tel:, but not 14:05
  [new RegExp(`${colon}(?=[^\\s\\p{Nd}])|(?<!\\p{Nd})${colon}(?=\\p{Nd})`, 'gu'), '$& '],
  // //evil, \\evil
  [new RegExp(`${slash}(?=${slash})`, 'gu'), '$& '],
] as const;

/** Inserts spaces into anything that looks like an address: a reader still recognizes `booking. com`. */
function withoutLinks(text: string): string {
  const line = text.toWellFormed().replaceAll(invisibleCharacters, ' ').replaceAll(/\s+/gu, ' ');
  return breaks.reduce((broken, [pattern, by]) => broken.replaceAll(pattern, by), line).trim();
}
