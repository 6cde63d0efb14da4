import {
  ApiError,
  type CreatedListQuery,
  type Field,
  type FieldRegistry,
  type Filter,
  malformed,
  type Operator,
  operatorsOf,
  pageSizeDefault,
  parseFilter,
} from '@kontor/contract';
import type { Static } from 'typebox';
import { namesToUse } from '../lib/nearest-name.ts';

export type ListParameters = Readonly<Static<typeof CreatedListQuery>>;

export interface Sort {
  readonly field: Field;
  readonly descending: boolean;
}

/** The last row of a page: its sort value (as text) and identifier. */
export interface Position {
  readonly value: string | null;
  readonly id: string;
}

/** A list request that conforms to the contract. Literals are not read yet: an invalid one is 422, after the check of the tenant. */
export interface CheckedList {
  readonly page: number;
  readonly pageSize: number;
  readonly sort: Sort;
  readonly filter: Filter | null;
  readonly createdAtFrom: string | null;
  readonly createdAtTo: string | null;
}

/**
 * Checks the parameters of a list against the fields of the resource (specification.md 3).
 * @throws ApiError 400: INVALID_FILTER_SYNTAX, UNSUPPORTED_FILTER_FIELD, UNSUPPORTED_FILTER_OPERATOR, UNSUPPORTED_SORT_FIELD, or
 * VALIDATION_ERROR for a malformed sort
 */
export function checkList(
  query: ListParameters,
  fields: FieldRegistry,
  { ignoresAccents = false }: { readonly ignoresAccents?: boolean } = {},
): CheckedList {
  // The filter is checked before the sort: the first fault is reported.
  const checked = query.filter === undefined ? null : checkFilterText(query.filter, fields);
  const filter = checked && ignoresAccents ? withoutAccents(checked) : checked;
  return {
    page: query.page ?? 1,
    pageSize: query.pageSize ?? pageSizeDefault,
    sort: checkSort(query.sort, fields),
    filter,
    createdAtFrom: query.createdAtFrom ?? null,
    createdAtTo: query.createdAtTo ?? null,
  };
}

function checkSort(sort: string | undefined, fields: FieldRegistry): Sort {
  const parts = /^(-?)([A-Za-z0-9._]+)$/.exec(sort ?? 'id');
  if (!parts) throw malformed('sort must be one field, with a leading - for descending and no white space');
  const [, sign, name] = parts;
  const field = fields.get(name!);
  if (!field)
    throw new ApiError(
      'UNSUPPORTED_SORT_FIELD',
      `Cannot sort by "${shortened(name!)}". ${namesToUse(name!, 'Sortable fields', fields.keys())}`,
    );
  return { field, descending: sign === '-' };
}

function checkFilterText(text: string, fields: FieldRegistry): Filter {
  if (text.includes('\0') || !text.isWellFormed())
    throw malformed('filter must be valid Unicode text without the character NUL');
  const filter = parseFilter(text);
  checkFilter(filter, fields);
  return filter;
}

function checkFilter(filter: Filter, fields: FieldRegistry): void {
  if ('terms' in filter) {
    for (const term of filter.terms) checkFilter(term, fields);
    return;
  }
  const field = fields.get(filter.field);
  if (!field)
    throw new ApiError(
      'UNSUPPORTED_FILTER_FIELD',
      `Cannot filter by "${shortened(filter.field)}". ${namesToUse(filter.field, 'Filterable fields', fields.keys())}`,
    );
  const operator = operatorOf(filter);
  if (!operatorsOf[field.type].includes(operator))
    throw new ApiError(
      'UNSUPPORTED_FILTER_OPERATOR',
      `Field ${field.name} (${field.type}) does not support ${operator}. Use ${operatorsOf[field.type].join(', ')}`,
    );
}

/** The filter whose text operators also compare without accents. */
function withoutAccents(filter: Filter): Filter {
  if ('terms' in filter) return { ...filter, terms: filter.terms.map(withoutAccents) };
  return filter.kind === 'comparison' ? { ...filter, ignoresAccents: true } : filter;
}

function operatorOf(filter: Exclude<Filter, { terms: unknown }>): Operator {
  if (filter.kind === 'in') return 'IN';
  if (filter.kind === 'null') return filter.negated ? 'IS NOT NULL' : 'IS NULL';
  return filter.operator;
}

function shortened(name: string): string {
  return name.length <= 60 ? name : `${name.slice(0, 60)}…`;
}

export interface Column {
  readonly name: string;
  /** The text of the column is part of the `search` column of its row (see search-text.ts). */
  readonly search?: boolean;
  /** There is an index on (organization, tenant or division; this column; id) for each one listed. */
  readonly indexed?: readonly ('organization' | 'tenant' | 'division')[];
}

/**
 * A table that a collection reads. Its columns are `organization_id`, `tenant_id`, `division_id`, `id`, `doc` (the row's public JSON) and
 * one for every public field, also `search` if a column is searched. A string column holds folded text in collation "C", a date-time column
 * milliseconds. `counter` counts its rows under `resourceType`.
 */
export interface CollectionTable {
  readonly table: string;
  readonly resourceType: string;
  readonly fields: FieldRegistry;
  readonly columns: ReadonlyMap<string, Column>;
  /** The columns that the portal also searches without accents (accents.ts). One index has them, in this order. */
  readonly withoutAccents?: readonly string[];
}

/** A field with its column. Only {@link resolveField} turns a name of a request into SQL. */
export interface ResolvedField {
  readonly field: Field;
  readonly column: Column;
}

/** Returns the field and column of a name that {@link checkList} accepted. */
export function resolveField(table: CollectionTable, name: string): ResolvedField {
  const field = table.fields.get(name);
  const column = table.columns.get(name);
  if (!field || !column) throw new Error(`the table ${table.table} has no column for the field ${name}`);
  return { field, column };
}
