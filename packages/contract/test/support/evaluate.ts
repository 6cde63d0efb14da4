import { fold, type Comparison, type Field, type FieldRegistry, type Filter } from '@kontor/contract';

/** A public scalar: dates, instants and decimals are strings, as in JSON. */
export type FieldValue = string | number | boolean | null;

/** A resource as its public JSON shows it; an absent field is null. */
export type FilterRecord = Readonly<Record<string, FieldValue>>;

/**
 * Whether a record matches a filter: the meaning of the filter language (specification.md 3.4), written down as plainly
 * as possible and apart from the service, as the oracle of its tests.
 *
 * @throws RangeError for an unknown field, an operator that the type does not have, or a literal that is no value of it.
 */
export function evaluate(filter: Filter, record: FilterRecord, fields: FieldRegistry): boolean {
  if ('terms' in filter) {
    const results = filter.terms.map(term => evaluate(term, record, fields));
    return filter.kind === 'and' ? !results.includes(false) : results.includes(true);
  }
  const field = fields.get(filter.field);
  if (!field) throw new RangeError(`Unknown field ${filter.field}`);
  const stored = record[field.name] ?? null;
  if (filter.kind === 'null') return (stored === null) !== filter.negated;
  if (filter.kind === 'in') return filter.values.map(value => compare(field, stored, value)).includes(0);
  return matches(field, stored, filter);
}

const textOperators = ['CONTAINS', 'STARTS_WITH', 'ENDS_WITH'];

function matches(field: Field, stored: FieldValue, { operator, value }: Comparison): boolean {
  if (textOperators.includes(operator)) {
    if (field.type !== 'string') throw new RangeError(`${field.name} does not take ${operator}`);
    return stored !== null && matchesText(fold(String(stored)), operator, fold(value));
  }
  if (!['=', '!='].includes(operator) && ['boolean', 'enum'].includes(field.type))
    throw new RangeError(`${field.name} does not take ${operator}`);
  const position = compare(field, stored, value);
  if (operator === '!=') return position !== 0;
  if (position === null) return false;
  if (operator === '=') return position === 0;
  if (operator === '<') return position < 0;
  if (operator === '<=') return position <= 0;
  return operator === '>' ? position > 0 : position >= 0;
}

function matchesText(text: string, operator: string, part: string): boolean {
  if (operator === 'CONTAINS') return text.includes(part);
  return operator === 'STARTS_WITH' ? text.startsWith(part) : text.endsWith(part);
}

/** Negative, 0 or positive as the stored value is before, at or after the literal; null when there is no stored value. */
function compare(field: Field, stored: FieldValue, literal: string): number | null {
  switch (field.type) {
    case 'string':
      return stored === null ? null : compareCodePoints(fold(String(stored)), fold(literal));
    case 'boolean':
      return order(stored, booleanOf(literal), Number);
    case 'enum':
      if (!field.values.includes(literal)) throw new RangeError(`No value of ${field.name}`);
      return stored === null ? null : stored === literal ? 0 : 1;
    case 'date':
      return order(stored, literal, dateOf);
    case 'date-time':
      return order(stored, literal, nanosecondsOf);
    case 'decimal':
      return order(stored, literal, tenBillionthsOf);
    case 'number':
      return order(stored, literal, numberOf);
  }
}

function order<V>(stored: FieldValue, literal: V, read: (value: V) => number | bigint): number | null {
  const right = read(literal);
  if (stored === null) return null;
  const left = read(stored as V);
  return left < right ? -1 : left > right ? 1 : 0;
}

function compareCodePoints(left: string, right: string): number {
  const [a, b] = [[...left], [...right]];
  for (let i = 0; i < Math.min(a.length, b.length); i++) {
    const difference = a[i]!.codePointAt(0)! - b[i]!.codePointAt(0)!;
    if (difference !== 0) return difference;
  }
  return a.length - b.length;
}

function booleanOf(literal: string): boolean {
  const word = literal.toLowerCase();
  if (word !== 'true' && word !== 'false') throw new RangeError('No boolean');
  return word === 'true';
}

/** Days since 1970. */
function dateOf(text: string): number {
  const milliseconds = Date.parse(`${text}T00:00:00.000Z`);
  if (!/^\d{4}-\d\d-\d\d$/.test(text) || Number.isNaN(milliseconds)) throw new RangeError('No date');
  if (!new Date(milliseconds).toISOString().startsWith(text)) throw new RangeError('No date of the calendar');
  return milliseconds / 86_400_000;
}

/** Nanoseconds since 1970. */
function nanosecondsOf(text: string): bigint {
  const parts = /^(\d{4}-\d\d-\d\d)T([01]\d|2[0-3]):([0-5]\d):([0-5]\d)(?:\.(\d{1,9}))?Z$/.exec(text);
  if (!parts) throw new RangeError('No instant');
  const [, date, hours, minutes, seconds, fraction = ''] = parts;
  const wholeSeconds = dateOf(date!) * 86_400 + Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds);
  return BigInt(wholeSeconds) * 1_000_000_000n + BigInt(fraction.padEnd(9, '0'));
}

/** The decimal times 10^10, exactly; at most 10 decimal places. */
function tenBillionthsOf(text: string): bigint {
  const parts = /^(-?)(\d+)(?:\.(\d{1,10}))?$/.exec(text);
  if (!parts) throw new RangeError('No decimal');
  const [, sign, whole, fraction = ''] = parts;
  const size = BigInt(whole! + fraction.padEnd(10, '0'));
  return sign === '-' ? -size : size;
}

function numberOf(value: string | number): number {
  if (typeof value === 'string' && !/^-?\d+(\.\d+)?$/.test(value)) throw new RangeError('No number');
  return Number(value);
}
