import type { Comparison, ComparisonOperator, Field, FieldType, Filter, Membership } from '@kontor/contract';
import type { Parameters } from '../database/parameters.ts';
import { escapeLike, isSearchable, searchNeedle } from './search-text.ts';
import { type Keyset, keysetOf } from './keyset.ts';
import { type Literal, readLiteral, sqlTypes } from './literals.ts';
import type { CollectionTable, Column } from './table.ts';

/** A field with its column. `resolveField` is the only way on which a name of a request reaches SQL. */
export interface ResolvedField {
  readonly field: Field;
  readonly column: Column;
}

/** The field of that name, which the check of the request has admitted. */
export function resolveField(table: CollectionTable, name: string): ResolvedField {
  const field = table.fields.get(name);
  const column = table.columns.get(name);
  if (!field || !column) throw new Error(`the table ${table.table} has no column for the field ${name}`);
  return { field, column };
}

export interface CompileOptions {
  /** Adds conditions on `search`, implied by those on its parts, which let the trigram index find the rows. */
  readonly narrow: boolean;
}

/**
 * The predicate of a filter. It is true or not true as the filter says (two-valued logic, decisions.md section 3): where
 * SQL says unknown, the filter says false. Text operators and comparisons of strings see folded text.
 *
 * @throws ApiError 422 VALIDATION_ERROR for a literal that is no value of its field.
 */
export function compileFilter(
  filter: Filter,
  table: CollectionTable,
  parameters: Parameters,
  options: CompileOptions,
): string {
  switch (filter.kind) {
    case 'or':
      return `(${filter.terms.map(term => compileFilter(term, table, parameters, options)).join(' OR ')})`;
    case 'and': {
      const { keysets, rest } = keysetOf(filter);
      const ranges = keysets.map(keyset => compileKeyset(keyset, table, parameters));
      const terms = rest.map(term => compileFilter(term, table, parameters, options));
      return `(${[...ranges, ...terms].join(' AND ')})`;
    }
    case 'null':
      return `${resolveField(table, filter.field).column.name} IS ${filter.negated ? 'NOT ' : ''}NULL`;
    case 'in':
      return compileMembership(filter, resolveField(table, filter.field), parameters);
    case 'comparison':
      return compileComparison(filter, resolveField(table, filter.field), parameters, options);
  }
}

function compileMembership(
  filter: Membership,
  { field, column }: ResolvedField,
  parameters: Parameters,
): string {
  const literals = filter.values.map(value => readLiteral(field, value));
  const values = literals
    .filter(literal => !literal.more && literal.value !== null)
    .map(literal => literal.value);
  if (values.length === 0) return 'false';
  const type = sqlTypes[field.type];
  // The driver takes an array of booleans for a single one, so they go as text.
  const list =
    type === 'boolean'
      ? `${parameters.add(values.map(String), 'text[]')}::boolean[]`
      : parameters.add(values, `${type}[]`);
  return `${column.name} = ANY(${list})`;
}

function compileComparison(
  filter: Comparison,
  { field, column }: ResolvedField,
  parameters: Parameters,
  options: CompileOptions,
): string {
  const literal = readLiteral(field, filter.value);
  const { operator } = filter;
  const exact =
    operator === 'CONTAINS' || operator === 'STARTS_WITH' || operator === 'ENDS_WITH'
      ? `${column.name} LIKE ${parameters.add(likePattern(operator, String(literal.value)), 'text')}`
      : compareColumn(column.name, operator, field, literal, parameters);
  // A column with an index of its own finds an equal value better than all the trigrams of the value.
  const ownIndex = operator === '=' && column.indexed !== undefined;
  const narrowing =
    options.narrow && column.search && !ownIndex ? narrow(operator, String(literal.value), parameters) : null;
  return narrowing === null ? exact : `(${exact} AND ${narrowing})`;
}

function compareColumn(
  column: string,
  operator: ComparisonOperator,
  field: Field,
  literal: Literal,
  parameters: Parameters,
): string {
  // No column holds a part of a millisecond: nothing equals the literal, and what is later than its floor is later.
  if (literal.more && operator === '=') return 'false';
  if (literal.more && operator === '!=') return 'true';
  const sql = sqlOperator(operator, literal.more);
  return `${column} ${sql} ${parameter(literal, field.type, parameters)}`;
}

function sqlOperator(operator: ComparisonOperator, more: boolean): string {
  if (operator === '!=') return 'IS DISTINCT FROM';
  if (more && operator === '>=') return '>';
  return more && operator === '<' ? '<=' : operator;
}

function parameter(literal: Literal, type: FieldType, parameters: Parameters): string {
  if (literal.value === null) return `'-infinity'::${sqlTypes[type]}`;
  return parameters.add(literal.value, sqlTypes[type]);
}

function likePattern(operator: 'CONTAINS' | 'STARTS_WITH' | 'ENDS_WITH', folded: string): string {
  const before = operator === 'STARTS_WITH' ? '' : '%';
  const after = operator === 'ENDS_WITH' ? '' : '%';
  return before + escapeLike(folded) + after;
}

function narrow(operator: ComparisonOperator, folded: string, parameters: Parameters): string | null {
  if (operator !== '=' && operator !== 'CONTAINS' && operator !== 'STARTS_WITH' && operator !== 'ENDS_WITH')
    return null;
  if (!isSearchable(folded)) return null;
  return `search LIKE ${parameters.add(`%${escapeLike(searchNeedle(operator, folded))}%`, 'text')}`;
}

/** One row comparison, which an index on (column, id) answers with one range. */
function compileKeyset(keyset: Keyset, table: CollectionTable, parameters: Parameters): string {
  const { field, column } = resolveField(table, keyset.field);
  const literal = readLiteral(field, keyset.value);
  const id = resolveField(table, 'id');
  const behind = readLiteral(id.field, keyset.id);
  // Behind a part of a millisecond there is no tie that the identifier could break.
  if (literal.more || literal.value === null)
    return compareColumn(column.name, keyset.operator, field, literal, parameters);
  const values = `${parameter(literal, field.type, parameters)}, ${parameter(behind, 'string', parameters)}`;
  return `(${column.name}, ${id.column.name}) ${keyset.operator} (${values})`;
}
