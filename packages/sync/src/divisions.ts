import { type Division, fold } from '@kontor/sdk';
import type { DivisionPath } from './source/source.ts';

/**
 * Knowledge of the file: the divisions of its paths and numbers, and the path that each number last had. Null stands for the identifier of a
 * division that is created.
 */
export type References = Readonly<Record<string, string | null>>;

/** A division that Kontor lacks. */
export interface NewDivision {
  /** Stands for its identifier until it is created. */
  readonly reference: string;
  /** The identifier or reference of its parent; null for a root. */
  readonly parent: string | null;
  readonly name: string;
  readonly path: string;
  readonly references: References;
}

export interface Rename {
  readonly id: string;
  readonly version: string;
  readonly before: string;
  readonly name: string;
  readonly references: References;
}

/** The divisions of a plan. */
export interface DivisionPlan {
  /** Parents come first. */
  readonly creates: readonly NewDivision[];
  readonly renames: readonly Rename[];
  /** Divisions that the file has moved, or that both sides have renamed: a person changes them in the portal. */
  readonly moves: readonly { readonly before: string; readonly after: string }[];
  /** New knowledge of the paths and numbers of the file. */
  readonly references: ReadonlyMap<string, string>;
  /** The identifier or reference of a path; undefined for an unknown one. */
  idOf(path: DivisionPath): string | undefined;
}

const separator = ' / ';
const maxNameLength = 200;

const pathOf = (names: readonly string[]) => names.join(separator);
const pathReference = (names: readonly string[]) => `path ${names.map(fold).join('/')}`;
/** Whether a division has no identifier yet, but is named by its path. */
export const isPathReference = (id: string) => id.startsWith('path ');
const keyReference = (key: string) => `key ${key}`;
const sourceReference = (key: string) => `source ${key}`;

/** The names of divisions from the root. */
function namesOf(divisions: ReadonlyMap<string, Division>): Map<string, string[]> {
  const paths = new Map<string, string[]>();
  for (const { id } of divisions.values()) {
    const names: string[] = [];
    // No tree is as deep, so a circle ends as well.
    for (let at = divisions.get(id); at && names.length < 100; at = divisions.get(at.parentId ?? ''))
      names.unshift(at.name);
    paths.set(id, names);
  }
  return paths;
}

/** The path of each division, as people write it. */
export const pathsOf = (divisions: ReadonlyMap<string, Division>): Map<string, string> =>
  new Map([...namesOf(divisions)].map(([id, names]) => [id, pathOf(names)]));

/**
 * Plans the divisions of a file. A path that the tool has used before means the same division, also after a person has renamed or moved it in
 * Kontor. So does a number, whose division takes the name of the file when only the file has changed it. Other paths are found by their names, or created.
 */
export function planDivisions(
  wanted: readonly DivisionPath[],
  divisions: ReadonlyMap<string, Division>,
  known: ReadonlyMap<string, string>,
  isCreating: boolean,
): DivisionPlan {
  const paths = namesOf(divisions);
  const byPath = new Map([...paths].map(([id, names]) => [pathReference(names), id]));
  const references = new Map(
    [...known].filter(([name, id]) => name.startsWith('source ') || divisions.has(id)),
  );
  const creates = new Map<string, NewDivision>();
  const renames = new Map<string, Rename>();
  const moves = new Map<string, { before: string; after: string }>();

  const find = (reference: string) => references.get(reference) ?? byPath.get(reference);
  const resolve = (names: readonly string[]): string | null => {
    if (names.length === 0) return null;
    const reference = pathReference(names);
    const id = find(reference);
    if (id !== undefined) {
      references.set(reference, id);
      return id;
    }
    if (!creates.has(reference)) {
      const parent = resolve(names.slice(0, -1));
      const name = names.at(-1)!;
      creates.set(reference, {
        reference,
        parent,
        name,
        path: pathOf(names),
        references: { [reference]: null },
      });
    }
    return reference;
  };

  const resolveKeyed = (names: readonly string[], key: string): void => {
    const id = references.get(keyReference(key));
    if (id === undefined) {
      const found = resolve(names)!;
      const created = creates.get(found);
      if (created)
        Object.assign(created.references, {
          [keyReference(key)]: null,
          [sourceReference(key)]: pathOf(names),
        });
      else references.set(keyReference(key), found).set(sourceReference(key), pathOf(names));
      return;
    }
    const last = known.get(sourceReference(key));
    const path = paths.get(id)!;
    const [before, after] = [pathOf(path), pathOf(names)];
    if (last === after) return;
    if (last === undefined || pathReference(path) === pathReference(names)) {
      references.set(sourceReference(key), after);
      return;
    }
    const [name, lastName] = [names.at(-1)!, last.split(separator).at(-1)!];
    const isMoved = last !== pathOf([...names.slice(0, -1), lastName]);
    if (isMoved || fold(path.at(-1)!) !== fold(lastName)) moves.set(id, { before, after });
    else {
      const version = divisions.get(id)!.updatedAt;
      renames.set(id, { id, version, before, name, references: { [sourceReference(key)]: after } });
    }
  };

  /** Nothing is created or renamed for a path that may be one name: a person does it. */
  const isUnclear = ({ names, key, isAmbiguous }: DivisionPath): boolean => {
    const reference = pathReference(names);
    if (!isAmbiguous || find(reference) !== undefined || creates.has(reference)) return false;
    const id = key === null ? undefined : references.get(keyReference(key));
    if (id !== undefined && known.get(sourceReference(key!)) !== pathOf(names))
      moves.set(id, { before: pathOf(paths.get(id)!), after: pathOf(names) });
    return true;
  };

  // Short paths first, so that parents are known. Clear paths tell what the others mean.
  const rank = ({ names, isAmbiguous }: DivisionPath) => names.length + (isAmbiguous ? 1000 : 0);
  for (const path of wanted.toSorted((one, other) => rank(one) - rank(other))) {
    if (path.names.length === 0 || path.names.some(name => name.length > maxNameLength)) continue;
    if (isUnclear(path)) continue;
    if (path.key === null) resolve(path.names);
    else resolveKeyed(path.names, path.key);
  }
  return {
    creates: isCreating ? [...creates.values()] : [],
    renames: [...renames.values()],
    moves: [...moves.values()],
    references,
    idOf({ names, key }) {
      const reference = pathReference(names);
      const id = (key === null ? undefined : references.get(keyReference(key))) ?? references.get(reference);
      return id ?? (isCreating && creates.has(reference) ? reference : undefined);
    },
  };
}
