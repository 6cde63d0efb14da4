// cspell:disable
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import alpha3Codes from '../../src/values/alpha3.json' with { type: 'json' };
import { readBoolean } from '../../src/values/boolean.ts';
import { readCountry } from '../../src/values/country.ts';
import { readDate } from '../../src/values/date.ts';
import { readDecimal } from '../../src/values/decimal.ts';
import { readPostalCode } from '../../src/values/postal-code.ts';
import { readText } from '../../src/values/text.ts';
import { list, shortOf } from '../support.ts';

/** A test for each cell. */
function testCells(
  read: (cell: string) => unknown,
  expected: Readonly<Record<string, readonly string[]>>,
): void {
  for (const [result, cells] of Object.entries(expected))
    for (const cell of cells)
      test(`${JSON.stringify(cell)} is ${result}`, () => assert.equal(String(read(cell)), result));
}

describe('yes and no', () => {
  testCells(cell => shortOf(readBoolean(cell)), {
    true: [
      'ja',
      'Ja',
      'JA',
      ' ja ',
      'j',
      'yes',
      'Y',
      'true',
      'TRUE',
      'wahr',
      'WAHR',
      'Wahr',
      '1',
      'x',
      'X',
      '="1"',
      '✓',
    ],
    false: ['nein', 'Nein', 'n', 'no', 'NO', 'false', 'FALSE', 'falsch', 'FALSCH', 'Falsch', '0'],
    null: ['', ' ', '\u00A0'],
    '? not_boolean': ['2', 'aktiv', 'gesperrt', 'vielleicht', '-', '?', 'ja/nein', '00', 'o'],
    '? formula_error': ['#NV'],
  });
});

describe('countries', () => {
  testCells(cell => shortOf(readCountry(cell)), {
    DE: [
      ...list(`DE | de | De | DEU | deu | D | d | Deutschland | DEUTSCHLAND | germany | BRD | Bundesrepublik Deutschland
 | Deutschland (DE) | DE - Deutschland | DE – Germany | D Deutschland | Germany [DEU] |  Deutschland  | GER`),
    ],
    AT: [
      'AT',
      'AUT',
      'A',
      'Österreich',
      'Oesterreich',
      'OSTERREICH',
      'Austria',
      'O\u0308sterreich',
      'Republik Österreich',
    ],
    CH: ['CH', 'CHE', 'Schweiz', 'Switzerland', 'SUI'],
    GB: [
      'GB',
      'UK',
      'GBR',
      'Großbritannien',
      'Great Britain',
      'Vereinigtes Königreich',
      'United Kingdom',
      'England',
    ],
    US: ['US', 'USA', 'U.S.A.', 'Vereinigte Staaten', 'United States of America', 'United States'],
    TR: ['TR', 'Türkei', 'Turkey', 'Türkiye', 'Turkiye', 'TUR'],
    CZ: ['Tschechien', 'Tschechische Republik', 'Czech Republic', 'Czechia', 'CZE'],
    BA: [
      'Bosnien und Herzegowina',
      'Bosnien-Herzegowina',
      'Bosnia and Herzegovina',
      'Bosnia & Herzegovina',
      'BIH',
    ],
    CI: ['Elfenbeinküste', "Côte d'Ivoire", 'Côte d’Ivoire', 'Cote d’Ivoire', 'Ivory Coast'],
    XK: ['Kosovo', 'XK', 'RKS'],
    LI: ['FL', 'Liechtenstein'],
    SI: ['SLO', 'SVN', 'Slowenien'],
    NL: ['NL', 'Holland', 'Niederlande', 'The Netherlands'],
    null: [''],
    '? ambiguous_country': ['Korea', 'Kongo', 'Congo', 'DE (Austria)', 'AT - Deutschland'],
    '? not_country': [
      'Atlantis',
      'DDR',
      'SU',
      'YU',
      'ZZ',
      'EU',
      'QX',
      'deutsch',
      'Europa',
      '49',
      '+49',
      '-',
      'Bayern',
      'Deutschlandx',
      'x'.repeat(9999),
    ],
  });

  test('have their codes, and their names in both languages', () => {
    const codes = Object.entries(alpha3Codes);
    assert.equal(codes.length, 249);
    for (const language of ['de', 'en']) {
      const names = new Intl.DisplayNames(language, { type: 'region' });
      for (const [alpha2, alpha3] of codes)
        for (const name of [alpha2, alpha3.toLowerCase(), names.of(alpha2)!])
          assert.equal(readCountry(name).value, alpha2, name);
    }
  });
});

