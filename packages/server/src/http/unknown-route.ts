import { type Api, ApiError, type Operation } from '@kontor/contract';
import { nearestName } from '../lib/nearest-name.ts';

/** The error for an unknown operation, with the most similar path. `target` is absent if the path was rejected before it was read. */
export type UnknownRoute = (method?: string, target?: string) => ApiError;

/** Makes the errors of several APIs. A path without a known prefix gets the suggestion of the first API. */
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
