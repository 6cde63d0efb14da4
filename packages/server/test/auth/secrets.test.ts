import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import fc from 'fast-check';
import { hashKey, newKey, parseKey } from '../../src/auth/api-keys.ts';
import { hashMatches } from '../../src/auth/secrets.ts';

const pepper = randomBytes(32);

test('a new key is kontor_<id 12>_<secret 43>_<checksum 6> in base62 and is accepted as it is', () => {
  const key = newKey();
  assert.match(key.text, /^kontor_[0-9A-Za-z]{12}_[0-9A-Za-z]{43}_[0-9A-Za-z]{6}$/);
  assert.deepEqual(parseKey(key.text), key);
});

test('a key with any one character exchanged is rejected by its checksum or its form', () => {
  const { text } = newKey();
  const character = fc.constantFrom(...'0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_- ');
  fc.assert(
    fc.property(fc.nat(text.length - 1), character, (index, replacement) => {
      fc.pre(text[index] !== replacement);
      assert.equal(parseKey(text.slice(0, index) + replacement + text.slice(index + 1)), null);
    }),
  );
});

test('a text of another form is no key', () => {
  const { text } = newKey();
  for (const wrong of [
    '',
    'kontor_',
    `${text} `,
    ` ${text}`,
    `${text}0`,
    text.slice(0, -1),
    text.toUpperCase(),
  ])
    assert.equal(parseKey(wrong), null, wrong);
});

test('a hash depends on the pepper and matches only itself', () => {
  const key = newKey();
  const hash = hashKey(key, pepper);
  assert.equal(hash.length, 32);
  assert.ok(hashMatches(hash, hashKey(key, pepper)));
  assert.ok(!hashMatches(hash, hashKey(newKey(), pepper)));
  assert.ok(!hashMatches(hash, hashKey(key, randomBytes(32))));
});

test('no hash matches an unknown key, not even the one that stands in for it', () => {
  assert.ok(!hashMatches(Buffer.alloc(32), null));
});
