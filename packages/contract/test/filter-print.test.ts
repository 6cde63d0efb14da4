import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseFilter, printFilter, type Filter } from '@kontor/contract';

const is = (field: string, value: string): Filter => ({ kind: 'comparison', field, operator: '=', value });
const printed = (value: string) => printFilter(is('a', value)).slice('a = '.length);

describe('printing a filter', () => {
  it('writes every kind of term', () => {
    for (const text of [
      'a >= 1',
      'a STARTS_WITH x',
      'a IN (1, 2)',
      'a IS NULL',
      'a IS NOT NULL',
      'a = 1 AND (b = 2 OR c = 3) AND d = 4',
    ])
      assert.equal(printFilter(parseFilter(text)), text);
  });

  it('puts parentheses only where precedence asks for them', () => {
    assert.equal(
      printFilter(parseFilter('((a = 1) AND b = 2) OR (c = 3 AND (d = 4))')),
      'a = 1 AND b = 2 OR c = 3 AND d = 4',
    );
  });

  it('writes filters that are not canonical with the same meaning', () => {
    const or: Filter = { kind: 'or', terms: [is('a', '1'), is('b', '2')] };
    const nested: Filter = {
      kind: 'and',
      terms: [{ kind: 'and', terms: [{ kind: 'and', terms: [or] }, is('c', '3')] }, is('d', '4')],
    };
    assert.equal(printFilter(nested), '(a = 1 OR b = 2) AND c = 3 AND d = 4');
  });

  it('quotes what needs it', () => {
    const cases: [value: string, text: string][] = [
      ['Bonn', 'Bonn'],
      ['2026-09-02T08:15:30Z', '2026-09-02T08:15:30Z'],
      ['', "''"],
      ['Bad Ems', "'Bad Ems'"],
      ['Or', "'Or'"],
      ['NULL', "'NULL'"],
      ["O'Brien", String.raw`'O\'Brien'`],
      ['say "x"', `'say "x"'`],
      ['x\\y', String.raw`'x\y'`],
      ['x\\', String.raw`"x\"`],
      ["\\'x\\", String.raw`"\\'x\"`],
      ["\\'", String.raw`'\\''`],
    ];
    for (const [value, text] of cases) {
      assert.equal(printed(value), text);
      assert.deepEqual(parseFilter(`a = ${text}`), is('a', value));
    }
  });

  it('rejects the one value that cannot be written: a double quote inside and a backslash at the end', () => {
    for (const value of ['"\\', 'say "x"\\', `'"\\\\`]) {
      assert.throws(() => printed(value), RangeError);
      assert.throws(() => printFilter({ kind: 'in', field: 'a', values: ['x', value] }), RangeError);
    }
  });

  it('rejects a name that is no field name, an empty list and an empty junction', () => {
    for (const name of ['', 'first name', 'straße', 'a-b', 'And', "a = '1' OR b"])
      assert.throws(() => printFilter(is(name, 'x')), RangeError);
    assert.throws(() => printFilter({ kind: 'in', field: 'a', values: [] }), RangeError);
    assert.throws(() => printFilter({ kind: 'and', terms: [] }), RangeError);
    assert.throws(
      () => printFilter({ kind: 'or', terms: [is('a', 'x'), { kind: 'and', terms: [] }] }),
      RangeError,
    );
  });
});
