import { type Field, fold, unprocessable } from '@kontor/contract';
import Format from 'typebox/format';

export interface Literal {
  /** The parameter, of the type in {@link sqlTypes}. Null for an instant or date before PostgreSQL's range. */
  readonly value: string | boolean | null;
  /** For instants only: the literal is later than `value`, by less than the column's precision. */
  readonly more: boolean;
}

/** The PostgreSQL type that literals of each field type are sent as. */
export const sqlTypes = {
  string: 'text',
  boolean: 'boolean',
  enum: 'text',
  date: 'date',
  'date-time': 'timestamptz',
  number: 'float8',
  decimal: 'numeric',
} as const satisfies Record<Field['type'], string>;

/** @throws ApiError 422 VALIDATION_ERROR that names the field */
export function readLiteral(field: Field, text: string): Literal {
  switch (field.type) {
    case 'string':
      return exactly(fold(text));
    case 'boolean':
      if (!/^(true|false)$/i.test(text)) throw rejected(field, 'must be true or false');
      return exactly(text.toLowerCase() === 'true');
    case 'enum':
      if (!field.values.includes(text)) throw rejected(field, `must be one of ${field.values.join(', ')}`);
      return exactly(text);
    case 'date':
      if (!Format.IsDate(text)) throw rejected(field, 'must be a valid date (YYYY-MM-DD)');
      return exactly(knownYear(text));
    case 'date-time':
      return readInstant(field, text);
    case 'number':
      // The nearest double, possibly Infinity, because PostgreSQL rejects a text beyond the range.
      return exactly(String(Number(decimalText(field, text))));
    case 'decimal':
      return exactly(decimalText(field, text));
  }
}

function decimalText(field: Field, text: string): string {
  if (/^-?[0-9]+(\.[0-9]+)?$/.test(text)) return text;
  throw rejected(field, 'must be a decimal number, such as 12.50');
}

/** Compares two instants in the contract's format at full precision. */
export function isLater(instant: string, other: string): boolean {
  return comparable(instant) > comparable(other);
}

const instantPattern = /^(\d{4}-\d\d-\d\d)T([01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.(\d{1,9}))?Z$/;

function readInstant(field: Field, text: string): Literal {
  const parts = instantPattern.exec(text);
  if (!parts || !Format.IsDate(parts[1]!))
    throw rejected(
      field,
      'must be a valid timestamp in UTC (YYYY-MM-DDTHH:mm:ssZ, up to 9 decimals, Z and not +00:00)',
    );
  const fraction = (parts[3] ?? '').padEnd(9, '0');
  return {
    value: knownYear(`${text.slice(0, 19)}.${fraction.slice(0, 3)}Z`),
    more: !/^0+$/.test(fraction.slice(3)),
  };
}

function comparable(instant: string): string {
  return instant.slice(0, 19) + instant.slice(20, -1).padEnd(9, '0');
}

/** PostgreSQL has no year 0. */
function knownYear(text: string): string | null {
  return text.startsWith('0000') ? null : text;
}

function exactly(value: string | boolean | null): Literal {
  return { value, more: false };
}

function rejected(field: Field, rule: string) {
  return unprocessable(`filter: a value of ${field.name} ${rule}`);
}
