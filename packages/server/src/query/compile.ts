import {
  type Comparison,
  type ComparisonOperator,
  type Field,
  type FieldType,
  type Filter,
  type Membership,
} from '@kontor/contract';
import { type Fragment, type WriteValue, allOf, join, plain, raw, sql } from '../db/sql.ts';
import { containsLoosely, isLoose, narrowLoosely } from './accents.ts';
import { escapeLike, isSearchable, searchNeedle } from './search-text.ts';
import { type Keyset, keysetsOf } from './list-filter.ts';
import { type Literal, readLiteral, sqlTypes } from './literals.ts';
import { type CollectionTable, type Column, type ResolvedField, resolveField } from './check.ts';

export interface CompileOptions {
  /** Also match the `search` column, so that the trigram index finds the rows. The result stays the same. */
  readonly narrow?: boolean;
  readonly write?: WriteValue;
}

/**
 * Returns the predicate of a filter. Logic is two-valued (specification.md 3.4): SQL's unknown counts as false. Strings are compared in folded form.
 * @throws ApiError 422 VALIDATION_ERROR for a literal that is not a value of its field
 */
export function compileFilter(
  filter: Filter,
  table: CollectionTable,
  { narrow = false, write = plain }: CompileOptions = {},
): Fragment {
  return compile(filter, { table, narrow, write });
}

interface Context {
  readonly table: CollectionTable;
  readonly narrow: boolean;
  readonly write: WriteValue;
}

function compile(filter: Filter, context: Context): Fragment {
  const { table } = context;
  switch (filter.kind) {
    case 'or':
      return sql`(${join(
        filter.terms.map(term => compile(term, context)),
        ' OR ',
      )})`;
    case 'and': {
      const { keysets, rest } = keysetsOf(filter.terms);
      const ranges = keysets.map(({ keyset }) => compileKeyset(keyset, context));
      return sql`(${allOf([...ranges, ...rest.map(term => compile(term, context))])})`;
    }
    case 'null': {
      const column = raw(resolveField(table, filter.field).column.name);
      return filter.negated ? sql`${column} IS NOT NULL` : sql`${column} IS NULL`;
    }
    case 'in':
      return compileMembership(filter, resolveField(table, filter.field), context);
    case 'comparison':
      return compileComparison(filter, resolveField(table, filter.field), context);
  }
}

function compileMembership(
  filter: Membership,
  { field, column }: ResolvedField,
  { write }: Context,
): Fragment {
  const values = valuesOf(filter, field);
  if (values.length === 0) return sql`false`;
  return sql`${raw(column.name)} = ANY(${write(values, `${sqlTypes[field.type]}[]`)})`;
}

/** The distinct values of an equality or an `IN` list that a column can hold. */
export function valuesOf(term: Comparison | Membership, field: Field): (string | boolean)[] {
  const literals = (term.kind === 'in' ? term.values : [term.value]).map(value => readLiteral(field, value));
  const possible = literals.flatMap(({ value, more }) => (more || value === null ? [] : [value]));
  return [...new Set(possible)];
}

function compileComparison(
  filter: Comparison,
  { field, column }: ResolvedField,
  { table, narrow, write }: Context,
): Fragment {
  const literal = readLiteral(field, filter.value);
  const { operator } = filter;
  const columns = operator === 'CONTAINS' && filter.ignoresAccents ? table.withoutAccents : undefined;
  if (columns?.includes(column.name) && isLoose(String(literal.value)))
    return compareLoosely(column, String(literal.value), columns, narrow);
  const exact = isTextOperator(operator)
    ? sql`${raw(column.name)} LIKE ${write(likePattern(operator, String(literal.value)), 'text')}`
    : compareColumn({ field, column }, operator, literal, write);
  // An index on the column finds an equal value faster than the trigram index.
  const ownIndex = operator === '=' && column.indexed !== undefined;
  const needle = narrow && column.search && !ownIndex ? needleOf(operator, String(literal.value)) : null;
  return needle === null ? exact : sql`(${exact} AND search LIKE ${write(needle, 'text')})`;
}

/** Whether the column contains the text, with or without accents. `columns`: those that share an index. */
function compareLoosely(
  { name, search }: Column,
  text: string,
  columns: readonly string[],
  narrow: boolean,
): Fragment {
  const exact = containsLoosely(name, text);
  const narrowed = narrow && search ? narrowLoosely(columns, text) : null;
  return narrowed === null ? exact : sql`(${exact} AND ${narrowed})`;
}

function compareColumn(
  { field, column }: ResolvedField,
  operator: ComparisonOperator,
  literal: Literal,
  write: WriteValue,
): Fragment {
  // Columns hold whole milliseconds, so nothing equals such a literal. A later value is later than its floor.
  if (literal.more && operator === '=') return sql`false`;
  if (literal.more && operator === '!=') return sql`true`;
  return sql`${raw(`${column.name} ${sqlOperator(operator, literal.more)}`)} ${literalOf(literal, field.type, write)}`;
}

function sqlOperator(operator: ComparisonOperator, more: boolean): string {
  if (operator === '!=') return 'IS DISTINCT FROM';
  if (more && operator === '>=') return '>';
  return more && operator === '<' ? '<=' : operator;
}

function literalOf({ value }: Literal, type: FieldType, write: WriteValue): Fragment {
  return value === null ? raw(`'-infinity'::${sqlTypes[type]}`) : write(value, sqlTypes[type]);
}

type TextOperator = 'CONTAINS' | 'STARTS_WITH' | 'ENDS_WITH';

function isTextOperator(operator: ComparisonOperator): operator is TextOperator {
  return operator === 'CONTAINS' || operator === 'STARTS_WITH' || operator === 'ENDS_WITH';
}

function likePattern(operator: TextOperator, folded: string): string {
  const before = operator === 'STARTS_WITH' ? '' : '%';
  const after = operator === 'ENDS_WITH' ? '' : '%';
  return before + escapeLike(folded) + after;
}

/** The pattern that `search` matches whenever the comparison holds; null when the trigram index would not help. */
function needleOf(operator: ComparisonOperator, folded: string): string | null {
  if (operator !== '=' && !isTextOperator(operator)) return null;
  return isSearchable(folded) ? `%${escapeLike(searchNeedle(operator, folded))}%` : null;
}

/** A row comparison, which an index on (column, id) serves with one range. */
function compileKeyset(keyset: Keyset, { table, write }: Context): Fragment {
  const resolved = resolveField(table, keyset.field);
  const literal = readLiteral(resolved.field, keyset.value);
  const id = resolveField(table, 'id');
  const after = readLiteral(id.field, keyset.id);
  // No column value equals such a literal, so there are no ties for the identifier to break.
  if (literal.more || literal.value === null) return compareColumn(resolved, keyset.operator, literal, write);
  const columns = raw(`(${resolved.column.name}, ${id.column.name}) ${keyset.operator}`);
  const values = [literalOf(literal, resolved.field.type, write), literalOf(after, 'string', write)];
  return sql`${columns} (${join(values, ', ')})`;
}
