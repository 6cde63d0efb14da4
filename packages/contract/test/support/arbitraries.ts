import fc, { type Arbitrary } from 'fast-check';
import type { ComparisonOperator, Field, FieldRegistry, FieldType, Filter, Junction } from '@kontor/contract';
import type { FieldValue, FilterRecord } from './evaluate.ts';

/** Texts on which quoting, LIKE patterns, folding and the order of code points go wrong. No NUL, no lone surrogate. */
const nastyTexts: readonly string[] = [
  '',
  ' ',
  'a',
  'A',
  'Ä',
  'ä',
  'A\u0308',
  'ß',
  'SS',
  'ẞ',
  'Straße',
  'STRASSE',
  'İ',
  'ı',
  'I',
  'i',
  'i\u0307',
  'i\u0307\u0307',
  'İstanbul',
  'ISTANBUL',
  'ΣΊΣΥΦΟΣ',
  'σίσυφος',
  'ς',
  'ﬁ',
  'FI',
  '%',
  '_',
  '100%',
  'a_b',
  'axb',
  '\\',
  '\\\\',
  '\\%',
  "\\'",
  "'",
  '"',
  "O'Brien",
  "o'brien\\",
  'say "x"',
  '\'"',
  '😀',
  '👩‍👩‍👧',
  '\uffff',
  '𐀀',
  'Ω',
  '中文',
  'שלום',
  'null',
  'Or',
  'AND',
  '(a, b)',
  'a = b',
  'a\nb',
  'a\tb',
  '\u00a0',
  '\u2028',
  '0',
  '-1',
  'true',
];

const nasty = fc.constantFrom(...nastyTexts);

/** Short texts, many of them equal, folded equal, or parts of one another. */
export const nastyText: Arbitrary<string> = fc.oneof(
  { weight: 4, arbitrary: nasty },
  { weight: 2, arbitrary: fc.tuple(nasty, nasty).map(parts => parts.join('')) },
  {
    weight: 1,
    arbitrary: fc.string({ unit: 'grapheme', maxLength: 6 }).map(text => text.replaceAll('\0', '')),
  },
);

const dateText = fc.constantFrom('1999-12-31', '2000-01-01', '2024-02-29', '2024-03-01', '2026-09-02');

/** Instants a few milliseconds apart, so that equality and the order of fractions matter. */
const instant = fc
  .tuple(
    fc.constantFrom('2024-02-29T23:59:59', '2026-09-02T08:15:30'),
    fc.constantFrom('000', '001', '120', '999'),
  )
  .map(([second, milliseconds]) => `${second}.${milliseconds}Z`);

const instantLiteral = fc.oneof(
  instant,
  fc
    .tuple(
      fc.constantFrom('2024-02-29T23:59:59', '2026-09-02T08:15:30'),
      fc.constantFrom(
        '',
        '.0',
        '.1',
        '.12',
        '.120',
        '.1200001',
        '.120000001',
        '.119999999',
        '.999999999',
        '.0000000',
      ),
    )
    .map(([second, fraction]) => `${second}${fraction}Z`),
);

const decimalText = fc.constantFrom(
  '0.00',
  '-0.01',
  '0.10',
  '0.1',
  '1.00',
  '12.50',
  '9007199254740993.01',
  '9007199254740993.02',
);
const decimalLiteral = fc.oneof(
  decimalText,
  fc.constantFrom('0', '-0', '-0.010', '12.5', '9007199254740993.020', '1'),
);
const numbers = fc.constantFrom(0, 1, -1, 0.5, 0.1, 2.25, 1000, -3.75);
const numberLiteral = fc.oneof(numbers.map(String), fc.constantFrom('0.50', '-0', '1000.0', '0.10'));
const booleanLiteral = fc.constantFrom('true', 'false', 'TRUE', 'False');

/** Objects with a prototype, as the parser makes them, so that deep equality holds. */
const plain = { noNullPrototype: true } as const;

