import { ApiError, idPattern, malformed } from '@kontor/contract';
import { decodePercent } from './query-string.ts';

const identifier = new RegExp(idPattern);

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
 * The path parameters of an operation, all of them identifiers, in lower case; `target` is the request target as it came in.
 * @throws ApiError INVALID_REFERENCE_ID, or 400 VALIDATION_ERROR when the path is not percent-encoded UTF-8.
 */
export function checkPath(sent: Readonly<Record<string, string>>, target: string): Record<string, string> {
  const parameters: Record<string, string> = {};
  for (const name in sent) {
    const value = sent[name]!;
    if (!identifier.test(value)) {
      if (!isDecodable(target)) throw malformed('The path is not percent-encoded UTF-8');
      throw new ApiError('INVALID_REFERENCE_ID', `${name} in the path must be 24 hexadecimal characters`);
    }
    parameters[name] = value.toLowerCase();
  }
  return parameters;
}
