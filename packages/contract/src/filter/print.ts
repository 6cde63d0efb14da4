import type { Filter, Junction } from './ast.ts';
import { isFieldName, isKeyword } from './lex.ts';

/**
 * Serializes a filter, so that clients need not quote by hand. `parseFilter(printFilter(x))` is `x` in canonical form: junctions of the same
 * kind are merged, those of one term unwrapped. Limits are not checked. The result must still be URL-encoded.
 * @throws RangeError for a value that contains a double quote and ends in a backslash. After the backslash only a double quote closes the
 * value, but such a value cannot contain one.
 * @throws RangeError for an invalid field name, an empty `IN` list or an empty junction, which the language cannot express
 */
export function printFilter(filter: Filter): string {
  switch (filter.kind) {
    case 'comparison':
      return `${printField(filter.field)} ${filter.operator} ${printValue(filter.value)}`;
    case 'in':
      if (filter.values.length === 0)
        throw new RangeError(`The IN list of ${printField(filter.field)} is empty`);
      return `${printField(filter.field)} IN (${filter.values.map(printValue).join(', ')})`;
    case 'null':
      return `${printField(filter.field)} IS ${filter.negated ? 'NOT ' : ''}NULL`;
    case 'and':
    case 'or':
      return printJunction(filter);
  }
}

function printJunction(junction: Junction): string {
  if (junction.terms.length === 0) throw new RangeError(`An ${junction.kind} filter needs at least one term`);
  if (junction.terms.length === 1) return printFilter(junction.terms[0]!);
  const separator = junction.kind === 'and' ? ' AND ' : ' OR ';
  return junction.terms.map(term => printTerm(junction.kind, term)).join(separator);
}

/** `AND` binds tighter, so only an `or` inside an `and` needs parentheses. */
function printTerm(outer: Junction['kind'], term: Filter): string {
  const inner = resolve(term);
  const text = printFilter(inner);
  return outer === 'and' && inner.kind === 'or' ? `(${text})` : text;
}

function resolve(filter: Filter): Filter {
  let inner = filter;
  while ((inner.kind === 'and' || inner.kind === 'or') && inner.terms.length === 1) inner = inner.terms[0]!;
  return inner;
}

function printField(name: string): string {
  if (!isFieldName(name))
    throw new RangeError('A field name has letters, digits, . and _ only and is no keyword');
  return name;
}

function printValue(value: string): string {
  if (/^[\w@.:+-]+$/.test(value) && !isKeyword(value)) return value;
  const escaped = value.replaceAll("'", "\\'");
  if (!value.endsWith('\\')) return `'${escaped}'`;
  if (!value.includes('"')) return `"${escaped}"`;
  throw new RangeError(
    'The filter language cannot write a value with a double quote inside and a backslash at the end',
  );
}
