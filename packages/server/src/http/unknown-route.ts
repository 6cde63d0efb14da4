import { type Api, ApiError, type Operation } from '@kontor/contract';
import { nearestName } from '../lib/nearest-name.ts';

/**
 * The refusal of a method and path that name no operation. It says so when a path without its prefix, with a slash at its end, with
 * a word slightly wrong or with another method was probably meant to be one of the contract. A path that was refused before it was
 * read has no target.
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

/** The paths of an API. */
interface KnownPaths {
  /** The operations of each path. */
  readonly operations: ReadonlyMap<string, readonly Operation[]>;
  /** The words of the paths: `employees`, `decision` and so on. */
  readonly words: ReadonlySet<string>;
  /** Segments of the longest path. */
  readonly longest: number;
}

function knownPathsOf(api: Api): KnownPaths {
  const operations = Map.groupBy(Object.values(api.operations), ({ path }) => path);
  const paths = Array.from(operations.keys(), path => path.split('/'));
  const words = paths.flat().filter(part => part !== '' && !part.startsWith('{'));
  return { operations, words: new Set(words), longest: Math.max(...paths.map(({ length }) => length)) };
}

function generalAdvice({ prefix }: Api): string {
  return `There is no such operation; check method and path against ${prefix}/openapi.json`;
}

/** How the paths of other services begin. */
const beginnings = /^(?:\/(?:api|rest|v[0-9]+))*(?=\/)/i;

function advice({ prefix }: Api, known: KnownPaths, method: string, path: string): string | null {
  const prefixed = path.startsWith(`${prefix}/`);
  const begun = prefixed ? prefix : (beginnings.exec(path)?.[0] ?? '');
  const below = path.slice(begun.length);
  // One segment more than any path has is enough to tell that it is none.
  const segments = below.replace(/\/$/, '').split('/', known.longest + 1);
  const meant = segments.map(segment => meantWord(segment, known));
  const found = pathsLike(meant, known);
  if (found === null) return null;
  const [template, methods] = found;
  const changes = [
    ...(prefixed ? [] : [`begin the path with ${prefix}`]),
    ...meant.filter((word, index) => word !== segments[index]).map(word => `write ${word}`),
    ...(below.endsWith('/') ? ['leave out the slash at its end'] : []),
    ...(methods.includes(method) ? [] : [`use ${methods.join(' or ')} instead of ${method}`]),
  ];
  if (changes.length === 0) return null;
  return `There is no such operation: ${new Intl.ListFormat('en-GB').format(changes)} (${prefix}${template})`;
}

/** The word of a path that a segment was probably meant to be, or the segment. */
function meantWord(segment: string, { words }: KnownPaths): string {
  return words.has(segment) ? segment : (nearestName(segment, words) ?? segment);
}

/** The path of the contract that segments are like, with its methods. */
function pathsLike(
  segments: readonly string[],
  { operations }: KnownPaths,
): [template: string, methods: string[]] | null {
  for (const [template, found] of operations)
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
