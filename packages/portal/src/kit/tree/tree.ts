import type { Division } from '@kontor/contract';
import { finderOf, searchedText } from '@kontor/contract/filter';

/** The divisions of a company by what they are below. */
export interface Tree {
  readonly byId: ReadonlyMap<string, Division>;
  /** In their order; those of null are the roots. */
  readonly below: ReadonlyMap<string | null, readonly Division[]>;
  /** Names by identifier, as they are searched. */
  readonly names: ReadonlyMap<string, string>;
}

export function treeOf(divisions: readonly Division[]): Tree {
  const byId = new Map(divisions.map(division => [division.id, division]));
  const below = new Map<string | null, Division[]>();
  for (const division of divisions.toSorted(
    (one, other) => one.order - other.order || (one.id < other.id ? -1 : 1),
  )) {
    // A division is shown as a root if the user has no access to its parent.
    const parent = division.parentId !== null && byId.has(division.parentId) ? division.parentId : null;
    const siblings = below.get(parent);
    if (siblings) siblings.push(division);
    else below.set(parent, [division]);
  }
  return { byId, below, names: new Map(divisions.map(({ id, name }) => [id, searchedText(name)])) };
}

/** The ancestors of a division, the root first. */
export function ancestorsOf({ byId }: Tree, { parentId }: Division): Division[] {
  const ancestors: Division[] = [];
  for (let id = parentId; id !== null;) {
    const division = byId.get(id);
    if (!division) break;
    ancestors.unshift(division);
    id = division.parentId;
  }
  return ancestors;
}

/** Divisions with the words in their names, or with this cost centre or identifier, with all that they are below. */
export function findNodes(tree: Tree, words: string): { matches: number; shown: ReadonlySet<string> } {
  const isFound = finderOf(words);
  const wanted = words.toLowerCase();
  const shown = new Set<string>();
  let matches = 0;
  for (const division of tree.byId.values()) {
    const { id, costCenter } = division;
    const hit = isFound(tree.names.get(id)!) || id === wanted || costCenter?.toLowerCase() === wanted;
    if (!hit) continue;
    matches++;
    for (
      let at: Division | undefined = division;
      at && !shown.has(at.id);
      at = tree.byId.get(at.parentId ?? '')
    )
      shown.add(at.id);
  }
  return { matches, shown };
}

/** A line of the tree as it is shown. */
export interface Row {
  readonly division: Division;
  /** From 1. */
  readonly level: number;
  /** Place among the siblings that are shown, from 1, and how many these are. */
  readonly position: number;
  readonly siblings: number;
  /** Null: there is nothing below. */
  readonly isOpen: boolean | null;
}

/** The lines of a tree from top to bottom, of those that a search has found or (null) of all: what is below is there where it is open. */
export function rowsOf(tree: Tree, open: (id: string) => boolean, shown: ReadonlySet<string> | null): Row[] {
  const rows: Row[] = [];
  const add = (parent: string | null, level: number): void => {
    const all = tree.below.get(parent) ?? [];
    const visible = shown === null ? all : all.filter(({ id }) => shown.has(id));
    for (const [index, division] of visible.entries()) {
      const { id } = division;
      const hasBelow =
        shown === null
          ? tree.below.has(id)
          : (tree.below.get(id)?.some(child => shown.has(child.id)) ?? false);
      const isOpen = hasBelow ? open(id) : null;
      rows.push({ division, level, position: index + 1, siblings: visible.length, isOpen });
      if (isOpen) add(id, level + 1);
    }
  };
  add(null, 1);
  return rows;
}

/** Effects of keyboard keys in a tree, following the WAI-ARIA tree view pattern. */
export type Step = { readonly to: number } | { readonly open: string } | { readonly close: string };

/** The effect of a keyboard key on a node; null if the tree does not handle the key. */
export function stepOf(rows: readonly Row[], at: number, key: string): Step | null {
  const row = rows[at];
  if (!row) return null;
  switch (key) {
    case 'ArrowDown':
      return { to: Math.min(at + 1, rows.length - 1) };
    case 'ArrowUp':
      return { to: Math.max(at - 1, 0) };
    case 'Home':
      return { to: 0 };
    case 'End':
      return { to: rows.length - 1 };
    case 'PageDown':
      return { to: Math.min(at + 10, rows.length - 1) };
    case 'PageUp':
      return { to: Math.max(at - 10, 0) };
    case 'ArrowRight':
      if (row.isOpen === false) return { open: row.division.id };
      return { to: row.isOpen ? at + 1 : at };
    case 'ArrowLeft':
      if (row.isOpen) return { close: row.division.id };
      return {
        to: Math.max(
          0,
          rows.findLastIndex(({ level }, index) => index < at && level < row.level),
        ),
      };
    default:
      return null;
  }
}

/** The next line, from below the present one round to it, with a name that begins with the typed text. */
export function typedTo({ names }: Tree, rows: readonly Row[], at: number, typed: string): number {
  const [wanted] = searchedText(typed).split('\n', 1);
  // More letters go on with the line that the ones before have led to.
  const first = typed.length === 1 ? at + 1 : at;
  for (let step = 0; step < rows.length; step++) {
    const index = (first + step) % rows.length;
    if (names.get(rows[index]!.division.id)!.startsWith(wanted!)) return index;
  }
  return at;
}

/** The chosen division that one comes with, as it is below it. */
export function chosenAbove(
  { byId }: Tree,
  chosen: ReadonlySet<string>,
  { parentId }: Division,
): Division | undefined {
  for (let at = byId.get(parentId ?? ''); at; at = byId.get(at.parentId ?? ''))
    if (chosen.has(at.id)) return at;
  return undefined;
}

/** The divisions with a chosen one somewhere below them. */
export function parentsOfChosen({ byId }: Tree, chosen: ReadonlySet<string>): ReadonlySet<string> {
  const parents = new Set<string>();
  for (const id of chosen)
    for (let at = byId.get(id)?.parentId; at && !parents.has(at); at = byId.get(at)?.parentId)
      parents.add(at);
  return parents;
}

/** The choice with a division in it, without those below, which come with it; or without the division. */
export function toggled(tree: Tree, chosen: ReadonlySet<string>, division: Division): Set<string> {
  const next = new Set(chosen);
  if (next.delete(division.id)) return next;
  for (const id of chosen) {
    const other = tree.byId.get(id);
    if (other && ancestorsOf(tree, other).includes(division)) next.delete(id);
  }
  return next.add(division.id);
}
