import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ApiError, filterBounds, parseFilter, type Filter } from '@kontor/contract';

const is = (field: string, value: string): Filter => ({ kind: 'comparison', field, operator: '=', value });
const valueOf = (text: string) => {
  const filter = parseFilter(text);
  assert.equal(filter.kind, 'comparison');
  return (filter as { value: string }).value;
};

/** The message of the INVALID_FILTER_SYNTAX that the text is rejected with. */
function rejection(text: string): string {
  try {
    parseFilter(text);
  } catch (error) {
    assert.ok(error instanceof ApiError);
    assert.equal(error.code, 'INVALID_FILTER_SYNTAX');
    assert.equal(error.status, 400);
    return error.message;
  }
  return assert.fail(`accepted: ${text.slice(0, 100)}`);
}

describe('filter: operators', () => {
  for (const operator of ['=', '!=', '>', '>=', '<', '<=', 'CONTAINS', 'STARTS_WITH', 'ENDS_WITH']) {
    it(`${operator} compares with a value`, () => {
      assert.deepEqual(parseFilter(`city ${operator} Bonn`), {
        kind: 'comparison',
        field: 'city',
        operator,
        value: 'Bonn',
      });
    });
  }

  it('IN takes one or more values', () => {
    assert.deepEqual(parseFilter('city IN (Bonn)'), { kind: 'in', field: 'city', values: ['Bonn'] });
    assert.deepEqual(parseFilter(`city IN (Bonn, 'Bad Ems',"x")`), {
      kind: 'in',
      field: 'city',
      values: ['Bonn', 'Bad Ems', 'x'],
    });
    for (const text of [
      'city IN ()',
      'city IN Bonn',
      'city IN (Bonn,)',
      'city IN (,Bonn)',
      'city IN (Bonn Ems)',
      'city IN (Bonn',
    ])
      rejection(text);
  });

  it('IS NULL and IS NOT NULL test for null', () => {
    assert.deepEqual(parseFilter('city IS NULL'), { kind: 'null', field: 'city', negated: false });
    assert.deepEqual(parseFilter('city IS NOT NULL'), { kind: 'null', field: 'city', negated: true });
    for (const text of [
      'city IS',
      'city IS NOT',
      'city ISNULL',
      'city IS Bonn',
      'city NOT NULL',
      'city IS NULL NULL',
    ])
      rejection(text);
  });

  it('keywords are accepted in any letter case', () => {
    assert.deepEqual(
      parseFilter('a Is nOt NulL aNd b sTARTS_with x oR c iN (1)'),
      parseFilter('a IS NOT NULL AND b STARTS_WITH x OR c IN (1)'),
    );
  });

  it('letters that only fold to those of a keyword make no keyword', () => {
    for (const text of ['a ıs NULL', 'a ſtarts_with x', 'a = 1 ANĐ b = 2']) rejection(text);
    assert.equal(valueOf('a = ıs'), 'ıs');
  });

  it('there is no operator beyond those of the grammar', () => {
    for (const operator of ['==', '=>', '=<', '<>', '!', 'LIKE', 'NOT IN', '~', '&', 'NOT'])
      rejection(`city ${operator} Bonn`);
    rejection('NOT city = Bonn');
  });

  it('an operator of another language is answered with that of this one', () => {
    for (const text of ['city == Bonn', 'city <> Bonn', 'a >= = 1'])
      assert.match(
        rejection(text),
        /expected a value, found [=<>]\. Write one operator: =, !=, >, >=, < or <=\.$/,
      );
    assert.match(
      rejection('NOT city = Bonn'),
      /found the keyword NOT\. There is no NOT before a condition: use !=\.$/,
    );
    for (const text of ['a = 1 && b = 2', 'a = "1" | b = 2'])
      assert.match(rejection(text), /found a word\. Join conditions with AND or OR\.$/);
  });
});

