import { isDeepStrictEqual } from 'node:util';

/** The fields of a patch that change a resource, in the order of the patch. */
export function changedFields<Patch extends object>(
  before: { readonly [Name in keyof Patch]-?: unknown },
  patch: Patch,
): (keyof Patch)[] {
  const names = Object.keys(patch) as (keyof Patch)[];
  // `===` too: for isDeepStrictEqual, -0 differs from the 0 that is stored.
  return names.filter(
    name =>
      patch[name] !== undefined &&
      patch[name] !== before[name] &&
      !isDeepStrictEqual(patch[name], before[name]),
  );
}
