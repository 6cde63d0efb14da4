import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { BoundedMap } from '../../src/lib/bounded-map.ts';
import { PagePositions, TotalsCache } from '../../src/query/caches.ts';

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

describe('the memory of a collection', () => {
  it('bounds the ends of pages', () => {
    const positions = new PagePositions(() => 0, 50_000);
    for (let page = 1; page <= 1_000; page++)
      positions.endOf('walk', page, { value: 'x'.repeat(100), id: 'y' });
    assert.equal(positions.startOf('walk', 2), null);
    assert.deepEqual(positions.startOf('walk', 1_001), { value: 'x'.repeat(100), id: 'y' });
  });

  it('bounds the totals', () => {
    const totals = new TotalsCache(50_000);
    const numbers = { clock: 'now', total: 1, visible: 1, range: 1, units: 0 };
    for (let n = 0; n < 1_000; n++) totals.keep(`filter ${n}`, numbers);
    assert.equal(totals.get('filter 0'), undefined);
    assert.deepEqual(totals.get('filter 999'), numbers);
  });
});
