import type { Division } from '@kontor/contract';
import type { Tree } from './tree.ts';

/** Where a division is put: below a parent (null: at the top level), behind a sibling (null: first; undefined: last). */
export interface Place {
  readonly parentId: string | null;
  readonly after: string | null | undefined;
}

/** The part of a row that something is dropped on. */
export type Zone = 'before' | 'into' | 'after';

/** The parent as the tree shows it. */
function siblingsOf(tree: Tree, { parentId }: Division): readonly Division[] {
  return tree.below.get(parentId !== null && tree.byId.has(parentId) ? parentId : null) ?? [];
}

/** The sibling that a division follows; null: it is the first. */
function predecessor(tree: Tree, division: Division): string | null {
  const siblings = siblingsOf(tree, division);
  return siblings[siblings.indexOf(division) - 1]?.id ?? null;
}

export function placeOf(tree: Tree, division: Division): Place {
  return { parentId: division.parentId, after: predecessor(tree, division) };
}

/** The place that a part of a row stands for. Behind an open row is its first child. */
export function placeAt(
  tree: Tree,
  moved: Division,
  { division, isOpen }: { division: Division; isOpen: boolean | null },
  zone: Zone,
): Place {
  const { id, parentId } = division;
  if (zone === 'into') return { parentId: id, after: undefined };
  if (zone === 'after') return isOpen ? { parentId: id, after: null } : { parentId, after: id };
  const before = siblingsOf(tree, division).filter(({ id }) => id !== moved.id);
  return { parentId, after: before[before.indexOf(division) - 1]?.id ?? null };
}

/** The place one further up or down among the siblings; null at the end. */
export function placeAmongSiblings(tree: Tree, division: Division, step: -1 | 1): Place | null {
  const siblings = siblingsOf(tree, division);
  const at = siblings.indexOf(division);
  const { parentId } = division;
  if (step === 1) return at + 1 < siblings.length ? { parentId, after: siblings[at + 1]!.id } : null;
  return at > 0 ? { parentId, after: siblings[at - 2]?.id ?? null } : null;
}

export function isSamePlace(one: Place, other: Place): boolean {
  return one.parentId === other.parentId && one.after === other.after;
}