describe('filter: connectives', () => {
  it('AND binds tighter than OR', () => {
    assert.deepEqual(parseFilter('a = 1 OR b = 2 AND c = 3 OR d = 4'), {
      kind: 'or',
      terms: [is('a', '1'), { kind: 'and', terms: [is('b', '2'), is('c', '3')] }, is('d', '4')],
    });
  });

  it('parentheses override precedence', () => {
    assert.deepEqual(parseFilter('(a = 1 OR b = 2) AND c = 3'), {
      kind: 'and',
      terms: [{ kind: 'or', terms: [is('a', '1'), is('b', '2')] }, is('c', '3')],
    });
  });

  it('parentheses that change nothing leave no trace', () => {
    assert.deepEqual(parseFilter('((a = 1))'), is('a', '1'));
    assert.deepEqual(
      parseFilter('((a = 1) AND b = 2) AND (c = 3 AND d = 4)'),
      parseFilter('a=1 AND b=2 AND c=3 AND d=4'),
    );
    assert.deepEqual(parseFilter('(a = 1 AND b = 2) OR c = 3'), parseFilter('a=1 AND b=2 OR c=3'));
  });

  it('an incomplete expression is rejected', () => {
    for (const text of [
      'a',
      'a =',
      'a = 1 AND',
      'OR a = 1',
      'a = 1 AND OR b = 2',
      '(a = 1',
      'a = 1)',
      '()',
      '(',
      ')',
      ',',
      'a = 1, b = 2',
    ])
      rejection(text);
  });

  it('an empty filter is rejected', () => {
    for (const text of ['', ' ', '\n\t\u00a0']) rejection(text);
  });
});

describe('filter: white space', () => {
  it('is ignored outside quoted values', () => {
    const expected = parseFilter("a='x y' AND(b IN(1,2)OR c>=3)");
    assert.deepEqual(parseFilter("\n a\t=\r'x y'  AND ( b  IN ( 1 , 2 ) OR c >= 3 ) "), expected);
    assert.deepEqual(parseFilter("\ufeffa\u00a0=\u2003'x y'\u2028AND(b IN(1,2)OR\u3000c>=3)"), expected);
  });

  it('is ignored between the two characters of an operator', () => {
    assert.deepEqual(parseFilter('a > = 1'), parseFilter('a >= 1'));
    assert.deepEqual(parseFilter('a <\n= 1'), parseFilter('a <= 1'));
    assert.deepEqual(parseFilter('a! \t =1'), parseFilter('a != 1'));
  });

  it('is needed only where two words would run together', () => {
    assert.deepEqual(
      parseFilter("(a=1)AND(b CONTAINS'x')OR c='y'AND d=2"),
      parseFilter("a=1 AND b CONTAINS 'x' OR c='y' AND d=2"),
    );
    rejection('a=1AND b=2');
    rejection('a CONTAINSx');
  });

  it('is kept inside quotes', () => {
    assert.equal(valueOf("a = '  x\n y '"), '  x\n y ');
  });
});

describe('filter: field names', () => {
  it('are letters, digits, dot and underscore, as written', () => {
    for (const name of ['city', 'City', 'products.model', 'a_1', '_', '1'])
      assert.equal((parseFilter(`${name} = x`) as { field: string }).field, name);
    for (const name of ['first-name', 'straße', 'a[0]', 'a$', "'a'", '"a"', '😀']) rejection(`${name} = x`);
  });

  it('a keyword is not a field name', () => {
    for (const name of ['and', 'OR', 'In', 'null', 'IS', 'not', 'contains']) rejection(`${name} = x`);
  });
});

