import { isUtf8 } from 'node:buffer';
import { malformed } from '@kontor/contract';
import { type NamePlace, scanJson } from './json-scan.ts';

/**
 * Parses a request body as JSON text (RFC 8259): UTF-8, with or without a byte order mark, an object within the bounds of
 * {@link scanJson}, no name twice in one object, no NUL and no lone surrogate in any string.
 * @throws ApiError 400 VALIDATION_ERROR.
 */
export function parseJsonObject(body: Buffer): Record<string, unknown> {
  const bytes = withoutByteOrderMark(body);
  if (!isUtf8(bytes)) throw malformed('The body is not valid UTF-8; encode it so');
  const names = scanJson(bytes);
  const value = parse(bytes.toString('utf8'));
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw malformed('The body must be a JSON object');
  checkNames(names, bytes);
  checkStrings(value, '');
  return value as Record<string, unknown>;
}

const byteOrderMark = Buffer.from('\ufeff');

/** The bytes behind a byte order mark, where they begin with one. */
export function withoutByteOrderMark(bytes: Buffer): Buffer {
  const { length } = byteOrderMark;
  return bytes.subarray(0, length).equals(byteOrderMark) ? bytes.subarray(length) : bytes;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw malformed(
      text === '' ? 'The body is empty; send a JSON object' : `The body is not valid JSON${placeOf(error)}`,
    );
  }
}

/** The place that the parser names at the end of some messages; the others quote the body, which may be personal data. */
function placeOf(error: unknown): string {
  const place = / JSON at position \d+ \(line (\d+) column (\d+)\)$/.exec((error as Error).message);
  return place === null ? '' : ` at line ${place[1]}, column ${place[2]}`;
}

/** Names must differ within their object: of equal ones `JSON.parse` keeps the last, silently. */
function checkNames(places: readonly NamePlace[], bytes: Buffer): void {
  const known = new Map<number, Set<string>>();
  for (const { object, start, end } of places) {
    const raw = bytes.toString('utf8', start + 1, end - 1);
    const name = raw.includes('\\') ? (JSON.parse(`"${raw}"`) as string) : raw;
    checkString(name, () => 'The name of a property');
    const siblings = known.get(object) ?? new Set();
    if (siblings.has(name))
      throw malformed(`The body has the property ${shown(name)} twice in one object; send it once`);
    known.set(object, siblings.add(name));
  }
}

/** Checks the strings in a value, however deep; `property` is the one that it belongs to, which messages name. */
function checkStrings(value: unknown, property: string): void {
  if (typeof value === 'string') checkString(value, () => `The property ${shown(property)}`);
  else if (Array.isArray(value)) for (const item of value) checkStrings(item, property);
  else if (typeof value === 'object' && value !== null)
    for (const [name, inner] of Object.entries(value)) checkStrings(inner, name);
}

function checkString(text: string, subject: () => string): void {
  if (!text.isWellFormed()) throw malformed(`${subject()} has half of a surrogate pair`);
  if (text.includes('\0')) throw malformed(`${subject()} has a NUL character`);
}

/** A name from a request, as a message shows it: quoted and of bounded length. */
export function shown(name: string): string {
  return JSON.stringify(name.length > 64 ? `${name.slice(0, 64).toWellFormed()}…` : name);
}
