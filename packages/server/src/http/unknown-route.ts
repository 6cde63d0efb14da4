import { ApiError, type Operation, operations } from '@kontor/contract';
import { nearestName } from '../nearest-name.ts';

/** Where the API begins. */
const prefix = '/v1';

/** The methods of each path of the contract, by its segments. */
const known = Map.groupBy(Object.values<Operation>(operations), ({ path }) => path);

/** The words of these paths: `employees`, `decision` and so on. */
const words = new Set([...known.keys()].flatMap(path => path.split('/').filter(isWord)));

/** Segments of a path that are looked at: one more than any path of the contract has. */
const mostSegments = 6;

/**
 * The refusal of a method and path that name no operation. It says so when a path without its prefix, with a slash at its end, with
 * a word slightly wrong or with another method was probably meant to be one of the contract. A path that was refused before it was
 * read has no target.
 */
export function unknownRoute(method = '', target = ''): ApiError {
  return new ApiError('NOT_FOUND', advice(method, pathOf(target)) ?? generalAdvice);
}

const generalAdvice = 'There is no such operation; check method and path against /v1/openapi.json';

/** How the paths of other services begin, and ours. */
const beginnings = /^(?:\/(?:api|rest|v[0-9]+))*(?=\/)/i;

function advice(method: string, path: string): string | null {
  const [begun] = beginnings.exec(path) ?? [''];
  const below = path.slice(begun.length);
  const segments = below.replace(/\/$/, '').split('/', mostSegments);
  const meant = segments.map(meantWord);
  const found = pathsLike(meant);
  if (found === null) return null;
  const [template, methods] = found;
  const changes = [
    ...(begun === prefix ? [] : [`begin the path with ${prefix}`]),
    ...meant.filter((word, index) => word !== segments[index]).map(word => `write ${word}`),
    ...(below.endsWith('/') ? ['leave out the slash at its end'] : []),
    ...(methods.includes(method) ? [] : [`use ${methods.join(' or ')} instead of ${method}`]),
  ];
  if (changes.length === 0) return null;
  return `There is no such operation: ${new Intl.ListFormat('en-GB').format(changes)} (${prefix}${template})`;
}

/** The word of a path that a segment was probably meant to be, or the segment. */
function meantWord(segment: string): string {
  return words.has(segment) ? segment : (nearestName(segment, words) ?? segment);
}

/** The path of the contract that segments are like, with its methods. */
function pathsLike(segments: readonly string[]): [template: string, methods: string[]] | null {
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

function isWord(part: string): boolean {
  return part !== '' && !part.startsWith('{');
}

/** The path of a request target, in its origin or absolute form (RFC 9112 section 3.2). */
function pathOf(target: string): string {
  return target.replace(/^https?:\/\/[^/]*/, '').split('?', 1)[0]!;
}