/** A value that a resource may store in the field, as its public JSON shows it; null too when the field is nullable. */
export function fieldValue(field: Field): Arbitrary<FieldValue> {
  const value = storedValue(field);
  return field.nullable ? fc.option(value, { freq: 4, nil: null }) : value;
}

function storedValue(field: Field): Arbitrary<string | number | boolean> {
  switch (field.type) {
    case 'string':
      return nastyText;
    case 'boolean':
      return fc.boolean();
    case 'enum':
      return fc.constantFrom(...field.values);
    case 'date':
      return dateText;
    case 'date-time':
      return instant;
    case 'decimal':
      return decimalText;
    case 'number':
      return numbers;
  }
}

/** A record with a value for every field of the registry. */
export function record(fields: FieldRegistry): Arbitrary<FilterRecord> {
  return fc.record(
    Object.fromEntries([...fields.values()].map(field => [field.name, fieldValue(field)])),
    plain,
  );
}

/** The text of a literal that the field can be compared with: always a value of its type. */
export function literal(field: Field): Arbitrary<string> {
  switch (field.type) {
    case 'string':
      return nastyText;
    case 'boolean':
      return booleanLiteral;
    case 'enum':
      return fc.constantFrom(...field.values);
    case 'date':
      return dateText;
    case 'date-time':
      return instantLiteral;
    case 'decimal':
      return decimalLiteral;
    case 'number':
      return numberLiteral;
  }
}

const equality: ComparisonOperator[] = ['=', '!='];
const ordering: ComparisonOperator[] = [...equality, '>', '>=', '<', '<='];
const operators: Record<FieldType, ComparisonOperator[]> = {
  string: [...ordering, 'CONTAINS', 'STARTS_WITH', 'ENDS_WITH'],
  boolean: equality,
  enum: equality,
  date: ordering,
  'date-time': ordering,
  decimal: ordering,
  number: ordering,
};

export interface FilterOptions {
  /** Where the literals of a field come from; by default `literal`. Values of stored rows make comparisons hit. */
  readonly literals?: (field: Field) => Arbitrary<string>;
  /** Levels of junctions; default 3. */
  readonly depth?: number;
}

/** Canonical filters that every check of the service accepts: known fields, their operators, literals of their type. */
export function filters(fields: FieldRegistry, options: FilterOptions = {}): Arbitrary<Filter> {
  const leaf = fc
    .constantFrom(...fields.values())
    .chain(field =>
      terms(
        fc.constant(field.name),
        fc.constantFrom(...operators[field.type]),
        (options.literals ?? literal)(field),
      ),
    );
  return canonical(leaf, options.depth ?? 3);
}

/** Filters without a junction. */
export function terms(
  field: Arbitrary<string>,
  operator: Arbitrary<ComparisonOperator>,
  value: Arbitrary<string>,
): Arbitrary<Filter> {
  const values = fc.array(value, { minLength: 1, maxLength: 4 });
  return fc.oneof(
    {
      weight: 5,
      arbitrary: fc.record({ kind: fc.constant('comparison' as const), field, operator, value }, plain),
    },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant('in' as const), field, values }, plain) },
    {
      weight: 1,
      arbitrary: fc.record({ kind: fc.constant('null' as const), field, negated: fc.boolean() }, plain),
    },
  );
}

/** Filters in the shape that `parseFilter` answers: junctions of two or more terms, none of its own kind. */
export function canonical(leaf: Arbitrary<Filter>, depth: number): Arbitrary<Filter> {
  const levels = (kind: Junction['kind'], below: number): Arbitrary<Filter> => {
    if (below === 0) return leaf;
    const inner = fc.array(levels(kind === 'and' ? 'or' : 'and', below - 1), { minLength: 2, maxLength: 4 });
    const junction = fc.record({ kind: fc.constant(kind), terms: inner }, plain);
    return fc.oneof(leaf, junction);
  };
  return fc.oneof(levels('and', depth), levels('or', depth));
}
