import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { employeeFields, parseFilter, type Field, type FieldRegistry } from '@kontor/contract';
import { filters, record } from './support/arbitraries.ts';
import { evaluate, type FilterRecord } from './support/evaluate.ts';

const field = (name: string, type: Field['type'], values: string[] = []): [string, Field] => [
  name,
  { name, type, nullable: true, values },
];
const fields: FieldRegistry = new Map([
  field('text', 'string'),
  field('flag', 'boolean'),
  field('day', 'date'),
  field('at', 'date-time'),
  field('count', 'number'),
  field('price', 'decimal'),
  field('status', 'enum', ['open', 'Closed']),
  field('none', 'string'),
]);
const stored: FilterRecord = {
  text: 'Straße 100%_\\',
  flag: true,
  day: '2024-02-29',
  at: '2026-09-02T08:15:30.120Z',
  count: 0.5,
  price: '9007199254740993.01',
  status: 'open',
};
const matches = (text: string) => evaluate(parseFilter(text), stored, fields);

describe('the oracle of the filter language', () => {
  const truths = [
    'text = "STRASSE 100%_\\" AND text STARTS_WITH STRASSE',
    "text CONTAINS '%_'",
    'text ENDS_WITH "_\\"',
    "text CONTAINS ''",
    "text > 'strasr' AND text < 'strast' AND text < '😀'",
    'flag = TRUE AND flag != false AND flag IN (true)',
    'day = 2024-02-29 AND day < 2024-03-01 AND day >= 2024-02-28',
    'at = 2026-09-02T08:15:30.12Z AND at < 2026-09-02T08:15:30.120000001Z AND at > 2026-09-02T08:15:30.119999999Z',
    'count = 0.50 AND count > -1',
    'price = 9007199254740993.010 AND price < 9007199254740993.02 AND price > 9007199254740993',
    'status = open AND status IN (Closed, open) AND status IS NOT NULL',
    'none IS NULL AND none != x AND text IN (a, "strasse 100%_\\")',
  ];
  for (const text of truths) it(`true: ${text}`, () => assert.equal(matches(text), true));

  const falsehoods = [
    "text = 'Strasse'",
    "text CONTAINS 'e%1'",
    'none = x',
    'none > x',
    'none <= x',
    "none CONTAINS ''",
    'none IN (x)',
    'none IS NOT NULL',
    'at = 2026-09-02T08:15:30.1200001Z',
    'price = 9007199254740993.02',
    'status = Closed',
  ];
  for (const text of falsehoods) it(`false: ${text}`, () => assert.equal(matches(text), false));

  it('rejects unknown fields, operators of other types and literals of other types', () => {
    const rejected = [
      'x = 1',
      'flag > true',
      'status < open',
      'status = OPEN',
      'day CONTAINS 1',
      'day = 2023-02-29',
    ];
    rejected.push(
      'flag = yes',
      'count = 1e2',
      'price = x',
      'at = 2026-09-02T24:00:00Z',
      'at = 2026-09-02T08:15:30+01:00',
    );
    for (const text of rejected) assert.throws(() => matches(text), RangeError, text);
  });

  it('`!=` is the exact complement of `=`, and the generated filters are all well typed', () => {
    fc.assert(
      fc.property(filters(fields), record(fields), (filter, row) => {
        const value = evaluate(filter, row, fields);
        assert.equal(typeof value, 'boolean');
        if (filter.kind !== 'comparison' || !['=', '!='].includes(filter.operator)) return;
        const complement = { ...filter, operator: filter.operator === '=' ? '!=' : '=' } as const;
        assert.equal(evaluate(complement, row, fields), !value);
      }),
      { numRuns: 1000 },
    );
  });

  it('generated filters match neither all records nor none', () => {
    const pairs = fc.sample(fc.tuple(filters(employeeFields), record(employeeFields)), 300);
    const matched = pairs.filter(([filter, row]) => evaluate(filter, row, employeeFields)).length;
    assert.ok(matched > 30 && matched < 270, String(matched));
  });
});
