import type { Scope } from '../../scope.ts';
import type { Place } from './rules.ts';

/** Where a new employee goes, and the version of the tree that this was decided on; null when the tree had no say. */
export interface Placed {
  readonly place: Place;
  readonly treeVersion: string | null;
}

/** Most placements that are remembered for one scope. */
const memory = 1_000;

/**
 * Where employees of a scope were placed last, by what their requests named, so that a write that goes the same way need
 * not read the tree first. It may be out of date: the write itself proves the version of the tree. Refusals are not
 * remembered, nor is anything longer than the scope itself, which is read anew every few seconds.
 */
export class Placements {
  readonly #scopes = new WeakMap<Scope, Map<string, Placed>>();

  get(scope: Scope, tenant: string | null, divisionId: string | null): Placed | undefined {
    return this.#scopes.get(scope)?.get(nameOf(tenant, divisionId));
  }

  keep(scope: Scope, tenant: string | null, divisionId: string | null, placed: Placed): void {
    const known = this.#scopes.get(scope) ?? new Map<string, Placed>();
    if (known.size >= memory) known.clear();
    known.set(nameOf(tenant, divisionId), placed);
    this.#scopes.set(scope, known);
  }
}

function nameOf(tenant: string | null, divisionId: string | null): string {
  return `${tenant ?? ''}/${divisionId ?? ''}`;
}