describe('filter: values', () => {
  it('an unquoted value runs to white space, a bracket, a comma, a quote or an operator character', () => {
    for (const value of [
      'Bonn',
      '-5',
      '1.5',
      '2026-09-02T08:15:30.123Z',
      'a.b+c@x.de',
      'straße',
      '😀',
      '%',
      '\\',
      'a\\',
      '[x]',
      '#&;',
      '\u0085',
    ])
      assert.equal(valueOf(`a = ${value}`), value);
    for (const end of [' ', '(', ')', ',', "'", '"', '=', '!', '<', '>']) rejection(`a = x${end}y`);
    assert.deepEqual(parseFilter('(a=x)'), is('a', 'x'));
  });

  it('a bare keyword is never a value', () => {
    for (const word of ['AND', 'or', 'In', 'contains', 'STARTS_WITH', 'ends_with', 'is', 'Not', 'null']) {
      rejection(`a = ${word}`);
      rejection(`a IN (x, ${word})`);
      assert.equal(valueOf(`a = '${word}'`), word);
    }
    assert.equal(valueOf('a = Order'), 'Order');
    assert.equal(valueOf('a = nullable'), 'nullable');
  });

  it('`city = null` is rejected with the advice to write IS NULL', () => {
    assert.equal(
      rejection('city = null'),
      'filter, position 8: expected a value, found the keyword NULL. Test for null with IS NULL or IS NOT NULL; put the text null in quotes.',
    );
  });

  it("\\' is an apostrophe in either quote style", () => {
    assert.equal(valueOf(String.raw`a = 'O\'Brien'`), "O'Brien");
    assert.equal(valueOf(String.raw`a = "O\'Brien"`), "O'Brien");
    assert.equal(valueOf(String.raw`a = '\''`), "'");
  });

  it('every other backslash is itself', () => {
    assert.equal(valueOf(String.raw`a = 'x\y\\z\n\"'`), String.raw`x\y\\z\n\"`);
    assert.equal(valueOf(String.raw`a = "x\\"`), String.raw`x\\`);
    assert.equal(valueOf(String.raw`a = '\\''`), String.raw`\'`);
  });

  it('the other quote stands in a value as itself, the own one closes it', () => {
    assert.equal(valueOf(`a = "O'Brien"`), "O'Brien");
    assert.equal(valueOf(`a = 'say "x"'`), 'say "x"');
    rejection(String.raw`a = "say \"x"`);
    rejection("a = 'x''y'");
  });

  it('an empty quoted value is a value', () => {
    assert.equal(valueOf("a = ''"), '');
    assert.equal(valueOf('a = ""'), '');
  });

  it('a quote that is never closed is rejected', () => {
    for (const text of ["a = 'x", 'a = "x', String.raw`a = 'x\'`, "a = '", "'"])
      assert.match(rejection(text), /quote that is never closed/);
    assert.match(rejection(String.raw`a = 'x\'`), /put a value that ends in a backslash in double quotes/);
  });
});

describe('filter: messages', () => {
  it('give the position from 1 and what was expected', () => {
    const cases: [string, RegExp][] = [
      ['', /^filter, position 1: expected a field name or \(, found the end of the filter\.$/],
      ['city', /^filter, position 5: expected an operator \(.*IS NOT NULL\), found the end of the filter\.$/],
      ['city = ', /^filter, position 8: expected a value, found the end of the filter\.$/],
      ['a = 1 AND b ! 2', /^filter, position 13: expected an operator .*, found !\.$/],
      ['city IS x', /^filter, position 9: expected NULL or NOT NULL, found a word\.$/],
      ['city IS NOT x', /^filter, position 13: expected NULL, found a word\.$/],
      ['city IN x', /^filter, position 9: expected \(, found a word\.$/],
      [
        'city IN (x;y z)',
        /^filter, position 14: expected , or \), found a word\. Put a value with white space/,
      ],
      ['(a = 1', /^filter, position 7: expected AND, OR or \), found the end of the filter\.$/],
      ['a = 1)', /^filter, position 6: expected AND, OR or the end, found \)\.$/],
      [
        'a = New York',
        /^filter, position 9: expected AND, OR or the end, found a word\. Put a value with white space/,
      ],
    ];
    for (const [text, message] of cases) assert.match(rejection(text), message);
  });

  it('count positions in code points', () => {
    assert.match(rejection("a = '😀😀' x"), /position 10:/);
  });

  it('report the first fault in reading order', () => {
    assert.match(rejection("a ! 1 AND b = 'x"), /position 3:/);
  });

  it('never repeat a value', () => {
    for (const text of [
      "a = 'Geheim' 'Geheim'",
      'a = Geheim Geheim',
      'Geheim',
      'Geheim-x = 1',
      "a IN ('Geheim' Geheim)",
      "a = 'Geheim",
    ])
      assert.doesNotMatch(rejection(text), /Geheim/);
  });
});

