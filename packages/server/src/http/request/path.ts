import { ApiError, malformed } from '@kontor/contract';
import type { TObject } from 'typebox';
import { decodePercent } from './query.ts';

/** The path of an operation with `{name}` as the router wants it: `:name`. */
export function routePattern(path: string): string {
  return path.replaceAll(/\{(\w+)\}/g, ':$1');
}

/**
 * A request target that the router can decode, so that bad percent-encoding still reaches the stages in their order:
 * every percent sign of such a path is escaped. Asterisk and authority forms get a slash and are unknown routes.
 */
export function routableTarget(target: string): string {
  const path = pathOf(target);
  const rest = target.slice(path.length);
  if (path.includes('%') && decodePercent(path) === null) return path.replaceAll('%', '%25') + rest;
  return path.startsWith('/') || /^https?:\/\/[^/]*\//.test(path) ? target : `/${target}`;
}

function pathOf(target: string): string {
  const mark = target.indexOf('?');
  return mark === -1 ? target : target.slice(0, mark);
}

/** Whether the path of a request target, as it came in, is percent-encoded UTF-8. */
export function isDecodable(target: string): boolean {
  return decodePercent(pathOf(target)) !== null;
}

/**
 * Checks the path parameters of an operation and returns them, identifiers of resources in lower case; `target` is the request
 * target as it came in.
 * @throws ApiError INVALID_REFERENCE_ID for an identifier that is none, 400 VALIDATION_ERROR for any other parameter that is not
 * of its type, and when the path is not percent-encoded UTF-8.
 */
export type PathContract = (sent: Readonly<Record<string, string>>, target: string) => Record<string, string>;

/** What a path parameter can be, by the format of its schema. */
const types: Readonly<Record<string, { readonly words: string; readonly isIdentifier?: true }>> = {
  id: { words: '24 hexadecimal characters', isIdentifier: true },
  'key-id': { words: 'the 12 letters and digits that name a key', isIdentifier: true },
  period: { words: 'a year and a month, such as 2026-10' },
};

/** Compiles the path parameters of an operation. @throws Error for one of a type that paths do not have. */
export function compilePath(schema: TObject): PathContract {
  const readers = Object.entries<ParameterSchema>(schema.properties).map(
    ([name, property]) => [name, readerOf(name, property)] as const,
  );
  return (sent, target) => {
    const parameters: Record<string, string> = {};
    for (const [name, read] of readers) {
      const value = read(sent[name]!);
      if (value instanceof ApiError)
        throw isDecodable(target) ? value : malformed('The path is not percent-encoded UTF-8');
      parameters[name] = value;
    }
    return parameters;
  };
}

interface ParameterSchema {
  readonly pattern?: string;
  readonly format?: string;
}

function readerOf(
  name: string,
  { pattern, format = '' }: ParameterSchema,
): (text: string) => string | ApiError {
  const type = types[format];
  if (type === undefined || pattern === undefined)
    throw new Error(
      `the path parameter ${name} needs a pattern, and a format of ${Object.keys(types).join(', ')}`,
    );
  const shape = new RegExp(pattern);
  const message = `${name} in the path must be ${type.words}`;
  const refusal = () =>
    type.isIdentifier ? new ApiError('INVALID_REFERENCE_ID', message) : malformed(message);
  return text => {
    if (!shape.test(text)) return refusal();
    return format === 'id' ? text.toLowerCase() : text;
  };
}