describe('dates', () => {
  testCells(cell => shortOf(readDate(cell)), {
    '2026-11-01': [
      ...list(`1.11.2026 | 01.11.2026 | 01.11.26 | 1. 11. 2026 | 01 11 26 | 01 11 2026 | 2026-11-01 | 2026/11/01 | 2026.11.01
 | 1. November 2026 | 1 November 2026 | 01. Nov. 2026 | 1. Nov 26 | 1-Nov-2026 | 01-Nov-26 | November 1, 2026
 | Nov 1, 2026 | November 1st, 2026 | Sonntag, 1. November 2026 | So, 01.11.2026 | Sun, 1 Nov 2026
 | SONNTAG, 1. NOVEMBER 2026 | 2026-11-01 00:00:00 | 2026-11-01T00:00:00Z | 2026-11-01T00:00:00.000Z | 01.11.2026 00:00
 | 01.11.2026 00:00:00 | 20261101 | 01112026 | ="01.11.2026" | '01.11.2026 | 01.11.2026\u00A0`),
    ],
    '2026-03-03': [
      '3. März 2026',
      '3. Maerz 2026',
      '3. Mrz. 2026',
      '3. MÄRZ 2026',
      '3 March 2026',
      'Mar 3, 2026',
      '3/3/2026',
      '03-03-26',
    ],
    '2026-01-02': ['2. Jänner 2026', '2. Januar 2026', '2. Jan. 2026'],
    '2026-12-31': [
      '31/12/2026',
      '12/31/2026',
      '31-12-2026',
      '12/31/26',
      'Donnerstag, 31.12.2026',
      'Do 31.12.2026',
    ],
    '2029-06-01': ['1.6.29'],
    '1930-06-01': ['1.6.30'],
    '2028-02-29': ['29.2.2028'],
    null: ['', ' '],
    '? impossible_date': [
      ...list(`31.02.2026 | 29.2.2027 | 0026-11-01 | 00.11.2026 | 1.13.2026 | 32.1.2026 | 2026-13-01 | 1.1.1899 | 1.1.2200
 | 31/31/2026 | Montag, 1. November 2026 | 30. Februar 2026 | 20261301`),
    ],
    '? ambiguous_date': ['01/11/2026', '1/2/26', '01-11-2026'],
    '? not_date': [
      ...list(`45962 | 46296 | 1.11. | 11.2026 | November 2026 | heute | 1.11.202 | 1.11.20266 | 2026-11-01 13:30 | 1,11,2026
 | 2026-11 | 20261101000000 | 1. Foo 2026 | Foo, 1.11.2026 | -1.11.2026 | 1.11.2026 x | 6-digit | 011126 | ٠١.١١.٢٠٢٦`),
    ],
    '? hidden_value': ['########'],
    '? rounded_number': ['4,6E+04'],
  });

  test('of the calendar are read in each form, and no other date exists', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1900, max: 2199 }),
        fc.integer({ min: 0, max: 13 }),
        fc.integer({ min: 0, max: 32 }),
        (year, month, day) => {
          const date = new Date(Date.UTC(year, month - 1, day));
          const exists = date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
          const two = (number: number) => String(number).padStart(2, '0');
          const iso = `${year}-${two(month)}-${two(day)}`;
          for (const cell of [iso, `${day}.${month}.${year}`, `${two(day)}.${two(month)}.${year}`])
            assert.equal(shortOf(readDate(cell)), exists ? iso : '? impossible_date');
        },
      ),
    );
  });
});

