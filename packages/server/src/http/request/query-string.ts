import { malformed } from '@kontor/contract';
import { shown } from './json.ts';

/** One `name=value` of a query string, decoded. */
export type QueryPair = readonly [name: string, value: string];

/** The part of a request target behind the first question mark; empty when it has no question mark. */
export function queryOf(target: string): string {
  const mark = target.indexOf('?');
  return mark === -1 ? '' : target.slice(mark + 1);
}

/**
 * The pairs of a query string in their order (application/x-www-form-urlencoded: `+` is a space).
 * @throws ApiError 400 VALIDATION_ERROR for bad percent-encoding, invalid UTF-8 and NUL.
 */
export function parseQueryString(query: string): QueryPair[] {
  const pairs: QueryPair[] = [];
  for (const part of query.split('&')) {
    if (part === '') continue;
    const equals = part.indexOf('=');
    const name = decode(equals === -1 ? part : part.slice(0, equals), 'The name of a query parameter');
    const value = equals === -1 ? '' : decode(part.slice(equals + 1), `The query parameter ${shown(name)}`);
    pairs.push([name, value]);
  }
  return pairs;
}

function decode(text: string, what: string): string {
  if (!text.includes('%') && !text.includes('+')) return text;
  const decoded = decodePercent(text.replaceAll('+', ' '));
  if (decoded === null)
    throw malformed(`${what} is not percent-encoded UTF-8; encode it, a percent sign as %25`);
  if (decoded.includes('\0')) throw malformed(`${what} has a NUL character`);
  return decoded;
}

/** Decodes percent-encoded UTF-8; null when it is something else. */
export function decodePercent(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}
