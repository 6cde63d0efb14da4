import { malformed } from '@kontor/contract';

/** Deepest nesting of a body; no operation declares more than a few levels. */
const nestingLimit = 64;

/** Most properties and array elements of a body, all levels together; no operation takes more than a few dozen. */
const memberLimit = 10_000;

/** The name of a property where it stands in the bytes, with its quotation marks. */
export interface NamePlace {
  /** Tells the objects of a body apart. */
  readonly object: number;
  readonly start: number;
  readonly end: number;
}

/** What a byte is outside of strings. A word is a number, `true`, `false` or `null`. */
const word = 0;
export const space = 1;
export const quote = 2;
export const colon = 3;
export const comma = 4;
export const opening = 5;
export const closing = 6;

/** The kind of each byte. */
export const kinds = new Uint8Array(256);
for (const [kind, characters] of [
  [space, ' \t\r\n'],
  [quote, '"'],
  [colon, ':'],
  [comma, ','],
  [opening, '{['],
  [closing, '}]'],
] as const)
  for (const byte of Buffer.from(characters)) kinds[byte] = kind;

const backslash = 0x5c;
const openBrace = 0x7b;

/** Stands for an array among the open objects. */
const array = 0;

/**
 * Looks at the bytes of a JSON text in one pass, before anything is made of them: how deep it is nested, and how many members
 * it has. Answers where the names of its properties are. It stops where the text is no JSON, which the parser then says.
 * @throws ApiError 400 VALIDATION_ERROR beyond a bound.
 */
export function scanJson(bytes: Buffer): NamePlace[] {
  const names: NamePlace[] = [];
  const open: number[] = [];
  let objects = 0;
  let values = 0;
  let expected: 'value' | 'name' | 'colon' | 'separator' = 'value';
  for (let start = 0, end = 0; start < bytes.length; start = end) {
    const kind = kinds[bytes[start]!]!;
    end = endOfToken(bytes, start, kind);
    if (kind === space) continue;
    if (kind === closing) {
      open.pop();
      expected = 'separator';
    } else if (expected === 'name' && kind === quote) {
      names.push({ object: open.at(-1)!, start, end });
      expected = 'colon';
    } else if (expected === 'colon' && kind === colon) expected = 'value';
    else if (expected === 'separator' && kind === comma) expected = open.at(-1) === array ? 'value' : 'name';
    else if (expected === 'value' && (kind === quote || kind === word || kind === opening)) {
      // All values but the outermost are members.
      if (++values > memberLimit + 1) throw tooManyMembers();
      expected = 'separator';
      if (kind === opening) {
        if (open.length === nestingLimit) throw tooDeep();
        const isObject = bytes[start] === openBrace;
        open.push(isObject ? ++objects : array);
        expected = isObject ? 'name' : 'value';
      }
    } else break;
    if (open.length === 0) break;
  }
  return names;
}

/** The index behind the token that begins at `start`: a string, a word, white space, or one character. */
export function endOfToken(bytes: Buffer, start: number, kind: number): number {
  let at = start + 1;
  if (kind === quote) {
    while (at < bytes.length && kinds[bytes[at]!] !== quote) at += bytes[at] === backslash ? 2 : 1;
    return at + 1;
  }
  if (kind === word || kind === space) while (at < bytes.length && kinds[bytes[at]!] === kind) at++;
  return at;
}

function tooDeep(): Error {
  return malformed(`The body is nested deeper than ${nestingLimit} levels`);
}

function tooManyMembers(): Error {
  const max = memberLimit.toLocaleString('en-US');
  return malformed(`The body has more than ${max} properties and array elements in all; send less at once`);
}
