import { type Comparison, type Filter, unprocessable } from '@kontor/contract';
import type { CheckedList, Position, Sort } from './check.ts';
import { isLater } from './literals.ts';
import { hash } from 'node:crypto';

/**
 * Adds the bounds of the creation time to the filter of a list, as comparisons.
 * @throws ApiError 422 VALIDATION_ERROR for bounds in the wrong order
 */
export function combineFilter({
  filter,
  createdAtFrom: from,
  createdAtTo: to,
}: Pick<CheckedList, 'filter' | 'createdAtFrom' | 'createdAtTo'>): Filter | null {
  if (from !== null && to !== null && isLater(from, to))
    throw unprocessable('createdAtFrom must not be later than createdAtTo');
  const terms = [...conjunctsOf(filter)];
  if (from !== null) terms.push({ kind: 'comparison', field: 'createdAt', operator: '>=', value: from });
  if (to !== null) terms.push({ kind: 'comparison', field: 'createdAt', operator: '<=', value: to });
  return conjunction(terms);
}

/** Splits a filter into terms that are not conjunctions themselves. */
export function conjunctsOf(filter: Filter | null): readonly Filter[] {
  if (filter === null) return [];
  return filter.kind === 'and' ? filter.terms.flatMap(conjunctsOf) : [filter];
}

/** Joins terms with AND; null when there are none. */
export function conjunction(terms: readonly Filter[]): Filter | null {
  return terms.length < 2 ? (terms[0] ?? null) : { kind: 'and', terms };
}

function fieldsOf(filter: Filter): Set<string> {
  return new Set('terms' in filter ? filter.terms.flatMap(term => [...fieldsOf(term)]) : [filter.field]);
}

/** The only field that the filter compares, apart from the identifier, which breaks ties in a poller's filter. Null when there are several. */
export function soleField(filter: Filter): string | null {
  const fields = fieldsOf(filter);
  fields.delete('id');
  return fields.size === 1 ? [...fields][0]! : null;
}

/** Whether a filter bounds `updatedAt` from below only, so that it excludes nothing newer. */
export function isOpenEnded(filter: Filter | null): boolean {
  if (filter === null) return true;
  if ('terms' in filter) return filter.terms.every(isOpenEnded);
  if (filter.field !== 'updatedAt') return true;
  return filter.kind === 'comparison' && filter.operator.startsWith('>');
}

/** A short name, equal for equal filters. */
export function nameOf(filter: Filter | null): string {
  if (filter === null) return '';
  const { keysets, rest } = keysetsOf(conjunctsOf(filter));
  return digest([rest, keysets.map(({ keyset }) => keyset)]);
}

/**
 * The name of the filter by which a poller continues behind a position of this list: its bound on the sort field is the position.
 * Null if that filter would not select exactly the rows behind the position.
 */
export function nameBehind(filter: Filter | null, sort: Sort, end: Position): string | null {
  const { field, descending } = sort;
  if (field.name === 'id' || field.nullable || end.value === null) return null;
  const operator = descending ? '<' : '>';
  const { keysets, rest } = keysetsOf(conjunctsOf(filter));
  const isBound = (term: Filter) =>
    term.kind === 'comparison' && term.field === field.name && term.operator.startsWith(operator);
  const others = keysets
    .map(({ keyset }) => keyset)
    .filter(keyset => keyset.field !== field.name || keyset.operator !== operator);
  const next: Keyset = { field: field.name, operator, value: end.value, id: end.id };
  return digest([rest.filter(term => !isBound(term)), [...others, next]]);
}

function digest(value: unknown): string {
  return hash('sha256', JSON.stringify(value), 'base64');
}

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
