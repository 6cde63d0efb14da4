import { isUtf8 } from 'node:buffer';
import { type ApiError, malformed } from '@kontor/contract';
import { nextSlice } from '../../lib/concurrency/in-slices.ts';

/** Properties and array elements of a body on all levels; no operation takes more than a few dozen. */
const memberLimit = 10_000;

/**
 * Parses a request body as a JSON object (RFC 8259): UTF-8 with or without a byte order mark, within the limits of {@link scanJson}, without
 * duplicate names, NUL characters and lone surrogates.
 * @throws ApiError 400 VALIDATION_ERROR.
 */
export function parseJsonObject(body: Buffer): Record<string, unknown> {
  const steps = parseInSteps(body, memberLimit);
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

/** The same for a large body, in time slices. Only `JSON.parse` itself cannot be interrupted: 15 ms for 5 MiB. */
export async function parseLargeJsonObject(
  body: Buffer,
  maxMembers: number,
): Promise<Record<string, unknown>> {
  const steps = parseInSteps(body, maxMembers);
  for (;;) {
    await nextSlice();
    const { done, value } = steps.next();
    if (done) return value;
  }
}

function* parseInSteps(body: Buffer, maxMembers: number): Generator<void, Record<string, unknown>> {
  const bytes = body.subarray(0, 3).equals(byteOrderMark) ? body.subarray(3) : body;
  if (!isUtf8(bytes)) throw malformed('The body is not valid UTF-8; encode it as UTF-8');
  const rejection = yield* scanJson(bytes, maxMembers);
  const value = parse(bytes.toString('utf8'));
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw malformed('The body must be a JSON object');
  if (rejection) throw rejection;
  return value as Record<string, unknown>;
}

const byteOrderMark = Buffer.from('\ufeff');

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw malformed(
      text === '' ? 'The body is empty; send a JSON object' : `The body is not valid JSON${placeOf(error)}`,
    );
  }
}

/** The position from the parser's message. The rest of the message quotes the body, which may be personal data. */
function placeOf(error: unknown): string {
  const place = / JSON at position \d+ \(line (\d+) column (\d+)\)$/.exec((error as Error).message);
  return place === null ? '' : ` at line ${place[1]}, column ${place[2]}`;
}

/** Quotes a name from a request for a message, with bounded length. */
export function display(name: string): string {
  return JSON.stringify(name.length > 64 ? `${name.slice(0, 64).toWellFormed()}…` : name);
}

/** Levels of nesting; no operation declares more than a few. */
const nestingLimit = 64;

/** They take less than a millisecond. */
const membersOfStep = 1000;

/** Kinds of bytes outside of strings. A word is a number, `true`, `false` or `null`. */
const word = 0;
const space = 1;
const quote = 2;
const colon = 3;
const comma = 4;
const opening = 5;
const closing = 6;

const kinds = new Uint8Array(256);
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

/** An object or array that is open, with the property that messages name. */
interface Open {
  /** Null for an array. */
  readonly names: Set<string> | null;
  property: string;
}

/**
 * Scans a JSON text in one pass before it is parsed, and yields after each {@link membersOfStep}. It stops at invalid JSON, which the parser then
 * reports. Returns the rejection of its first name or text that is not accepted.
 * @throws ApiError 400 VALIDATION_ERROR for too many levels or members.
 */
function* scanJson(bytes: Buffer, maxMembers: number): Generator<void, ApiError | null> {
  const open: Open[] = [];
  let rejection: ApiError | null = null;
  let values = 0;
  let expected: 'value' | 'name' | 'colon' | 'separator' = 'value';
  for (let start = 0, end = 0; start < bytes.length; start = end) {
    const kind = kinds[bytes[start]!]!;
    end = endOfToken(bytes, start, kind);
    if (kind === space) continue;
    const parent = open.at(-1);
    if (kind === closing) {
      open.pop();
      expected = 'separator';
    } else if (expected === 'name' && kind === quote) {
      const name = decode(bytes, start, end);
      if (name === null) break;
      rejection ??= rejectionOfName(name, parent!.names!);
      parent!.names!.add(name);
      parent!.property = name;
      expected = 'colon';
    } else if (expected === 'colon' && kind === colon) expected = 'value';
    else if (expected === 'separator' && kind === comma) expected = parent?.names ? 'name' : 'value';
    else if (expected === 'value' && (kind === quote || kind === word || kind === opening)) {
      // All values but the outermost are members.
      if (++values > maxMembers + 1) throw tooManyMembers(maxMembers);
      if (values % membersOfStep === 0) yield;
      expected = 'separator';
      if (kind === quote) rejection ??= rejectionOfText(bytes, start, end, parent);
      if (kind === opening) {
        if (open.length === nestingLimit) throw tooDeep();
        const names = bytes[start] === openBrace ? new Set<string>() : null;
        open.push({ names, property: parent?.property ?? '' });
        expected = names ? 'name' : 'value';
      }
    } else break;
    if (open.length === 0) break;
  }
  return rejection;
}

/** `JSON.parse` silently keeps the last of several properties with the same name. */
function rejectionOfName(name: string, siblings: ReadonlySet<string>): ApiError | null {
  if (siblings.has(name))
    return malformed(`The body has the property ${display(name)} twice in one object; send it once`);
  return rejectionOfCharacters(name, () => 'The name of a property');
}

/** Only escape sequences can write the characters that are not accepted. */
function rejectionOfText(bytes: Buffer, start: number, end: number, parent?: Open): ApiError | null {
  const text = bytes.subarray(start, end).includes('\\u') ? decode(bytes, start, end) : null;
  return text === null
    ? null
    : rejectionOfCharacters(text, () => `The property ${display(parent?.property ?? '')}`);
}

function rejectionOfCharacters(text: string, subject: () => string): ApiError | null {
  if (!text.isWellFormed()) return malformed(`${subject()} has half of a surrogate pair`);
  return text.includes('\0') ? malformed(`${subject()} has a NUL character`) : null;
}

/** The text of a string; null when it is not valid. */
function decode(bytes: Buffer, start: number, end: number): string | null {
  const raw = bytes.toString('utf8', start, end);
  if (!raw.includes('\\')) return raw.slice(1, -1);
  try {
    return JSON.parse(raw) as string;
  } catch {
    return null;
  }
}

/** The index behind the token that begins at `start`: a string, a word, white space, or one character. */
function endOfToken(bytes: Buffer, start: number, kind: number): number {
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

function tooManyMembers(limit: number): Error {
  const max = limit.toLocaleString('en-US');
  return malformed(`The body has more than ${max} properties and array elements in all; send less at once`);
}
