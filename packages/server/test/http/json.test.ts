import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ApiError } from '@kontor/contract';
import fc from 'fast-check';
import { parseJsonObject } from '../../src/http/request/json.ts';

const name = fc.oneof(fc.constantFrom('a', 'b', '__proto__', '"', '\\', 'ä', '😀', ''), fc.string());
const leaf = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.double({ noNaN: true }),
  fc.boolean(),
  fc.constant(null),
);

/** JSON objects as text, written with random white space and escapes, with whether a key stands twice in an object. */
const { text } = fc.letrec<{ text: Written; value: Written; object: Written }>(tie => ({
  text: tie('object'),
  value: fc.oneof(
    { maxDepth: 3, depthSize: 'small' },
    leaf.map(value => ({ json: JSON.stringify(value), twice: false })),
    fc.array(tie('value'), { maxLength: 3 }).map(items => ({
      json: `[ ${items.map(item => item.json).join(' ,')}]`,
      twice: items.some(item => item.twice),
    })),
    tie('object'),
  ),
  object: fc.array(fc.tuple(name, fc.boolean(), tie('value')), { maxLength: 4 }).map(members => ({
    json: `{${members.map(([key, escaped, value]) => `${escaped ? escapeAll(key) : JSON.stringify(key)} : ${value.json}`).join(',\n')}}`,
    twice:
      new Set(members.map(([key]) => key)).size < members.length ||
      members.some(([, , value]) => value.twice),
  })),
}));

interface Written {
  readonly json: string;
  readonly twice: boolean;
}

function escapeAll(key: string): string {
  const units = Array.from({ length: key.length }, (_, i) => key.charCodeAt(i).toString(16).padStart(4, '0'));
  return `"${units.map(unit => `\\u${unit}`).join('')}"`;
}

test('a body is rejected exactly when a key stands twice in one object, at any depth and however it is written', () => {
  fc.assert(
    fc.property(text, ({ json, twice }) => {
      const acceptable = !twice && !holdsRejectedCharacters(JSON.parse(json));
      assert.equal(isAccepted(json), acceptable);
      if (acceptable) assert.deepEqual(parseJsonObject(Buffer.from(json)), JSON.parse(json));
    }),
    { numRuns: 500 },
  );
});

test('a body is rejected exactly when a name or a value holds NUL or a lone surrogate, at any depth', () => {
  const character = fc.constantFrom('a', '\0', '\ud83d', '\ude00', '😀', '\\', '"', '\n');
  const string = fc.array(character, { maxLength: 3 }).map(characters => characters.join(''));
  fc.assert(
    fc.property(string, string, (key, value) => {
      const body = { x: [{ [key]: value }] };
      assert.equal(isAccepted(JSON.stringify(body)), !holdsRejectedCharacters(body));
    }),
    { numRuns: 300 },
  );
});

test('random bytes are rejected with 400 VALIDATION_ERROR or are an object, and never fail otherwise', () => {
  const snippet = fc.constantFrom(
    '{',
    '}',
    '[',
    ']',
    '"',
    ':',
    ',',
    '\\',
    '\\u',
    'd83d',
    '1',
    'null',
    ' ',
    'ä',
  );
  const bytes = fc.oneof(
    fc.array(snippet, { maxLength: 20 }).map(parts => Buffer.from(parts.join(''))),
    fc.uint8Array({ maxLength: 30 }).map(array => Buffer.from(array)),
  );
  fc.assert(
    fc.property(bytes, body => {
      isAccepted(body);
    }),
    { numRuns: 500 },
  );
});

describe('a body has at most 10,000 properties and array elements in all', () => {
  const elements = (count: number) => `[${Array(count).fill('1').join(', ')}]`;
  const members = (count: number) => Array.from({ length: count }, (_, i) => `"k${i}" : {}`).join(' ,');
  const bodies: Record<string, (count: number) => string> = {
    properties: count => `{${members(count)}}`,
    'elements of an array': count => `{"a": ${elements(count - 1)}}`,
    'empty arrays and objects': count =>
      `{"a":[${Array.from({ length: count - 1 }, (_, i) => (i % 2 ? '[ ]' : '{}')).join()}]}`,
    'properties and elements, at several levels': count =>
      `{"a": {"b": [[${elements(1000)}], {${members(count - 1005)}}]}}`,
  };
  for (const [name, body] of Object.entries(bodies))
    test(name, () => {
      assert.doesNotThrow(() => parseJsonObject(Buffer.from(body(10_000))));
      assert.throws(() => parseJsonObject(Buffer.from(body(10_001))), {
        code: 'VALIDATION_ERROR',
        message: /more than 10,000 properties and array elements/,
      });
    });

  test('what stands in a string does not count', () => {
    assert.doesNotThrow(() => parseJsonObject(Buffer.from(`{"a":"${'[{,:\\"'.repeat(20_000)}"}`)));
  });

  test('the bound is found before the rest is looked at, which need not be JSON', () => {
    assert.throws(() => parseJsonObject(Buffer.from(`{"a":[${'1,'.repeat(10_001)} nonsense`)), /10,000/);
  });
});

test('a body nests at most 64 levels', () => {
  const nested = (levels: number) => `{"a":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}}`;
  assert.doesNotThrow(() => parseJsonObject(Buffer.from(nested(64))));
  assert.throws(() => parseJsonObject(Buffer.from(nested(65))), /deeper than 64 levels/);
});

function isAccepted(body: string | Buffer): boolean {
  try {
    parseJsonObject(Buffer.from(body as string));
    return true;
  } catch (error) {
    assert.ok(error instanceof ApiError);
    assert.deepEqual([error.code, error.status], ['VALIDATION_ERROR', 400]);
    return false;
  }
}

function holdsRejectedCharacters(value: unknown): boolean {
  if (typeof value === 'string') return value.includes('\0') || !value.isWellFormed();
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some(
    ([key, inner]) => holdsRejectedCharacters(key) || holdsRejectedCharacters(inner),
  );
}
