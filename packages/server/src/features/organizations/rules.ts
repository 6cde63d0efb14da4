import { ApiError, unprocessable } from '@kontor/contract';

/** Deepest level of a division tree, its root being the first (decisions.md sections 2 and 5). */
const treeDepthMaximum = 20;
const nameMaximum = 200;

/**
 * Checks the name of an organization, tenant or division: 1 to 200 characters, no control characters or lone surrogates.
 * @throws ApiError 400 VALIDATION_ERROR naming the field.
 */
export function checkName(field: string, name: string): void {
  if (name.trim() === '' || [...name].length > nameMaximum || !name.isWellFormed() || /\p{Cc}/u.test(name))
    throw new ApiError(
      'VALIDATION_ERROR',
      `${field} must have 1 to ${nameMaximum} characters, and none of them a control character`,
      { status: 400 },
    );
}

/** @throws ApiError 422 VALIDATION_ERROR when a division below a parent of this depth (0: a root) lies too deep. */
export function checkDepth(parentDepth: number): void {
  if (parentDepth >= treeDepthMaximum)
    throw unprocessable(
      `parentId: a division tree is at most ${treeDepthMaximum} levels deep; choose a higher parent`,
    );
}

/** The place of a new division: behind its last sibling (null: it has none). */
export function orderAfter(lastSibling: number | null): number {
  return lastSibling === null ? 1 : Math.min(lastSibling + 1, Number.MAX_VALUE);
}