describe('filter: bounds', () => {
  it('are those of the contract', () => {
    assert.deepEqual(filterBounds, { characters: 16_000, comparisons: 100, values: 500, nesting: 20 });
  });

  it('a filter longer than 16,000 characters is INVALID_FILTER_SYNTAX', () => {
    const of = (length: number, unit: string) => `a = '${unit.repeat(length - 6)}'`;
    assert.equal(valueOf(of(16_000, 'x')).length, 15_994);
    assert.equal(valueOf(of(16_000, '😀')).length, 2 * 15_994);
    assert.match(rejection(of(16_001, 'x')), /at most 16,000 characters/);
    assert.match(rejection(of(16_001, '😀')), /at most 16,000 characters/);
    assert.match(rejection(' '.repeat(16_001)), /at most 16,000 characters/);
  });

  it('a filter of more than 100 comparisons is INVALID_FILTER_SYNTAX', () => {
    const of = (count: number) =>
      ['a = 1', 'b IN (1, 2)', 'c IS NULL', ...Array(count - 3).fill('(d = 4)')].join(' OR ');
    assert.equal(parseFilter(of(100)).kind, 'or');
    assert.match(rejection(of(101)), /position 1106: expected at most 100 comparisons/);
  });

  it('an IN list of more than 500 values is INVALID_FILTER_SYNTAX', () => {
    const of = (count: number) => `a IN (${Array(count).fill('x').join(',')})`;
    assert.deepEqual(parseFilter(of(500)), { kind: 'in', field: 'a', values: Array(500).fill('x') });
    assert.match(rejection(of(501)), /position 1007: expected at most 500 values in one IN list/);
    assert.equal(parseFilter(`${of(500)} AND ${of(500)}`).kind, 'and');
  });

  it('a filter nested deeper than 20 is INVALID_FILTER_SYNTAX', () => {
    const of = (depth: number) => `${'('.repeat(depth)}a IN (1)${')'.repeat(depth)}`;
    assert.equal(parseFilter(of(20)).kind, 'in');
    assert.match(rejection(of(21)), /position 21: expected at most 20 nested parentheses/);
    assert.equal(parseFilter(`${of(20)} AND ${of(20)}`).kind, 'and');
  });

  it('a filter with more than 30 combining marks in a row is INVALID_FILTER_SYNTAX', () => {
    for (const mark of ['\u0301', '\u{1d165}', '\u0345\u0334'.normalize('NFC')]) {
      const marks = mark.repeat(30 / [...mark].length);
      assert.equal(valueOf(`a = '😀${marks}e${marks}'`), `😀${marks}e${marks}`);
      assert.match(
        rejection(`a = '😀${marks}\u0301'`),
        /position 7: expected at most 30 combining marks in a row/,
      );
    }
  });

  it('hostile texts are rejected without overflowing the stack', () => {
    for (const chunk of [
      '(',
      ')',
      "'",
      '"',
      '\\',
      "\\'",
      '!',
      '! ',
      'a',
      'a = ',
      'a = (',
      'a IN (',
      'AND ',
      '\0',
      '\ud800',
    ])
      rejection(chunk.repeat(16_000 / chunk.length));
    rejection('('.repeat(1_000_000));
  });
});
