// cspell:ignore ŠŽŸŒ
// cspell:disable
/** Characters of the bytes 80 to BF in Windows-1252: the later bytes of a character in UTF-8. */
const later = '[\\u0080-\\u00BF€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ]';
/** Those that are no punctuation, which may follow a capital in a right text: `„Ä“`, `BÄR–HAUS`. */
const laterLetter = '[\\u0080-\\u009F\\u00A1-\\u00AA\\u00AC-\\u00BA\\u00BC-\\u00BF€‚ƒ†‡ˆ‰ŠŒŽ•˜™š›œžŸ]';

/** Mac OS Roman or MS-DOS read as Windows-1252: MŸller, K„the, Stra§e, Andr‚, ™zdemir. */
const foreign =
  '\\p{L}[‚ƒ„†‡ˆ‰‹”•˜™›§]\\p{L}|\\p{L}[ŠŽŸŒ]\\p{Ll}|\\p{Ll}[§‚]|\\p{Ll}[ŽŸŒ](?!\\p{L})|(?<!\\p{L})[™†‡]\\p{Ll}|[\\u0080-\\u009F]';

/**
 * Traces of a wrong encoding. Each is a sequence that names, addresses and remarks in European languages do not contain.
 */
const traces = [
  // UTF-8 read as Windows-1252: MÃ¼ller, KovaÄ‡, â€“, and its mark. Two letters of Cyrillic or Greek.
  `Ã${later}|Â[\\u0080-\\u00BF]|[ÄÅ]${laterLetter}|\\p{Ll}[ÃÄÅ]${later}|â€|â‚¬|ï»¿|ï¿½`,
  `(?:[ÐÑ]${later}){2}|(?:[ÎÏ]${later}){2}`,
  // UTF-8 read as Mac OS Roman (M√ºller) or MS-DOS (M├╝ller).
  '√[^\\s\\d]|[\\u2500-\\u259F]',
  // Windows-1252 read as Mac OS Roman (M¸ller, Groﬂ) or MS-DOS (M³ller).
  '\\p{L}[¸ˆ‰³]\\p{L}|÷\\p{L}|[ﬁﬂ]',
  foreign,
  // Lost characters, and control characters.
  '\\uFFFD|[\\u0000-\\u0008\\u000B\\u000C\\u000E-\\u001F\\u007F]',
  // Names of characters in HTML.
  '&(?:[A-Za-z]{2,8}|#\\d{2,5}|#x[\\dA-Fa-f]{2,5});',
].join('|');
// cspell:enable
const trace = new RegExp(traces, 'u');
const foreignTrace = new RegExp(foreign, 'u');

/** A letter that a program replaced. */
const lostLetter = /\p{L}\?\p{Ll}/u;

/** Whether a text shows that a program read it in a wrong encoding, or lost characters of it. */
export function isGarbled(text: string): boolean {
  return !text.isWellFormed() || trace.test(text) || (lostLetter.test(text) && !text.includes('://'));
}

/** The position of the first character of Windows-1252 that shows that the text has another encoding; -1 without one. */
export function findForeignCharacter(text: string): number {
  const found = foreignTrace.exec(text);
  return found === null ? -1 : found.index + found[0].search(/[^\p{L}\s]|[ŠŽŸŒ]/u);
}

const bytesOfText = new Map(
  [...new TextDecoder('windows-1252').decode(Uint8Array.from({ length: 256 }, (_, byte) => byte))].map(
    (character, byte) => [character, byte] as const,
  ),
);

/** The text, if it is UTF-8 that was read as Windows-1252, once or twice. */
export function repairEncoding(text: string): string | null {
  if (text.length > 1000) return null;
  const bytes = [...text].map(character => bytesOfText.get(character));
  if (bytes.includes(undefined)) return null;
  try {
    const repaired = new TextDecoder('utf-8', { fatal: true }).decode(Uint8Array.from(bytes as number[]));
    if (repaired === text) return null;
    return isGarbled(repaired) ? repairEncoding(repaired) : repaired.normalize('NFC');
  } catch {
    return null;
  }
}
