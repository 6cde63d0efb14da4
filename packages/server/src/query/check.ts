import {
  ApiError,
  type Field,
  type FieldRegistry,
  type Filter,
  malformed,
  type Operator,
  operatorsOf,
  pageSizeDefault,
  parseFilter,
} from '@kontor/contract';
import { namesToUse } from '../lib/nearest-name.ts';

export interface ListParameters {
  readonly page?: number;
  readonly pageSize?: number;
  readonly sort?: string;
  readonly filter?: string;
  readonly createdAtFrom?: string;
  readonly createdAtTo?: string;
}

export interface Sort {
  readonly field: Field;
  readonly descending: boolean;
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
  const checked = query.filter === undefined ? null : checkFilterText(query.filter, fields);
  const filter = checked && ignoresAccents ? withoutAccents(checked) : checked;
  const createdAtFrom = query.createdAtFrom ?? null;
  const createdAtTo = query.createdAtTo ?? null;
  return {
    page: query.page ?? 1,
    pageSize: query.pageSize ?? pageSizeDefault,
    sort: checkSort(query.sort, fields),
    filter,
    createdAtFrom,
    createdAtTo,
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
      `sort does not take ${shortened(name!)}; ${namesToUse(name!, fields.keys())}`,
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
      `filter does not take the field ${shortened(filter.field)}; ${namesToUse(filter.field, fields.keys())}`,
    );
  const operator = operatorOf(filter);
  if (!operatorsOf[field.type].includes(operator))
    throw new ApiError(
      'UNSUPPORTED_FILTER_OPERATOR',
      `${field.name} does not take ${operator}; use ${operatorsOf[field.type].join(', ')}`,
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
