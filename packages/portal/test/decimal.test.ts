import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { i18n } from '@lingui/core';
import fc from 'fast-check';
import { formatDecimal, isDecimal, parseDecimal, sumOf } from '../src/kit/numbers.ts';

i18n.load({ en: {}, de: {} });

/** Texts of each language with the decimal of the API; null: it is no amount. */
const read = {
  de: {
    '1234,5': '1234.50',
    '1.234,50 €': '1234.50',
    '1.234': '1234.00',
    '12.50': '12.50',
    '0,5': '0.50',
    '-12': '-12.00',
    '-0': '0.00',
    '007': '7.00',
    '12.345.678,90': '12345678.90',
    '999999999999,99': '999999999999.99',
    '1,234.50': null,
    '12,345': null,
    '1.23.4': null,
    zwölf: null,
    '': null,
  },
  en: {
    '1234.5': '1234.50',
    '€1,234.50': '1234.50',
    '1,234': '1234.00',
    '12,50': '12.50',
    '1.234,50': null,
    '12.345': null,
    '1e3': null,
  },
} as const;

describe('an amount of money', () => {
  for (const language of ['de', 'en'] as const)
    test(`${language}: is read as the language writes it, and never as a hundred times as much`, () => {
      i18n.activate(language);
      for (const [text, expected] of Object.entries(read[language]))
        assert.equal(parseDecimal(text, 2), expected, text);
    });

  test('is read as it was shown, to the last digit', () => {
    const amounts = fc
      .tuple(fc.boolean(), fc.bigInt(0n, 10n ** 18n), fc.stringMatching(/^\d{2}$/))
      .map(([isNegative, whole, rest]) => `${isNegative && whole > 0n ? '-' : ''}${whole}.${rest}`);
    for (const language of ['de', 'en']) {
      i18n.activate(language);
      fc.assert(
        fc.property(amounts, amount => {
          assert.ok(isDecimal(amount));
          assert.equal(parseDecimal(formatDecimal(amount), 2), amount);
        }),
      );
    }
  });
});

test('a sum of amounts is exact to the cent', () => {
  assert.equal(sumOf(['83.10', '83.10', '-0.05']), '166.15');
  assert.equal(sumOf(['0.05', '-0.10']), '-0.05');
  assert.equal(sumOf(['999999999999.99', '0.01']), '1000000000000.00');
  assert.equal(sumOf([]), '0.00');
});