describe('numbers', () => {
  testCells(cell => shortOf(readDecimal(cell)), {
    '1234.56': [
      '1234,56',
      '1234.56',
      '1.234,56',
      '1,234.56',
      "1'234.56",
      '1’234,56',
      '1 234,56',
      '1\u202F234,56',
      '1.234,56 €',
      '€ 1,234.56',
      'EUR 1234,56',
    ],
    '-1234.56': ['-1.234,56', '1.234,56-', '−1234,56', '-1.234,56 €', '- 1234.56'],
    '1234567': ['1.234.567', '1,234,567', '1234567', "1'234'567"],
    '0.123': ['0,123', '0.123'],
    '12.3456': ['12,3456'],
    '7': ['7', '007', '+7'],
    '0.00': ['0,00', '-0,00', '0.00'],
    '12.50': ['12,50', '12.50'],
    null: [''],
    '? ambiguous_number': ['1.234', '1,234', '999.999', '-1.234 €'],
    '? not_number': [
      'abc',
      '1,2,3',
      '1.23.456',
      '1..2',
      '12,',
      ',5',
      '1 2',
      '1.2345,6',
      '--1',
      '1-2',
      '12 %',
      '$5',
      '9'.repeat(99),
      '٣',
    ],
    '? rounded_number': ['4,9E+11'],
  });
  testCells(cell => shortOf(readDecimal(cell, ',')), {
    '1234': ['1.234'],
    '1.234': ['1,234'],
    '? not_number': ['1234.56', '1,234.56'],
  });
  testCells(cell => shortOf(readDecimal(cell, '.')), {
    '1234': ['1,234'],
    '1.234': ['1.234'],
    '? not_number': ['1234,56', '0,123'],
  });

  test('as Intl writes them in German and English are read with their separator', () => {
    for (const [language, separator] of [
      ['de-DE', ','],
      ['en-GB', '.'],
      ['de-CH', '.'],
      ['fr-CH', ','],
    ] as const)
      fc.assert(
        fc.property(fc.integer({ min: -1e9, max: 1e9 }), cents => {
          const text = new Intl.NumberFormat(language, { minimumFractionDigits: 2 }).format(cents / 100);
          assert.equal(readDecimal(text, separator).value, (cents / 100).toFixed(2));
        }),
      );
  });
});

describe('postal codes', () => {
  test('of Germany have five digits, and a shorter number is a question', () => {
    for (const country of ['DE', null]) {
      const read = (cell: string) => shortOf(readPostalCode(cell, country));
      assert.equal(read('01067'), '01067');
      assert.equal(read('="01067"'), '01067');
      assert.equal(read('D-01067'), '01067');
      assert.equal(read('DE 01067'), '01067');
      assert.equal(read('1067'), '? short_postal_code 01067');
      assert.equal(read('67'), '? short_postal_code');
      assert.equal(read(''), null);
    }
  });

  test('of other countries are as they are', () => {
    assert.equal(readPostalCode('1010', 'AT').value, '1010');
    assert.equal(readPostalCode('D-01067', 'CH').value, 'D-01067');
    assert.equal(readPostalCode('SW1A 1AA', null).value, 'SW1A 1AA');
  });
});

test('no reader throws, and each ends soon, whatever the cell contains', () => {
  const readers = [
    readText,
    readBoolean,
    readCountry,
    readDate,
    readDecimal,
    (cell: string) => readPostalCode(cell, 'DE'),
  ];
  const unit = fc.constantFrom(
    '1',
    '0',
    '.',
    ',',
    ' ',
    '-',
    '/',
    "'",
    '=',
    '"',
    '#',
    'E',
    '+',
    'D',
    'Nov',
    '(',
    ')',
    'Ã',
    '¼',
    '\ud800',
    '\u0301',
    '€',
  );
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit, maxLength: 30 }), fc.string({ unit: 'binary' })), cell => {
      for (const read of readers) {
        const { value, problem } = read(cell);
        assert.ok(value === null || problem === null);
      }
    }),
    { numRuns: 1000 },
  );
  for (const part of ['1', ' ', '.', '1.', '1,111', "1'111", 'a ', '(', '"', '1. ', 'D-', '\u00A0']) {
    const cell = part.repeat(50_000);
    for (const read of readers) assert.ok(read(`1${cell}x`).problem === null || read(cell));
  }
});
