import { type Api, ApiError, apis as allApis, type Operation } from '@kontor/contract';
import { nearestName } from '../lib/nearest-name.ts';

/** The error for an unknown operation, with the most similar path. `target` is absent if the path was rejected before it was read. */
export type UnknownRoute = (method?: string, target?: string) => ApiError;

/** Its `path` is for the log: {@link maskPath}. */
class UnknownOperation extends ApiError {
  readonly path: string;

  constructor(advice: string, path: string) {
    super('NOT_FOUND', `There is no such operation; ${advice}`);
    this.path = maskPath(path);
  }
}

/** Makes the errors of several APIs. A path without a known prefix gets the suggestion of the first API. */
export function unknownRouteOf(apis: readonly Api[]): UnknownRoute {
  return (method = '', target = '') => {
    const path = pathOf(target);
    const api = findApi(apis, target) ?? apis[0]!;
    return new UnknownOperation(advice(api, method, path), path);
  };
}

/** The path of a target in its origin or absolute form (RFC 9112 section 3.2). */
function pathOf(target: string): string {
  return target.replace(/^https?:\/\/[^/]*/, '').split('?', 1)[0]!;
}

/** The API that the target has the prefix of. */
export function findApi(apis: readonly Api[], target: string): Api | undefined {
  const path = pathOf(target);
  return apis.find(({ prefix }) => path.startsWith(`${prefix}/`));
}

function advice({ prefix, operations }: Api, method: string, path: string): string {
  const methods = Map.groupBy<string, Operation>(Object.values(operations), one => prefix + one.path);
  const written = path.replaceAll(/\/[0-9a-f]{24}(?=\/|$)/gi, '/{id}');
  const meant = nearestName(written, methods.keys());
  if (meant === null) return `check method and path against ${prefix}/openapi.json`;
  const known = methods.get(meant)!.map(one => one.method);
  const isMethodKnown = known.some(one => one === method);
  if (meant === written) return `use ${known.join(' or ')} instead of ${method}`;
  return `did you mean ${isMethodKnown ? method : known.join(' or ')} ${meant}?`;
}

/** The beginnings of the paths of all operations; a parameter is `*`. */
const knownPaths = new Set(
  Object.values(allApis).flatMap(({ prefix, operations }) =>
    Object.values<Operation>(operations).flatMap(({ path }) => {
      const segments = `${prefix}${path}`.replaceAll(/\{\w+\}/g, '*').split('/');
      return segments.map((_, index) => segments.slice(0, index + 1).join('/'));
    }),
  ),
);

const maxSegments = 8;

/**
 * The path up to its first unknown segment, which is shown if it looks like a word. Values of parameters and what follows are `*`, as
 * they may be secrets or personal data.
 */
function maskPath(path: string): string {
  let masked = '';
  for (const segment of path.split('/').slice(1, maxSegments + 1)) {
    const isKnown = knownPaths.has(`${masked}/${segment}`);
    const isFirstUnknown = knownPaths.has(masked) && !knownPaths.has(`${masked}/*`);
    const isShown = isKnown || (isFirstUnknown && /^[a-z][a-zA-Z._-]{0,30}$/.test(segment));
    masked += `/${isShown ? segment : '*'}`;
  }
  return masked;
}
