import { createHash } from 'node:crypto';
import { type Filter, unprocessable } from '@kontor/contract';
import type { CheckedList, Sort } from './check.ts';
import { type Keyset, keysetOf } from './keyset.ts';
import { isLater } from './literals.ts';
import type { Position } from './order.ts';

/**
 * The filter of a list together with its bounds of the creation time, which are comparisons as well.
 *
 * @throws ApiError 422 VALIDATION_ERROR for bounds in the wrong order.
 */
export function selectionOf({ filter, createdAtFrom: from, createdAtTo: to }: CheckedList): Filter | null {
  if (from !== null && to !== null && isLater(from, to))
    throw unprocessable('createdAtFrom must not be later than createdAtTo');
  const terms = [...termsOf(filter)];
  if (from !== null) terms.push({ kind: 'comparison', field: 'createdAt', operator: '>=', value: from });
  if (to !== null) terms.push({ kind: 'comparison', field: 'createdAt', operator: '<=', value: to });
  if (terms.length < 2) return terms[0] ?? null;
  return { kind: 'and', terms };
}

/** A name for the filter, short however long it is, and equal for equal filters. */
export function nameOf(filter: Filter | null): string {
  const { keysets, rest } = keysetOf({ terms: termsOf(filter) });
  return digest([rest, keysets]);
}

/**
 * The name of the filter with which a poller goes on behind a position of this list: the same one, but the bound on the
 * sort field is the position. Null where that filter would not select exactly the rows behind the position.
 */
export function nameBehind(filter: Filter | null, sort: Sort, end: Position): string | null {
  const { field, descending } = sort;
  if (field.name === 'id' || field.nullable || end.value === null) return null;
  const operator = descending ? '<' : '>';
  const { keysets, rest } = keysetOf({ terms: termsOf(filter) });
  const isBound = (term: Filter) =>
    term.kind === 'comparison' && term.field === field.name && term.operator.startsWith(operator);
  const others = keysets.filter(keyset => keyset.field !== field.name || keyset.operator !== operator);
  const next: Keyset = { field: field.name, operator, value: end.value, id: end.id };
  return digest([rest.filter(term => !isBound(term)), [...others, next]]);
}

/** The one field that all comparisons are about but those with the identifier, which break ties in a poller's filter. */
export function soleField(filter: Filter): string | null {
  if (!('terms' in filter)) return filter.field;
  const fields = new Set(filter.terms.map(soleField));
  fields.delete('id');
  return fields.size === 1 ? [...fields][0]! : null;
}

/** A short name for a value of any length. */
function digest(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('base64');
}

function termsOf(filter: Filter | null): readonly Filter[] {
  if (filter === null) return [];
  return filter.kind === 'and' ? filter.terms : [filter];
}
