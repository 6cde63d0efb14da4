import { type Api, ApiError, type Operation } from '@kontor/contract';

/**
 * The refusal of a method and path that name no operation. It says so when a path without its prefix, with a slash at its end or with
 * another method was probably meant to be one of the contract. A path that was refused before it was read has no target.
 */
export type UnknownRoute = (method?: string, target?: string) => ApiError;

/** Refuses what none of the APIs has; what begins like none of them is held for one of the first. */
export function unknownRouteOf(apis: readonly Api[]): UnknownRoute {
  const advisors = apis.map(api => ({ api, known: knownPathsOf(api) }));
  return (method = '', target = '') => {
    const path = pathOf(target);
    const { api, known } = advisors.find(({ api }) => path.startsWith(`${api.prefix}/`)) ?? advisors[0]!;
    return new ApiError('NOT_FOUND', advice(api, known, method, path) ?? generalAdvice(api));
  };
}

/** The methods of each path of an API, by its segments. */
type KnownPaths = ReadonlyMap<string, readonly Operation[]>;

function knownPathsOf({ operations }: Api): KnownPaths {
  return Map.groupBy(Object.values(operations), ({ path }) => path);
}

function generalAdvice({ prefix }: Api): string {
  return `There is no such operation; check method and path against ${prefix}/openapi.json`;
}

function advice({ prefix }: Api, known: KnownPaths, method: string, path: string): string | null {
  const prefixed = path.startsWith(`${prefix}/`);
  const below = prefixed ? path.slice(prefix.length) : path;
  const found = pathsLike(known, below.replace(/\/$/, ''));
  if (found === null) return null;
  const [template, methods] = found;
  const changes = [
    ...(prefixed ? [] : [`begin the path with ${prefix}`]),
    ...(below.endsWith('/') ? ['leave out the slash at its end'] : []),
    ...(methods.includes(method) ? [] : [`use ${methods.join(' or ')} instead of ${method}`]),
  ];
  if (changes.length === 0) return null;
  return `There is no such operation: ${new Intl.ListFormat('en-GB').format(changes)} (${prefix}${template})`;
}

/** The path of the contract that a path is like, with its methods. */
function pathsLike(known: KnownPaths, path: string): [template: string, methods: string[]] | null {
  const segments = path.split('/');
  for (const [template, found] of known)
    if (matches(template.split('/'), segments)) return [template, found.map(({ method }) => method)];
  return null;
}

function matches(template: readonly string[], segments: readonly string[]): boolean {
  return (
    template.length === segments.length &&
    template.every((part, index) =>
      part.startsWith('{') ? segments[index] !== '' : part === segments[index],
    )
  );
}

/** The path of a request target, in its origin or absolute form (RFC 9112 section 3.2). */
function pathOf(target: string): string {
  return target.replace(/^https?:\/\/[^/]*/, '').split('?', 1)[0]!;
}
