import { type Api, ApiError, type Operation } from '@kontor/contract';
import { nearestName } from '../lib/nearest-name.ts';

/**
 * The error for a method and path that name no operation. It names the path of the contract that was probably meant. A path that
 * was rejected before it was read has no target.
 */
export type UnknownRoute = (method?: string, target?: string) => ApiError;

/** The errors for what none of the APIs has; a path with the prefix of none of them counts as one of the first. */
export function unknownRouteOf(apis: readonly Api[]): UnknownRoute {
  return (method = '', target = '') => {
    // The path of a target in its origin or absolute form (RFC 9112 section 3.2).
    const path = target.replace(/^https?:\/\/[^/]*/, '').split('?', 1)[0]!;
    const api = apis.find(({ prefix }) => path.startsWith(`${prefix}/`)) ?? apis[0]!;
    return new ApiError('NOT_FOUND', `There is no such operation; ${advice(api, method, path)}`);
  };
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
