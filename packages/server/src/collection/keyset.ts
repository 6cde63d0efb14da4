import type { Comparison, Filter } from '@kontor/contract';

/** All rows behind (or before) one row, in the order of a field and the identifier. */
export interface Keyset {
  readonly field: string;
  readonly operator: '>' | '<';
  readonly value: string;
  readonly id: string;
}

/**
 * Finds in a conjunction the pairs of terms by which a poller continues, `f >= T` with `(f > T OR id > I)`, or the same
 * with `<=` and `<` (decisions.md section 3, loss-free polling). Each says what one row comparison says, `(f, id) > (T, I)`,
 * but as two terms an index can only start at T, and a million rows may share it.
 */
export function keysetOf(conjunction: { readonly terms: readonly Filter[] }): {
  keysets: Keyset[];
  rest: Filter[];
} {
  const rest = [...conjunction.terms];
  const keysets: Keyset[] = [];
  for (const term of conjunction.terms) {
    const keyset = tieBreak(term);
    const bound = keyset && rest.findIndex(other => isBoundOf(other, keyset));
    if (!keyset || bound === -1) continue;
    rest.splice(bound!, 1);
    rest.splice(rest.indexOf(term), 1);
    keysets.push(keyset);
  }
  return { keysets, rest };
}

/** `(f > T OR id > I)`, in either order. */
function tieBreak(filter: Filter): Keyset | null {
  if (filter.kind !== 'or' || filter.terms.length !== 2) return null;
  const [first, second] = filter.terms as [Filter, Filter];
  return pairOf(first, second) ?? pairOf(second, first);
}

function pairOf(bound: Filter, tie: Filter): Keyset | null {
  if (!isComparison(bound) || !isComparison(tie)) return null;
  if (tie.field !== 'id' || bound.field === 'id' || tie.operator !== bound.operator) return null;
  if (bound.operator !== '>' && bound.operator !== '<') return null;
  return { field: bound.field, operator: bound.operator, value: bound.value, id: tie.value };
}

function isBoundOf(filter: Filter, keyset: Keyset): boolean {
  return (
    isComparison(filter) &&
    filter.field === keyset.field &&
    filter.operator === `${keyset.operator}=` &&
    filter.value === keyset.value
  );
}

function isComparison(filter: Filter): filter is Comparison {
  return filter.kind === 'comparison';
}
