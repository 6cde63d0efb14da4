/**
 * `text` is a keyword in upper case, a symbol without white space, a word as written, or a quoted value without quotes and escapes. It is
 * empty for other kinds. `offset` is the start in UTF-16 units, from 0.
 */
export interface Token {
  readonly kind: 'word' | 'quoted' | 'keyword' | 'symbol' | 'unclosed' | 'end';
  readonly text: string;
  readonly offset: number;
}

/** Without the `u` flag, because with it `i` matches `ſ` as `s` and the Kelvin sign as `k`. */
const keywordPattern = /^(?:AND|OR|IN|CONTAINS|STARTS_WITH|ENDS_WITH|IS|NOT|NULL)$/i;
const fieldPattern = /^[A-Za-z0-9._]+$/;

/** JavaScript's `\s` also covers Unicode's space separators and the byte order mark. */
const whiteSpace = /\s*/y;
/** Words and unquoted values, up to white space, a parenthesis, a comma, a quote or an operator character. */
const word = /[^\s(),'"=!<>]+/y;
/** White space between the two characters of an operator is ignored, so `> =` is `>=`. */
const symbol = /[(),=]|[!<>](?:\s*=)?/y;

/** Whether a word is a keyword, in any letter case. A keyword is neither a field nor an unquoted value. */
export function isKeyword(text: string): boolean {
  return keywordPattern.test(text);
}

/** Whether a text can be a field name: ASCII letters, digits, `.` and `_`, but not a keyword. */
export function isFieldName(text: string): boolean {
  return fieldPattern.test(text) && !isKeyword(text);
}

/**
 * Splits a filter into tokens, ending with `end`. Takes linear time for any text and never throws. An open quote becomes an `unclosed` token
 * and a lone `!` a symbol, so that the parser reports the first fault in reading order.
 */
export function lex(text: string): Token[] {
  const tokens: Token[] = [];
  let offset = skip(whiteSpace, text, 0);
  while (offset < text.length) {
    const { token, end } = readToken(text, offset);
    tokens.push(token);
    offset = skip(whiteSpace, text, end);
  }
  tokens.push({ kind: 'end', text: '', offset });
  return tokens;
}

function readToken(text: string, offset: number): { token: Token; end: number } {
  const quote = text[offset];
  if (quote === "'" || quote === '"') return readQuoted(text, offset, quote);
  const wordEnd = skip(word, text, offset);
  if (wordEnd > offset) {
    const written = text.slice(offset, wordEnd);
    const token: Token = isKeyword(written)
      ? { kind: 'keyword', text: written.toUpperCase(), offset }
      : { kind: 'word', text: written, offset };
    return { token, end: wordEnd };
  }
  const end = skip(symbol, text, offset);
  return { token: { kind: 'symbol', text: text.slice(offset, end).replace(/\s+/, ''), offset }, end };
}

/** In both quote styles `\'` is an apostrophe and every other backslash is literal (specification.md 3.3). */
function readQuoted(text: string, offset: number, quote: string): { token: Token; end: number } {
  let value = '';
  let copied = offset + 1;
  for (let i = copied; i < text.length; i++) {
    if (text[i] === '\\' && text[i + 1] === "'") {
      value += text.slice(copied, i);
      i++;
      copied = i;
    } else if (text[i] === quote) {
      return { token: { kind: 'quoted', text: value + text.slice(copied, i), offset }, end: i + 1 };
    }
  }
  return { token: { kind: 'unclosed', text: '', offset }, end: text.length };
}

/** The end of a sticky pattern's match at an offset, or the offset itself without a match. */
function skip(pattern: RegExp, text: string, offset: number): number {
  pattern.lastIndex = offset;
  return pattern.test(text) ? pattern.lastIndex : offset;
}
