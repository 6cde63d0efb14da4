import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { fold } from '@kontor/contract';
import { nastyText } from './support/arbitraries.ts';

const same = (...texts: string[]) => texts.forEach(text => assert.equal(fold(text), fold(texts[0]!), text));

describe('folding', () => {
  it('makes letter case equal for all of Unicode', () => {
    same('STRASSE', 'straße', 'Strasse', 'STRAẞE');
    same('İ', 'ı', 'I', 'i', 'I\u0307');
    same('Ä', 'ä');
    same('ΣΊΣΥΦΟΣ', 'σίσυφος', 'σίσυφοσ');
    same('ЩУКА', 'щука');
    same('ﬁ', 'FI');
    same('ǅ', 'Ǆ', 'ǆ');
    same('𐐀', '𐐨');
  });

  it('makes composed and decomposed characters equal', () => {
    same('Ä', 'A\u0308', 'a\u0308');
    same('ǰ', 'J\u030c');
    same('가', '\u1100\u1161');
  });

  it('keeps apart what differs in more than letter case', () => {
    const folded = ['a', 'ä', 'ae', 'á', 'ss', 's', 'i', 'j', '\u0131\u0323', '', ' ', '\u00a0'].map(fold);
    assert.equal(new Set(folded).size, folded.length);
  });

  it('gives known results, which are stored: a change of them is a new version', () => {
    assert.equal(fold('Ärger IN DER Straße, Σίσυφος! İ'), 'ärger in der strasse, σίσυφοσ! i');
  });

  it('is idempotent for every character, alone and before a combining mark', () => {
    const marks = ['', '\u0301', '\u0307', '\u0307\u0307', '\u0323', '\u0345'];
    // Between these ranges are only ideographs and Hangul syllables, which have no letter case.
    for (const [first, last] of [
      [0, 0x2fff],
      [0xa000, 0xabff],
      [0xf900, 0x1efff],
    ] as const) {
      for (let code = first; code <= last; code++) {
        for (const mark of marks) {
          const folded = fold(String.fromCodePoint(code) + mark);
          if (fold(folded) !== folded) assert.fail(`U+${code.toString(16)} before ${JSON.stringify(mark)}`);
        }
      }
    }
  });

  it('is idempotent and blind to composition for any text', () => {
    const marked = fc.string({
      unit: fc.constantFrom(...'iIİıjSßΣςα\u0307\u0323\u0301\u0345\u0308 '),
      maxLength: 8,
    });
    fc.assert(
      fc.property(fc.oneof(marked, nastyText, fc.string({ unit: 'binary' })), text => {
        assert.equal(fold(fold(text)), fold(text));
        assert.equal(fold(text.normalize('NFD')), fold(text));
      }),
      { numRuns: 800 },
    );
  });

  it('the short way for ASCII gives the same as the long way', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary-ascii' }), text =>
        assert.equal(`${fold(text)}ä`, fold(`${text}ä`)),
      ),
    );
  });

  it('takes lone surrogates as they are', () => {
    assert.equal(fold('A\ud800'), 'a\ud800');
  });
});
