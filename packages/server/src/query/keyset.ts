import type { Comparison, Filter } from '@kontor/contract';

/** All rows after one row, or before it, in the order of a field and the identifier. */
export interface Keyset {
  readonly field: string;
  readonly operator: '>' | '<';
  readonly value: string;
  readonly id: string;
}

interface KeysetTerms {
  readonly keyset: Keyset;
  readonly terms: readonly [Filter, Filter];
}

/**
 * Finds the pairs of terms by which a poller continues (specification.md 3.7, loss-free polling): `f >= T` and `(f > T OR id > I)`, or the
 * same with `<=` and `<`. A pair equals `(f, id) > (T, I)`. As two terms an index can only start at T, and a million rows may share T.
 */
export function keysetsOf(terms: readonly Filter[]): { keysets: KeysetTerms[]; rest: Filter[] } {
  const keysets: KeysetTerms[] = [];
  let rest = [...terms];
  for (const tie of terms) {
    const keyset = tieBreak(tie);
    const bound = keyset && rest.find(other => isBoundOf(other, keyset));
    if (!bound) continue;
    rest = rest.filter(other => other !== bound && other !== tie);
    keysets.push({ keyset, terms: [bound, tie] });
  }
  return { keysets, rest };
}

/** Parses `(f > T OR id > I)`, in either order. */
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
