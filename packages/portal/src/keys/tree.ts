import type { AnswerOf } from '../api/ask.ts';

export type Division = AnswerOf<'GET /divisions'>['items'][number];

/** The divisions of a company by what they are below. */
export interface Tree {
  readonly byId: ReadonlyMap<string, Division>;
  /** In their order; those of null are the roots. */
  readonly below: ReadonlyMap<string | null, readonly Division[]>;
}

export function treeOf(divisions: readonly Division[]): Tree {
  const byId = new Map(divisions.map(division => [division.id, division]));
  const below = new Map<string | null, Division[]>();
  for (const division of divisions) {
    // Whoever does not see what a division is below sees it as a root.
    const parent = division.parentId !== null && byId.has(division.parentId) ? division.parentId : null;
    const siblings = below.get(parent);
    if (siblings) siblings.push(division);
    else below.set(parent, [division]);
  }
  return { byId, below };
}

/** What a division is below, the root first. */
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

/** Divisions whose names have the words in them, in any letter case, `most` at the most. */
export function found(divisions: readonly Division[], words: string, most: number): Division[] {
  const wanted = words.normalize('NFC').toLowerCase();
  const matches: Division[] = [];
  for (const division of divisions) {
    if (!division.name.normalize('NFC').toLowerCase().includes(wanted)) continue;
    matches.push(division);
    if (matches.length === most) break;
  }
  return matches;
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
