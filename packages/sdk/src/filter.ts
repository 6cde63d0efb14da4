/** A value of a filter. A text is quoted, a list is for `IN (…)`, a filter stands in parentheses. */
export type FilterValue = string | number | bigint | boolean | Date | Filter | readonly FilterValue[];

/** A filter whose values are escaped; made by the template {@link filter}. */
export class Filter {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  toString(): string {
    return this.text;
  }
}

/**
 * A filter with values that cannot change its meaning: filter`lastName = ${name} AND blocked = ${false}`. Write no quotes around a value, and
 * `IS NULL` instead of a null.
 * @throws TypeError for a value that is none of a filter, or that has quotes around it
 * @throws RangeError for a number that is not finite, an invalid date or an empty list
 * @throws RangeError for a text with a double quote inside and a backslash at the end, which the language cannot express
 */
export function filter(literals: TemplateStringsArray, ...values: readonly FilterValue[]): Filter {
  let text = '';
  literals.forEach((literal, index) => {
    text += literal;
    if (index === values.length) return;
    if (/['"]$/.test(literal)) throw new TypeError('Write no quotes around the values of a filter');
    text += printValue(values[index]!);
  });
  return new Filter(text);
}

function printValue(value: FilterValue): string {
  if (typeof value === 'string') return quote(value);
  if (typeof value === 'boolean' || typeof value === 'bigint') return String(value);
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) throw new RangeError(`A filter has no ${value}`);
    return String(value);
  }
  if (value instanceof Date) return value.toISOString();
  if (value instanceof Filter) return `(${value.text})`;
  if (!Array.isArray(value))
    throw new TypeError('A filter takes texts, numbers, booleans, dates, lists and filters');
  if (value.length === 0) throw new RangeError('A list of a filter must have a value');
  return value.map(printValue).join(', ');
}

/** In quotes `\'` is an apostrophe and every other backslash is itself, so a backslash before the closing quote needs double quotes. */
function quote(text: string): string {
  const escaped = text.replaceAll("'", "\\'");
  if (!text.endsWith('\\')) return `'${escaped}'`;
  if (!text.includes('"')) return `"${escaped}"`;
  throw new RangeError(
    'A filter cannot express a text with a double quote inside and a backslash at the end',
  );
}
