import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import peggy from 'peggy';
import { ApiError, parseFilter, printFilter, type ComparisonOperator, type Filter } from '@kontor/contract';
import { canonical, nastyText, terms } from './support/arbitraries.ts';

const grammar = peggy.generate(readFileSync(new URL('filter.peggy', import.meta.url), 'utf8'));

/** Whether the project accepts the text; anything but a filter or INVALID_FILTER_SYNTAX fails the test. */
function accepts(text: string): boolean {
  try {
    parseFilter(text);
    return true;
  } catch (error) {
    if (error instanceof ApiError && error.code === 'INVALID_FILTER_SYNTAX') return false;
    throw error;
  }
}

function grammarAccepts(text: string): boolean {
  try {
    grammar.parse(text);
    return true;
  } catch (error) {
    if (error instanceof grammar.SyntaxError) return false;
    throw error;
  }
}

const operators: ComparisonOperator[] = [
  '=',
  '!=',
  '>',
  '>=',
  '<',
  '<=',
  'CONTAINS',
  'STARTS_WITH',
  'ENDS_WITH',
];
const keywords = ['AND', 'OR', 'IN', 'IS', 'NOT', 'NULL', 'CONTAINS', 'STARTS_WITH', 'ENDS_WITH'];
const isKeyword = (text: string) => keywords.includes(text.toUpperCase());
const isUnwritable = (value: string) => value.includes('"') && value.endsWith('\\');

const quoting = fc.string({ unit: fc.constantFrom("'", '"', '\\', 'x', ' ', 'ä', '😀'), maxLength: 8 });
const value = fc
  .oneof(quoting, nastyText, fc.string({ unit: 'binary', maxLength: 12 }), fc.constantFrom(...keywords))
  .filter(text => !isUnwritable(text));
const field = fc
  .string({ unit: fc.constantFrom(...'abzAZ019._'), minLength: 1, maxLength: 6 })
  .filter(name => !isKeyword(name));
const anyFilter = canonical(terms(field, fc.constantFrom(...operators), value), 3);

const anyCase = (word: string) =>
  fc.constantFrom(word, word.toLowerCase(), word[0] + word.slice(1).toLowerCase());
const space = fc.constantFrom('', '', ' ', '  ', '\n', '\t', '\u00a0', '\ufeff');
const chunk = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...'()=!<>,', '>=', '! =') },
  { weight: 3, arbitrary: fc.constantFrom(...keywords).chain(anyCase) },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      'a',
      'b.c',
      '_9',
      'ä',
      '-1',
      'x\\',
      'a-b',
      'ıs',
      'ſ',
      '\u0085',
      '\0',
      '\ud800',
    ),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom("'x y'", '"x"', "'\\''", "'x\\'", '"x\\"', "'", '"', '\\', "\\'", "''"),
  },
);
const soup = fc.array(fc.tuple(chunk, space), { maxLength: 12 }).map(chunks => chunks.flat().join(''));

/** Whole terms and connectives, of which about half the arrangements are filters. */
const sentence = fc
  .array(
    fc.tuple(
      fc.constantFrom(
        '(',
        ')',
        ' AND ',
        ' or',
        'a = 1',
        "b!\n='x'",
        'c In(x ,y)',
        'd is not null',
        'e IS NULL',
        'g > =1',
        'f CONTAINS"x"',
      ),
      space,
    ),
    {
      maxLength: 9,
    },
  )
  .map(chunks => chunks.flat().join(''));

/** A printed filter with a few characters removed, replaced or put in. */
const mutated = fc
  .tuple(
    anyFilter.map(printFilter),
    fc.array(fc.tuple(fc.double({ min: 0, max: 1, noNaN: true }), fc.nat(1), fc.oneof(chunk, space)), {
      minLength: 1,
      maxLength: 2,
    }),
  )
  .map(([text, edits]) =>
    edits.reduce((edited, [where, removed, inserted]) => {
      const at = Math.floor(where * edited.length);
      return edited.slice(0, at) + inserted + edited.slice(at + removed);
    }, text),
  );

const anyText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.uint8Array({ maxLength: 60 }).map(bytes => new TextDecoder('latin1').decode(bytes)),
  fc
    .array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 40 })
    .map(units => String.fromCharCode(...units)),
);

describe('filter: properties', () => {
  it('parsing what was printed is the identity', () => {
    fc.assert(
      fc.property(anyFilter, filter => assert.deepEqual(parseFilter(printFilter(filter)), filter)),
      { numRuns: 2000 },
    );
  });

  it('printing rejects a value exactly when it has a double quote inside and a backslash at the end', () => {
    fc.assert(
      fc.property(quoting, text => {
        const filter: Filter = { kind: 'comparison', field: 'a', operator: '=', value: text };
        if (isUnwritable(text)) assert.throws(() => printFilter(filter), RangeError);
        else assert.deepEqual(parseFilter(printFilter(filter)), filter);
      }),
      { numRuns: 2000 },
    );
  });

  it('printing is stable: what parses prints as something that parses to the same', () => {
    fc.assert(
      fc.property(fc.oneof(soup, sentence, mutated), text => {
        if (!accepts(text)) return;
        const filter = parseFilter(text);
        assert.deepEqual(parseFilter(printFilter(filter)), filter);
      }),
      { numRuns: 2000 },
    );
  });

  it('any text gives a filter or INVALID_FILTER_SYNTAX', () => {
    fc.assert(
      fc.property(fc.oneof(anyText, soup, mutated), text => void accepts(text)),
      { numRuns: 3000 },
    );
  });
});

describe('filter: an independent grammar accepts exactly the same strings', () => {
  const same = (text: string) => assert.equal(accepts(text), grammarAccepts(text), JSON.stringify(text));

  it('on printed filters', () => {
    fc.assert(
      fc.property(anyFilter.map(printFilter), text => assert.ok(accepts(text) && grammarAccepts(text))),
      { numRuns: 500 },
    );
  });

  it('on mutations of printed filters', () => {
    fc.assert(fc.property(mutated, same), { numRuns: 4000 });
  });

  it('on a soup of tokens', () => {
    fc.assert(fc.property(soup, same), { numRuns: 6000 });
  });

  it('on arrangements of whole terms', () => {
    fc.assert(fc.property(sentence, same), { numRuns: 4000 });
  });

  it('on any text', () => {
    fc.assert(fc.property(anyText, same), { numRuns: 1000 });
  });

  it('on every character that may be white space or end an unquoted value', () => {
    const units = [...Array(0x3100).keys(), 0xfeff];
    for (const character of units.map(unit => String.fromCharCode(unit))) {
      same(`a = x${character}y`);
      same(`a${character}= x`);
    }
  });
});
