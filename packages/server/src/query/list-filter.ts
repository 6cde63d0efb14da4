import { type Filter, unprocessable } from '@kontor/contract';
import type { CheckedList, Sort } from './check.ts';
import { isLater } from './literals.ts';
import { hash } from 'node:crypto';
import { type Keyset, keysetsOf } from './keyset.ts';
import type { Position } from './order.ts';

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

export function fieldsOf(filter: Filter | null): Set<string> {
  if (filter === null) return new Set();
  return new Set('terms' in filter ? filter.terms.flatMap(term => [...fieldsOf(term)]) : [filter.field]);
}

/** The only field that the filter compares, apart from the identifier, which breaks ties in a poller's filter. Null when there are several. */
export function soleField(filter: Filter): string | null {
  const fields = fieldsOf(filter);
  fields.delete('id');
  return fields.size === 1 ? [...fields][0]! : null;
}

/** A short name, equal for equal filters. */
export function nameOf(filter: Filter | null): string {
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
