import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { networkOf } from '../../src/lib/network.ts';

test('IPv4 addresses belong to a network when their first 24 bits are the same', () => {
  assert.equal(networkOf('192.0.2.0'), '192.0.2.0/24');
  assert.equal(networkOf('192.0.2.255'), '192.0.2.0/24');
  assert.equal(networkOf('192.0.3.0'), '192.0.3.0/24');
});

test('IPv6 addresses belong to a network when their first 64 bits are the same, however they are spelled', () => {
  for (const address of [
    '2001:db8:0:1::',
    '2001:db8:0:1::1',
    '2001:0DB8:0000:0001:ffff:ffff:ffff:ffff',
    '2001:db8:0:1::192.0.2.1',
    '2001:db8:0:1::1%eth0',
  ])
    assert.equal(networkOf(address), '2001:db8:0:1::/64', address);
  assert.equal(networkOf('2001:db8:0:2::'), '2001:db8:0:2::/64');
  assert.equal(networkOf('2001:db8::1'), '2001:db8:0:0::/64');
  assert.equal(networkOf('2001:db8::2'), '2001:db8:0:0::/64');
  assert.equal(networkOf('1::2:3:4:5:6'), '1:0:0:2::/64');
  assert.equal(networkOf('::1'), '0:0:0:0::/64');
  assert.equal(networkOf('::'), '0:0:0:0::/64');
});

test('an IPv4-mapped IPv6 address belongs to the network of the IPv4 address', () => {
  for (const address of ['::ffff:192.0.2.7', '::FFFF:c000:207', '0:0:0:0:0:ffff:192.0.2.200'])
    assert.equal(networkOf(address), '192.0.2.0/24', address);
  // IPv4-compatible and IPv4-translated addresses are others.
  for (const address of ['::192.0.2.7', '::ffff:0:192.0.2.7'])
    assert.equal(networkOf(address), '0:0:0:0::/64', address);
});

test('a text that is no address is returned unchanged', () => {
  for (const text of ['', 'unix', '192.0.2', '2001:db8::1::2']) assert.equal(networkOf(text), text);
});

test('two IPv6 addresses share a network exactly when their first 64 bits are the same', () => {
  const group = fc.constantFrom(0, 1, 0xffff);
  const groups = fc.array(group, { minLength: 8, maxLength: 8 });
  const text = (numbers: readonly number[]) => numbers.map(number => number.toString(16)).join(':');
  const isMapped = (numbers: readonly number[]) =>
    numbers.slice(0, 5).every(number => number === 0) && numbers[5] === 0xffff;
  fc.assert(
    fc.property(groups, groups, (one, other) => {
      fc.pre(!isMapped(one) && !isMapped(other));
      const same = text(one.slice(0, 4)) === text(other.slice(0, 4));
      assert.equal(networkOf(text(one)) === networkOf(text(other)), same);
    }),
  );
});
