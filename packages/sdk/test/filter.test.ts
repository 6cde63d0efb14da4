import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { parseFilter } from '@kontor/contract';
import fc from 'fast-check';
import { filter } from '../src/index.ts';

const text = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({ unit: fc.constantFrom("'", '"', '\\', ' ', 'a', 'Ä', ')', '=', '%', ',', '\n') }),
  fc.constantFrom('null', 'OR', 'x\' OR blocked = "', '\\', '\\\\', "\\'", "'\\"),
);
/** The language cannot write a double quote inside and a backslash at the end. */
const isPrintable = (value: string) => !(value.endsWith('\\') && value.includes('"'));
const printable = text.filter(isPrintable);

describe('the service reads every value of a filter as it was given', () => {
  test('a text', () => {
    fc.assert(
      fc.property(printable, value => {
        const expected = { kind: 'comparison', field: 'lastName', operator: '=', value };
        assert.deepEqual(parseFilter(filter`lastName = ${value}`.text), expected);
      }),
      { numRuns: 1000 },
    );
  });

  test('a list of texts, and a filter inside of a filter', () => {
    fc.assert(
      fc.property(fc.array(printable, { minLength: 1, maxLength: 5 }), printable, (values, value) => {
        const inner = filter`city IN (${values}) OR city CONTAINS ${value}`;
        assert.deepEqual(parseFilter(filter`blocked = ${false} AND ${inner}`.text), {
          kind: 'and',
          terms: [
            { kind: 'comparison', field: 'blocked', operator: '=', value: 'false' },
            {
              kind: 'or',
              terms: [
                { kind: 'in', field: 'city', values },
                { kind: 'comparison', field: 'city', operator: 'CONTAINS', value },
              ],
            },
          ],
        });
      }),
    );
  });

  test('a number, also one with an exponent, and a date', () => {
    fc.assert(
      fc.property(
        fc.double({ noNaN: true, noDefaultInfinity: true }),
        fc.date({ noInvalidDate: true, min: new Date(0), max: new Date('9999') }),
        (number, date) => {
          const parsed = parseFilter(filter`order >= ${number} AND createdAt < ${date}`.text);
          assert.deepEqual(parsed, {
            kind: 'and',
            terms: [
              { kind: 'comparison', field: 'order', operator: '>=', value: String(number) },
              { kind: 'comparison', field: 'createdAt', operator: '<', value: date.toISOString() },
            ],
          });
        },
      ),
    );
  });
});

describe('a filter rejects', () => {
  test('a text that the language cannot express', () => {
    fc.assert(
      fc.property(
        text.filter(value => !isPrintable(value)),
        value => {
          assert.throws(() => filter`city = ${value}`, RangeError);
        },
      ),
      { numRuns: 20 },
    );
  });

  test('values that are none of a filter', () => {
    for (const value of [Number.NaN, Infinity, new Date(Number.NaN), []])
      assert.throws(() => filter`city = ${value}`, RangeError);
    const none = [null, undefined, {}] as unknown as string[];
    for (const value of none) assert.throws(() => filter`city = ${value}`, TypeError);
  });

  test('quotes around a value, which would end within the text', () => {
    assert.throws(() => filter`city = '${'Bonn'}'`, /Write no quotes/);
  });
});
