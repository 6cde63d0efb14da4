import { isUtf8 } from 'node:buffer';
import { malformed } from '@kontor/contract';

/** Deepest nesting of a body; no operation declares more than a few levels. */
const nestingLimit = 64;

/**
 * Parses a request body as JSON text (RFC 8259): UTF-8, with or without a byte order mark, an object, no key twice in one
 * object, no NUL and no lone surrogate in any string. Throws 400 VALIDATION_ERROR.
 */
export function parseJsonObject(bytes: Buffer): Record<string, unknown> {
  if (!isUtf8(bytes)) throw malformed('The body is not valid UTF-8');
  const text = withoutByteOrderMark(bytes.toString('utf8'));
  const value = parse(text);
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw malformed('The body must be a JSON object');
  checkStrings(text);
  return value as Record<string, unknown>;
}

function withoutByteOrderMark(text: string): string {
  return text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw malformed(text === '' ? 'The body is empty; send a JSON object' : 'The body is not valid JSON');
  }
}

const quote = 0x22;
const backslash = 0x5c;
const openBrace = 0x7b;
const closeBrace = 0x7d;
const openBracket = 0x5b;
const closeBracket = 0x5d;
const comma = 0x2c;
const colon = 0x3a;

/**
 * Looks at every string of a text that is known to be JSON, in one pass: keys must differ within their object, and no
 * string may hold NUL or a lone surrogate. `JSON.parse` keeps the last of equal keys, silently.
 */
function checkStrings(text: string): void {
  // The keys of each open object; null stands for an array.
  const open: (Set<string> | null)[] = [];
  // Whether the next string is a key, if an object is what is open.
  let expectsKey = false;
  // The key that was read last: the next string that is no key belongs to it, and messages name it.
  let property = '';
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === quote) {
      const end = endOfString(text, i);
      const keys = expectsKey ? open.at(-1) : null;
      if (keys) addKey(keys, (property = contentOf(text, i, end, null)));
      else contentOf(text, i, end, property);
      i = end;
    } else if (code === openBrace || code === openBracket) {
      if (open.length === nestingLimit)
        throw malformed(`The body is nested deeper than ${nestingLimit} levels`);
      open.push(code === openBrace ? new Set() : null);
      expectsKey = true;
    } else if (code === closeBrace || code === closeBracket) open.pop();
    else if (code === comma) expectsKey = true;
    else if (code === colon) expectsKey = false;
  }
}

function addKey(keys: Set<string>, key: string): void {
  if (keys.has(key)) throw malformed(`The body has the property ${shown(key)} twice in one object`);
  keys.add(key);
}

/** The index of the quotation mark that ends the string which begins at `start`. */
function endOfString(text: string, start: number): number {
  let i = start + 1;
  for (;;) {
    const code = text.charCodeAt(i);
    if (code === quote) return i;
    i += code === backslash ? 2 : 1;
  }
}

/** The string between two quotation marks: the value of `property`, or a name itself where that is null. */
function contentOf(text: string, start: number, end: number, property: string | null): string {
  const raw = text.slice(start + 1, end);
  // Without an escape the string is what was decoded from UTF-8: no surrogate is alone, and NUL is no JSON.
  if (!raw.includes('\\')) return raw;
  const content = JSON.parse(text.slice(start, end + 1)) as string;
  if (!content.isWellFormed()) throw malformed(`${subject(property)} has half of a surrogate pair`);
  if (content.includes('\0')) throw malformed(`${subject(property)} has a NUL character`);
  return content;
}

function subject(property: string | null): string {
  return property === null ? 'The name of a property' : `The property ${shown(property)}`;
}

/** A name from a request, as a message shows it: quoted and of bounded length. */
export function shown(name: string): string {
  return JSON.stringify(name.length > 64 ? `${name.slice(0, 64).toWellFormed()}…` : name);
}
