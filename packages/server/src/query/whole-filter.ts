import { type Filter, unprocessable } from '@kontor/contract';
import type { CheckedList } from './check.ts';
import { isLater } from './literals.ts';

/**
 * The filter of a list together with its bounds of the creation time, which are comparisons as well.
 *
 * @throws ApiError 422 VALIDATION_ERROR for bounds in the wrong order.
 */
export function wholeFilter({
  filter,
  createdAtFrom: from,
  createdAtTo: to,
}: Pick<CheckedList, 'filter' | 'createdAtFrom' | 'createdAtTo'>): Filter | null {
  if (from !== null && to !== null && isLater(from, to))
    throw unprocessable('createdAtFrom must not be later than createdAtTo');
  const terms = [...termsOf(filter)];
  if (from !== null) terms.push({ kind: 'comparison', field: 'createdAt', operator: '>=', value: from });
  if (to !== null) terms.push({ kind: 'comparison', field: 'createdAt', operator: '<=', value: to });
  return conjunction(terms);
}

/** The terms that all hold where the filter does, none of them a conjunction itself. */
export function termsOf(filter: Filter | null): readonly Filter[] {
  if (filter === null) return [];
  return filter.kind === 'and' ? filter.terms.flatMap(termsOf) : [filter];
}

/** The filter that holds where all terms do; null where there are no terms. */
export function conjunction(terms: readonly Filter[]): Filter | null {
  return terms.length < 2 ? (terms[0] ?? null) : { kind: 'and', terms };
}

/** The fields that the filter is about. */
export function fieldsOf(filter: Filter | null): Set<string> {
  if (filter === null) return new Set();
  return new Set('terms' in filter ? filter.terms.flatMap(term => [...fieldsOf(term)]) : [filter.field]);
}

/** The one field that all comparisons are about but those with the identifier, which break ties in a poller's filter. */
export function soleField(filter: Filter): string | null {
  const fields = fieldsOf(filter);
  fields.delete('id');
  return fields.size === 1 ? [...fields][0]! : null;
}
