import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { BoundedMap } from '../../src/lib/bounded-map.ts';

describe('a bounded map', () => {
  it('never holds more bytes than its capacity', () => {
    const map = new BoundedMap<number>(10_000);
    for (let n = 0; n < 1_000; n++) {
      map.set(`key ${n % 300}`, n, (n * 37) % 500);
      assert.ok(map.bytes <= 10_000);
    }
    assert.ok(map.bytes > 8_000);
  });

  it('forgets what was used longest ago', () => {
    const map = new BoundedMap<string>(1_000);
    map.set('a', 'A', 100);
    map.set('b', 'B', 100);
    map.set('c', 'C', 100);
    assert.equal(map.get('a'), 'A');
    map.set('d', 'D', 100);
    assert.deepEqual(
      ['a', 'b', 'c', 'd'].map(key => map.get(key)),
      ['A', undefined, 'C', 'D'],
    );
  });

  it('holds nothing that is larger than itself', () => {
    const map = new BoundedMap<string>(1_000);
    map.set('a', 'A', 2_000);
    assert.equal(map.get('a'), undefined);
    assert.equal(map.bytes, 0);
  });

  it('reckons a replaced value once', () => {
    const map = new BoundedMap<string>(10_000);
    map.set('a', 'A', 100);
    const once = map.bytes;
    map.set('a', 'B', 100);
    assert.equal(map.bytes, once);
  });
});
