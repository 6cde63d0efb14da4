import type { Comparison, Filter, Membership } from '@kontor/contract';
import { type ResolvedField, resolveField } from './compile.ts';
import { keysetsOf } from './keyset.ts';
import type { Selection } from './selection.ts';
import type { Column } from './table.ts';
import { conjunction, termsOf } from './whole-filter.ts';

/** Terms of a filter that an index serves: all that match them lie in one range of it, or in one for each value. */
export interface Bound {
  readonly on: ResolvedField;
  /** The index begins with the tenant of the scope, not only with the organization. */
  readonly inTenant: boolean;
  readonly terms: Filter;
  /** What else the filter asks for. */
  readonly rest: Filter | null;
}

/**
 * The terms of a filter that leave the fewest rows, as far as can be told without looking: an equality or a list of values
 * before a range, and a tenant or division last, since these have many rows each. Null where no term has an index.
 */
export function boundOf({ table, shape, filter }: Selection): Bound | null {
  const all = termsOf(filter);
  const { keysets, rest } = keysetsOf(all);
  const isIndexed = (field: string) => isIndexedFor(resolveField(table, field).column, shape.tenant);
  const lookups = rest.filter(isLookup).filter(term => isIndexed(term.field));
  const ranged = [
    ...keysets.map(({ keyset }) => keyset.field),
    ...rest.filter(isRange).map(term => term.field),
  ].filter(isIndexed);
  const lookup =
    lookups.find(term => !isPlace(resolveField(table, term.field).column)) ??
    (ranged.length === 0 ? lookups[0] : undefined);
  const field = lookup?.field ?? ranged[0];
  if (field === undefined) return null;
  const terms = lookup
    ? [lookup]
    : [
        ...keysets.filter(({ keyset }) => keyset.field === field).flatMap(keyset => keyset.terms),
        ...rest.filter(isRange).filter(term => term.field === field),
      ];
  const on = resolveField(table, field);
  return {
    on,
    inTenant: shape.tenant !== null && on.column.indexed!.includes('tenant'),
    terms: conjunction(terms)!,
    rest: conjunction(all.filter(term => !terms.includes(term))),
  };
}

function isIndexedFor({ indexed = [] }: Column, tenant: string | null): boolean {
  return indexed.includes('organization') || (tenant !== null && indexed.includes('tenant'));
}

/** Whether the term names the values that match. */
export function isLookup(term: Filter): term is Comparison | Membership {
  return term.kind === 'in' || (term.kind === 'comparison' && term.operator === '=');
}

function isRange(term: Filter): term is Comparison {
  return term.kind === 'comparison' && ['>', '>=', '<', '<='].includes(term.operator);
}

/** Whether the column says where a row belongs, as the scope does. */
function isPlace({ name }: Column): boolean {
  return name === 'tenant_id' || name === 'division_id';
}
