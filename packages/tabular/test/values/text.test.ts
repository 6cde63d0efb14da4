// cspell:disable
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { allLocales, Faker } from '@faker-js/faker';
import { isGarbled } from '../../src/values/garbled.ts';
import { cleanText, readText } from '../../src/values/text.ts';
import { list, shortOf } from '../support.ts';

const read = (cell: string) => shortOf(readText(cell));

describe('text', () => {
  test('is trimmed by all white space of Unicode, marks of direction and characters without width', () => {
    for (const blank of [
      ' ',
      '\t',
      '\n',
      '\r\n',
      '\u00A0',
      '\u2003',
      '\u202F',
      '\u3000',
      '\u200B',
      '\uFEFF',
      '\u2060',
      '\u00AD',
    ])
      assert.equal(read(`${blank}Max${blank}Muster${blank}`), `Max${blank}Muster`.normalize('NFC'));
    assert.equal(read('\u202A+49 351 1\u202C'), '+49 351 1');
    assert.equal(read(' \u00A0\u200B '), null);
    assert.equal(read(''), null);
  });

  test('is NFC', () => {
    assert.equal(read('Ju\u0308rgen'), 'Jürgen');
    assert.equal(cleanText('A\u030Angstro\u0308m'), 'Ångström');
  });

  test('of any length is read', () => {
    for (const unit of [' ', "'", '#', '=', '"', '&', '1', 'Ã', '\u0301']) {
      const cell = `a${unit.repeat(100_000)}a`;
      assert.ok(readText(cell));
      assert.ok(readText(unit.repeat(100_000)));
    }
  });
});

describe('an original that the file protected is restored:', () => {
  for (const [cell, text] of [
    ['="00701"', '00701'],
    [' ="+49 351 1" ', '+49 351 1'],
    ['="a ""b"""', 'a "b"'],
    ['=""', null],
    ["'00701", '00701'],
    ["'+49 351", '+49 351'],
    ["'=SUM(A1)", '=SUM(A1)'],
    ["'@handle", '@handle'],
    ["'4915112345678", '4915112345678'],
    ["'-", '-'],
  ] as const)
    test(`${cell} is ${text}`, () => assert.equal(read(cell), text));

  for (const text of ["'t Hooft", "'s-Gravenhage", "'", "''", "d'Arc", "'68er", '="00701', '"00701"'])
    test(`${text} has none`, () => assert.ok(read(text) === text || read(text) === '? formula'));
});

describe('a value that a spreadsheet damaged is a problem:', () => {
  for (const [code, cells] of Object.entries({
    rounded_number: ['4,9E+11', '4.9E+11', '4,91512E+12', '5E+11', '-1.2e-5', '4.915e11', '4,9E+011'],
    hidden_value: ['##', '####', '########################'],
    formula_error: [
      ...list(`#NV | #N/A | #WERT! | #VALUE! | #BEZUG! | #REF! | #NAME? | #DIV/0! | #ZAHL! | #NUM! | #NULL! | #GETTING_DATA
 | #ÜBERLAUF! | #SPILL! | #CALC! | #FELD! | #BLOCKED! | #ERROR! | Err:502 | Fehler:508`),
    ],
    formula: ['=A1', '=SVERWEIS(A1;B:C;2;0)', '="a"&"b"', '=00701'],
  }))
    for (const cell of cells)
      test(`${cell} (${code})`, () => assert.equal(readText(cell).problem?.code, code));

  for (const text of [
    '#',
    '#1',
    '#Team',
    'E-Mail',
    '1E5',
    '12E3',
    'E+11',
    'Nr. 4',
    '4,9',
    'NV',
    '49E',
    '3D',
    '# 5',
  ])
    test(`${text} is none`, () => assert.equal(read(text), text));

  test('names what was found, at most 100 characters', () => {
    const { problem } = readText('#'.repeat(99) + '#'.repeat(900));
    assert.deepEqual(problem, { code: 'hidden_value', found: '#'.repeat(100), suggestion: null });
    assert.equal(readText(`=${'x'.repeat(98)}😀`).problem?.found, `=${'x'.repeat(98)}\ufffd`);
  });
});

describe('text of a wrong encoding is a question:', () => {
  for (const [cell, suggestion] of [
    ['MÃ¼ller', 'Müller'],
    ['GroÃŸ', 'Groß'],
    ['Ã–zdemir', 'Özdemir'],
    ['KovaÄ‡', 'Kovać'],
    ['KsiÄ…Å¼ek', 'Książek'],
    ['MÃƒÂ¼ller', 'Müller'],
    ['5 â‚¬', '5 €'],
    ['Oâ€™Neill', 'O’Neill'],
    ['Иван'.replaceAll(/./gu, letter => Buffer.from(letter).toString('latin1')), null],
    ['M√ºller', null],
    ['M├╝ller', null],
    ['M¸ller', null],
    ['M³ller', null],
    ['Groﬂ', null],
    ['MŸnchen', null],
    ['K„the', null],
    ['Stra§e', null],
    ['RenŽ', null],
    ['J\u0081rgen', null],
    ['M\ufffdller', null],
    ['M\u0000ller', null],
    ['M\ud800ller', null],
    ['M?ller', null],
    ['M&uuml;ller', null],
    ['M&#252;ller', null],
    ['voilÃ\u00A0', null],
  ] as const)
    test(JSON.stringify(cell), () => {
      const { problem } = readText(cell);
      assert.equal(problem?.code, 'garbled_text');
      if (suggestion !== null) assert.equal(problem.suggestion, suggestion);
    });

  for (const text of list(`Jürgen Groß | „Ä“ | »Öl« | MENÜ–KARTE | BÄR“ | O’Neill | L’Haÿ-les-Roses | SÃO PAULO | João | Ñandú | Łódź | Dvořák
 | Şahin | İstanbul | Žofie Šimić | Ž | Ådne | Ærø | Œuvre | Ÿ | 10 m³ | m² | § 7 | 6 ÷ 2 | Was? Ja
 | https://a.example/x?y=z | A & B | AT&T; | 100 % | √2 | Иван Петров | Γιώργος | 东京 | a\tb\nc | Café – Bar
 | Haus “Am See” | „Haus“ | ½ | 5 € | Ø 3 | °C | Nr. 5 ½ | … | • Punkt | Marke™ | ® | Straße 5‚ | L·L | l·l`))
    test(`${JSON.stringify(text)} is right`, () => assert.equal(isGarbled(text), false));

  test('names of people and cities in 60 languages are right', () => {
    const found = new Set<string>();
    for (const locale of Object.values(allLocales)) {
      const faker = new Faker({ locale: [locale, allLocales.en, allLocales.base] });
      faker.seed(37);
      for (let n = 0; n < 50; n++)
        for (const text of [faker.person.fullName(), faker.location.city(), faker.location.streetAddress()])
          if (isGarbled(text)) found.add(text);
    }
    assert.deepEqual([...found], []);
  });

  test('German names in UTF-8 that were read in another encoding are found', () => {
    const faker = new Faker({ locale: [allLocales.de, allLocales.en, allLocales.base] });
    faker.seed(37);
    const names = Array.from({ length: 3000 }, () => [faker.person.lastName(), faker.location.city()]).flat();
    const german = names.filter(name => /[äöüÄÖÜß]/.test(name));
    assert.ok(german.length > 100);
    for (const encoding of ['windows-1252', 'macintosh'])
      for (const name of german)
        assert.ok(isGarbled(new TextDecoder(encoding).decode(Buffer.from(name))), name);
  });
});
