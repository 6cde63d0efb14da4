import { hash } from 'node:crypto';
import type { Filter } from '@kontor/contract';
import type { Sort } from './check.ts';
import { type Keyset, keysetsOf } from './keyset.ts';
import type { Position } from './order.ts';
import { termsOf } from './whole-filter.ts';

/** A name for the filter, short however long it is, and equal for equal filters. */
export function nameOf(filter: Filter | null): string {
  const { keysets, rest } = keysetsOf(termsOf(filter));
  return digest([rest, keysets.map(({ keyset }) => keyset)]);
}

/**
 * The name of the filter with which a poller goes on behind a position of this list: the same one, but the bound on the
 * sort field is the position. Null where that filter would not select exactly the rows behind the position.
 */
export function nameBehind(filter: Filter | null, sort: Sort, end: Position): string | null {
  const { field, descending } = sort;
  if (field.name === 'id' || field.nullable || end.value === null) return null;
  const operator = descending ? '<' : '>';
  const { keysets, rest } = keysetsOf(termsOf(filter));
  const isBound = (term: Filter) =>
    term.kind === 'comparison' && term.field === field.name && term.operator.startsWith(operator);
  const others = keysets
    .map(({ keyset }) => keyset)
    .filter(keyset => keyset.field !== field.name || keyset.operator !== operator);
  const next: Keyset = { field: field.name, operator, value: end.value, id: end.id };
  return digest([rest.filter(term => !isBound(term)), [...others, next]]);
}

/** A short name for a value of any length. */
function digest(value: unknown): string {
  return hash('sha256', JSON.stringify(value), 'base64');
}
